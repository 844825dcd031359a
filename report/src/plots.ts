// Quantities over time, several on an axis. Dragging zooms all of them and the timeline; what is too dense to
// draw is drawn by the smallest and the largest value of each pixel, and exactly once zoomed in.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { Clock } from "./clock";
import { colour, curveColours, element, onResize, short } from "./dom";
import { Run } from "./run";

const height = 190;

/** Rows [from, to] of some columns, at most about 4 `buckets` of them. */
export function decimated(run: Run, columns: number[], from: number, to: number, buckets: number): number[][] {
  const count = to - from + 1;
  if (count <= 4 * buckets) return [run.t, ...columns.map((c) => run.column(c))].map((v) => Array.from(v.subarray(from, to + 1)));
  const out: number[][] = [[], ...columns.map(() => [] as number[])];
  for (let k = 0; k < buckets; ++k) {
    const a = from + Math.floor((k * count) / buckets);
    const b = from + Math.floor(((k + 1) * count) / buckets) - 1;
    out[0].push(run.t[a], run.t[b]);
    columns.forEach((c, s) => {
      const v = run.column(c);
      let low = Infinity;
      let high = -Infinity;
      for (let i = a; i <= b; ++i) {
        if (v[i] < low) low = v[i];
        if (v[i] > high) high = v[i];
      }
      const rising = v[b] >= v[a];
      out[s + 1].push(rising ? low : high, rising ? high : low);
    });
  }
  return out;
}

export class Plot {
  readonly node: HTMLElement;
  private readonly box = element("div", { class: "plot" });
  private readonly legend = element("div", { class: "legend" });
  private chart: uPlot | undefined;

  constructor(
    private readonly run: Run,
    private readonly clock: Clock,
    readonly columns: number[],
    private readonly remove: (plot: Plot) => void,
  ) {
    const add = element("select", { "aria-label": "add a quantity to this plot" });
    add.append(element("option", { value: "" }, "add …"));
    for (let c = 1; c < run.about.shown; ++c) add.append(element("option", { value: String(c) }, run.label(c)));
    add.addEventListener("change", () => {
      const c = Number(add.value);
      if (c > 0 && !this.columns.includes(c)) this.columns.push(c);
      add.value = "";
      this.build();
    });
    const close = element("button", { title: "remove this plot", "aria-label": "remove this plot" }, "×");
    close.addEventListener("click", () => this.remove(this));
    this.node = element("div", { class: "plot-box" }, element("div", { class: "plot-head" }, this.legend, add, close), this.box);
    onResize(this.box, () => this.build());
    clock.onMove(() => this.showValues());
    clock.onZoom(() => this.fill());
  }

  private showValues(): void {
    this.legend.replaceChildren(
      ...this.columns.map((c, i) => {
        const entry = element(
          "button",
          { class: "key", title: "click to take it out" },
          element("i", { style: `background:var(--${curveColours[i % curveColours.length]})` }),
          `${this.run.label(c)} `,
          element("b", {}, short(this.run.at(c, this.clock.t))),
        );
        entry.addEventListener("click", () => {
          if (this.columns.length === 1) return;
          this.columns.splice(i, 1);
          this.build();
        });
        return entry;
      }),
    );
    if (this.chart) this.markNow();
  }

  private markNow(): void {
    const chart = this.chart!;
    let mark = chart.over.querySelector<HTMLElement>(".now");
    if (!mark) chart.over.append((mark = element("div", { class: "now" })));
    const x = chart.valToPos(this.clock.t, "x");
    mark.hidden = !(x >= 0 && x <= chart.over.clientWidth);
    mark.style.transform = `translateX(${x}px)`;
  }

  private data(): uPlot.AlignedData {
    const [a, b] = this.clock.window;
    const from = Math.max(this.run.rowAt(a) - 1, 0);
    const to = Math.min(this.run.rowAt(b) + 1, this.run.rows - 1);
    const data = decimated(this.run, this.columns, from, to, Math.max(this.box.clientWidth, 200));
    // uPlot breaks a curve at null; what is not finite is a gap.
    return data.map((v, i) => (i === 0 ? v : v.map((y) => (Number.isFinite(y) ? y : null)))) as uPlot.AlignedData;
  }

  private fill(): void {
    if (!this.chart) return;
    this.chart.setData(this.data(), false);
    this.chart.setScale("x", { min: this.clock.window[0], max: this.clock.window[1] });
    this.node.dataset.window = this.clock.window.join(" ");
    this.markNow();
  }

  private build(): void {
    const width = this.box.clientWidth;
    if (width < 60) return;
    this.chart?.destroy();
    const axis = {
      stroke: colour("soft"),
      grid: { stroke: colour("line"), width: 1 },
      ticks: { stroke: colour("line"), width: 1 },
      font: "12px system-ui, sans-serif",
    };
    const units = [...new Set(this.columns.map((c) => this.run.about.columns[c].unit))];
    this.chart = new uPlot(
      {
        width,
        height,
        legend: { show: false },
        scales: { x: { time: false } },
        cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 5 } },
        axes: [
          { ...axis, label: "t [s]", labelSize: 16, size: 30, values: (_u, v) => v.map(short) },
          { ...axis, label: units.length === 1 ? `[${units[0] || "1"}]` : "", labelSize: 16, size: 62, values: (_u, v) => v.map(short) },
        ],
        series: [
          {},
          ...this.columns.map((_c, i) => ({
            stroke: colour(curveColours[i % curveColours.length]),
            width: 1.5,
            points: { show: false },
          })),
        ],
        hooks: {
          setSelect: [
            (u) => {
              if (u.select.width < 3) return;
              this.clock.zoom(u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x"));
              u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            },
          ],
        },
      },
      this.data(),
      this.box,
    );
    this.chart.over.addEventListener("dblclick", () => this.clock.wholeRun());
    this.chart.over.addEventListener("click", (e) => {
      const t = this.chart!.posToVal(e.offsetX, "x");
      if (this.chart!.select.width < 3) this.clock.goTo(t);
    });
    this.fill();
    this.showValues();
  }
}
