// The run as a strip of time: the mode of every element as a band, the events as marks that can be
// clicked, the moment shown as a line. Drag to scrub, the wheel with Ctrl zooms.
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

const mostBands = 12; // without being asked for more

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
  private readonly more = element("button", { class: "more-bands" });
  private bands: Run["about"]["bands"] = [];
  private all = false;
  private still: HTMLCanvasElement | undefined; // all but the moment shown, as last painted
  private width = 0; // px

  constructor(
    private readonly run: Run,
    private readonly clock: Clock,
    private readonly choose: (event: EventRow) => void,
  ) {
    this.more.addEventListener("click", () => this.chooseBands(!this.all));
    this.node = element("div", { class: "timeline-box" }, element("div", { class: "bands" }, this.canvas), this.tip, element("p", { class: "modes-legend soft" }, ...legend(run), this.more));
    this.chooseBands(false);
    onResize(this.canvas, () => this.paint());
    clock.onMove(() => this.draw());
    clock.onZoom(() => this.paint());
    this.listen();
  }

  /** The bands in the order of the model: that of the recorded columns. */
  private chooseBands(all: boolean): void {
    this.all = all;
    const place = (name: string): number => {
      const i = this.run.about.columns.findIndex((c) => c.name.startsWith(`${name}.`));
      return i < 0 ? Infinity : i;
    };
    const places = new Map(this.run.about.bands.map((band) => [band, place(band.element)]));
    const bands = [...this.run.about.bands].sort((a, b) => places.get(a)! - places.get(b)! || 0);
    this.bands = all ? bands : bands.slice(0, mostBands);
    this.more.hidden = bands.length <= mostBands;
    this.more.textContent = all ? `the first ${mostBands} only` : `${mostBands} of ${bands.length} elements: show all`;
    this.canvas.style.height = `${markHeight + bandHeight * this.bands.length + axisHeight}px`;
    this.paint();
  }

  private x(t: number): number {
    const [a, b] = this.clock.window;
    return left + ((t - a) / (b - a)) * (this.width - left - right);
  }
  private time(x: number): number {
    const [a, b] = this.clock.window;
    return a + ((x - left) / (this.width - left - right)) * (b - a);
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
        if (!e.ctrlKey) return; // the page scrolls
        e.preventDefault();
        this.clock.zoomAround(this.time(e.offsetX), Math.exp(Math.sign(e.deltaY) * 0.2));
      },
      { passive: false },
    );
  }

  /** Everything again: thousands of events take far longer than a frame has. */
  private paint(): void {
    const [c, width, height] = cleared(this.canvas);
    this.width = width;
    this.still = undefined;
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
        const wide = Math.min(this.x(to), end) - x0;
        // What is narrower than a pixel darkens it as much as it fills it.
        c.globalAlpha = Math.min(Math.max(wide, 0.1), 1);
        c.fillRect(x0, y + 2, Math.max(wide, 1), bandHeight - 4);
        c.globalAlpha = 1;
        if (wide < 7 * mode.length + 8) continue;
        c.fillStyle = colour(mode === "open" ? "soft" : "paper");
        c.textBaseline = "middle";
        c.textAlign = "left";
        c.fillText(mode, x0 + 4, y + bandHeight / 2);
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
    this.still = element("canvas");
    [this.still.width, this.still.height] = [this.canvas.width, this.canvas.height];
    this.still.getContext("2d")!.drawImage(this.canvas, 0, 0);
    this.draw();
  }

  /** The moment shown over what is painted. */
  private draw(): void {
    if (!this.still) return;
    const [c, width, height] = cleared(this.canvas);
    c.drawImage(this.still, 0, 0, width, height);
    const [end, y] = [width - right, height - axisHeight];
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
    const { t0, t1, t: now } = this.clock;
    for (const [name, value] of [["valuemin", t0], ["valuemax", t1], ["valuenow", now]] as const) this.canvas.setAttribute(`aria-${name}`, String(value));
    this.canvas.setAttribute("aria-valuetext", `${short(now)} s of ${short(t1)} s`);
  }
}

/** What the colours of the modes mean. */
function legend(run: Run): HTMLElement[] {
  const seen = new Map<string, string>();
  for (const band of run.about.bands)
    for (const [, , mode] of band.intervals) {
      const word = mode.split(" ")[0];
      if (!word) continue;
      const name = modeColour[word] ?? "line";
      if (!seen.has(word)) seen.set(word, name);
    }
  return [...seen].slice(0, 8).map(([word, name]) => element("span", { class: "chip" }, element("i", { style: `background:var(--${name})` }), word));
}
