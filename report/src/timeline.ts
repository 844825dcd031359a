// The run as a strip of time: the mode of every element as a band, the events as marks that can be
// clicked, the moment shown as a line. Drag to scrub, wheel to zoom.
import { Clock } from "./clock";
import { cleared, colour, element, onResize, short, ticks } from "./dom";
import { EventRow, Run } from "./run";

const left = 118;
const right = 14;
const markHeight = 22;
const bandHeight = 18;
const axisHeight = 22;

const modeColour: Record<string, string> = {
  stick: "stick",
  closed: "stick",
  slip: "slip-plus",
  "slip+": "slip-plus",
  "slip-": "slip-minus",
  open: "open",
};

export function eventColour(kind: string): string {
  if (kind === "stick" || kind === "rest" || kind === "zeno") return "stick";
  if (kind === "slip" || kind === "reversal") return "slip-plus";
  if (kind === "impact" || kind === "jam") return "c1";
  return "soft";
}

export class Timeline {
  readonly node: HTMLElement;
  private readonly canvas = element("canvas", {
    class: "timeline",
    tabindex: "0",
    role: "slider",
    "aria-label": "time",
  });
  private readonly tip = element("div", { class: "tip", hidden: "" });
  private readonly bands: Run["about"]["bands"];

  constructor(
    private readonly run: Run,
    private readonly clock: Clock,
    private readonly choose: (event: EventRow) => void,
  ) {
    this.bands = run.about.bands.slice(0, 12);
    this.canvas.style.height = `${markHeight + bandHeight * this.bands.length + axisHeight}px`;
    this.node = element("div", { class: "timeline-box" }, this.canvas, this.tip);
    onResize(this.canvas, () => this.draw());
    clock.onMove(() => this.draw());
    clock.onZoom(() => this.draw());
    this.listen();
  }

  private x(t: number): number {
    const [a, b] = this.clock.window;
    return left + ((t - a) / (b - a)) * (this.canvas.clientWidth - left - right);
  }
  private time(x: number): number {
    const [a, b] = this.clock.window;
    return a + ((x - left) / (this.canvas.clientWidth - left - right)) * (b - a);
  }

  /** The event whose mark is nearest to x, if it is near. */
  private eventNear(x: number): EventRow | undefined {
    let best: EventRow | undefined;
    let distance = 7;
    for (const event of this.run.about.events) {
      const d = Math.abs(this.x(event.t) - x);
      if (d < distance) [best, distance] = [event, d];
    }
    return best;
  }

  private listen(): void {
    let dragging = false;
    this.canvas.addEventListener("pointerdown", (e) => {
      const event = e.offsetY < markHeight ? this.eventNear(e.offsetX) : undefined;
      if (event) {
        this.choose(event);
        return;
      }
      dragging = true;
      this.canvas.setPointerCapture(e.pointerId);
      this.clock.goTo(this.time(e.offsetX));
    });
    this.canvas.addEventListener("pointermove", (e) => {
      if (dragging) this.clock.goTo(this.time(e.offsetX));
      const event = e.offsetY < markHeight ? this.eventNear(e.offsetX) : undefined;
      this.canvas.style.cursor = event ? "pointer" : "ew-resize";
      this.tip.hidden = !event;
      if (event) {
        this.tip.textContent = `#${event.index} ${event.kind} of ${event.element} at ${event.t} s`;
        this.tip.style.left = `${Math.min(e.offsetX + 10, this.canvas.clientWidth - 260)}px`;
      }
    });
    this.canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    this.canvas.addEventListener("pointerup", () => (dragging = false));
    this.canvas.addEventListener("dblclick", () => this.clock.wholeRun());
    this.canvas.addEventListener(
      "wheel",
      (e) => {
        e.preventDefault();
        const [a, b] = this.clock.window;
        const t = this.time(e.offsetX);
        const factor = Math.exp(Math.sign(e.deltaY) * 0.2);
        this.clock.zoom(t - (t - a) * factor, t + (b - t) * factor);
      },
      { passive: false },
    );
  }

  draw(): void {
    const [c, width, height] = cleared(this.canvas);
    if (width < left + 40) return;
    const [a, b] = this.clock.window;
    const end = width - right;
    c.save();
    c.beginPath();
    c.rect(left, 0, end - left, height);
    c.clip();
    this.bands.forEach((band, i) => {
      const y = markHeight + i * bandHeight;
      for (const [from, to, mode] of band.intervals) {
        if (to < a || from > b) continue;
        c.fillStyle = colour(modeColour[mode.split(" ")[0]] ?? "line");
        const x0 = Math.max(this.x(from), left);
        c.fillRect(x0, y + 2, Math.max(Math.min(this.x(to), end) - x0, 0.5), bandHeight - 4);
      }
    });
    let lastX = -1;
    for (const event of this.run.about.events) {
      const x = this.x(event.t);
      if (x < left - 1 || x > end + 1 || Math.abs(x - lastX) < 0.4) continue;
      lastX = x;
      c.strokeStyle = colour(eventColour(event.kind));
      c.lineWidth = event.optional ? 1 : 2;
      c.beginPath();
      c.moveTo(x, 4);
      c.lineTo(x, markHeight - 2);
      c.stroke();
    }
    c.restore();
    c.fillStyle = colour("soft");
    c.textBaseline = "middle";
    c.textAlign = "right";
    c.fillText("events", left - 8, markHeight / 2);
    this.bands.forEach((band, i) => {
      const name = band.element.length > 16 ? band.element.slice(0, 15) + "…" : band.element;
      c.fillText(name, left - 8, markHeight + (i + 0.5) * bandHeight);
    });
    c.textAlign = "center";
    c.textBaseline = "top";
    const y = height - axisHeight;
    for (const t of ticks(a, b, (end - left) / 110)) {
      const x = this.x(t);
      c.fillRect(x, y, 1, 4);
      c.fillText(`${short(t)} s`, Math.min(Math.max(x, left + 12), end - 16), y + 6);
    }
    const x = this.x(this.clock.t);
    if (x >= left - 0.5 && x <= end + 0.5) {
      c.fillStyle = colour("ink");
      c.fillRect(x - 0.75, 0, 1.5, y + 4);
      c.beginPath();
      c.moveTo(x - 5, 0);
      c.lineTo(x + 5, 0);
      c.lineTo(x, 6);
      c.fill();
    }
    this.canvas.setAttribute("aria-valuenow", String(this.clock.t));
  }
}
