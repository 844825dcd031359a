// The moment that is shown, the one that is pointed at, and the part of the run that is looked at. Everything on the
// page follows them.

export class Clock {
  t: number;
  hover: number | undefined; // where the pointer is in any plot
  playing = false;
  loop = false; // play the part that is looked at again and again
  speed: number;
  window: [number, number];
  private readonly moved: (() => void)[] = [];
  private readonly zoomed: (() => void)[] = [];
  private readonly pointed: (() => void)[] = [];
  private last = 0;

  constructor(
    readonly t0: number,
    readonly t1: number,
  ) {
    this.t = t0;
    this.window = [t0, t1];
    // A run is watched in its own time if that takes less than half a minute.
    this.speed = nearestSpeed(Math.max((t1 - t0) / 30, t1 - t0 < 2 ? (t1 - t0) / 4 : 1));
  }

  onMove(f: () => void): void {
    this.moved.push(f);
  }
  onZoom(f: () => void): void {
    this.zoomed.push(f);
  }
  onPoint(f: () => void): void {
    this.pointed.push(f);
  }

  goTo(t: number): void {
    this.t = Math.min(Math.max(t, this.t0), this.t1);
    for (const f of this.moved) f();
  }

  pointAt(t: number | undefined): void {
    if (t === this.hover) return;
    this.hover = t;
    for (const f of this.pointed) f();
  }

  zoom(from: number, to: number): void {
    const least = 1e-13 * Math.max(Math.abs(this.t0), Math.abs(this.t1), this.t1 - this.t0);
    if (!(to - from > least)) return;
    this.window = [Math.max(from, this.t0), Math.min(to, this.t1)];
    for (const f of this.zoomed) f();
  }
  /** Around t, by a factor of the length. */
  zoomAround(t: number, factor: number): void {
    const [a, b] = this.window;
    this.zoom(t - (t - a) * factor, t + (b - t) * factor);
  }
  /** Moves the window as far as the run goes. */
  pan(by: number): void {
    const [a, b] = this.window;
    const step = Math.min(Math.max(by, this.t0 - a), this.t1 - b);
    this.zoom(a + step, b + step);
  }
  wholeRun(): void {
    this.window = [this.t0, this.t1];
    for (const f of this.zoomed) f();
  }

  play(): void {
    if (this.playing) return;
    if (this.t >= this.t1) this.t = this.t0;
    this.playing = true;
    this.last = performance.now();
    requestAnimationFrame(this.tick);
    this.goTo(this.t);
  }
  pause(): void {
    this.playing = false;
    this.goTo(this.t);
  }
  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  private readonly tick = (now: number): void => {
    if (!this.playing) return;
    const t = this.t + ((now - this.last) / 1000) * this.speed;
    this.last = now;
    const [from, to] = this.loop ? this.window : [this.t0, this.t1];
    if (t >= to && !this.loop) this.playing = false;
    this.goTo(t >= to && this.loop ? from : t);
    if (this.playing) requestAnimationFrame(this.tick);
  };
}

export const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000];

function nearestSpeed(wanted: number): number {
  return speeds.reduce((a, b) => (Math.abs(Math.log(b / wanted)) < Math.abs(Math.log(a / wanted)) ? b : a));
}
