// Quantities over time, several on an axis, of one run or of several. Dragging along t zooms all plots and the
// timeline, dragging a box zooms the values too, shift moves, a double click shows everything. What is too dense to
// draw is drawn by the smallest and the largest value of each pixel, and exactly once zoomed in.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { Clock } from "./clock";
import { colour, curveColours, element, onResize, short } from "./dom";
import { pick } from "./picker";
import { Run } from "./run";
import { savePng, saveText, svg } from "./save";

const height = 190;

/** A run with the word that tells it from the others, "" if it is alone. */
export interface NamedRun {
  run: Run;
  label: string;
}

/** Rows [from, to] of some columns, at most about 4 `buckets` of them. */
export function decimated(run: Run, columns: number[], from: number, to: number, buckets: number): number[][] {
  const count = to - from + 1;
  if (count < buckets / 4) return smooth(run, columns, from, to, Math.min(8, Math.ceil(buckets / 2 / count)));
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

/** Rows and `parts` - 1 points between each two of them: few rows are joined by the curves that they lie on. */
function smooth(run: Run, columns: number[], from: number, to: number, parts: number): number[][] {
  const out: number[][] = [[], ...columns.map(() => [] as number[])];
  for (let i = from; i <= to; ++i) {
    out[0].push(run.t[i]);
    columns.forEach((c, s) => out[s + 1].push(run.column(c)[i]));
    const h = i < to ? run.t[i + 1] - run.t[i] : 0;
    for (let k = 1; k < parts && h > 0; ++k) {
      const t = run.t[i] + (k * h) / parts;
      out[0].push(t);
      columns.forEach((c, s) => out[s + 1].push(run.at(c, t)));
    }
  }
  return out;
}

/** Tables of several runs over one increasing t; `undefined` where a run has no row. */
function merged(tables: number[][][]): (number | null | undefined)[][] {
  const place = tables.map(() => 0);
  const out: (number | null | undefined)[][] = [[], ...tables.flatMap((table) => table.slice(1).map(() => []))];
  for (;;) {
    let next = -1;
    tables.forEach((table, i) => {
      if (place[i] < table[0].length && (next < 0 || table[0][place[i]] < tables[next][0][place[next]])) next = i;
    });
    if (next < 0) return out;
    out[0].push(tables[next][0][place[next]]);
    let column = 1;
    tables.forEach((table, i) => {
      for (const values of table.slice(1)) {
        // uPlot breaks a curve at null; what is not finite is a gap.
        const y = i === next ? values[place[i]] : undefined;
        out[column++].push(y === undefined || Number.isFinite(y) ? y : null);
      }
    });
    ++place[next];
  }
}

export class Plot {
  readonly node: HTMLElement;
  private readonly box = element("div", { class: "plot" });
  private readonly legend = element("div", { class: "legend" });
  private readonly pointed = element("span", { class: "at soft" }); // over the plot, so that nothing moves
  private chart: uPlot | undefined;
  private values: [number, number] | undefined; // the part of the axis that is looked at; undefined: all

  constructor(
    private readonly runs: NamedRun[],
    private readonly clock: Clock,
    readonly columns: number[],
    private readonly changed: () => void,
    remove: (plot: Plot) => void,
  ) {
    const button = (text: string, title: string, act: () => void): HTMLElement => {
      const node = element("button", { title, "aria-label": title }, text);
      node.addEventListener("click", act);
      return node;
    };
    const tools = element(
      "span",
      { class: "plot-tools" },
      button("+", "add a quantity to this plot", () => void this.add()),
      button("PNG", "save this plot as a picture", () => this.savePng()),
      button("SVG", "save this plot as a drawing", () => saveText(this.svg(), "image/svg+xml", `${this.fileName()}.svg`)),
      button("CSV", "save the rows of this plot", () => saveText(this.csv(), "text/csv", `${this.fileName()}.csv`)),
      button("×", "remove this plot", () => remove(this)),
    );
    this.node = element("div", { class: "plot-box" }, element("div", { class: "plot-head" }, this.legend, tools), this.box, this.pointed);
    onResize(this.box, () => this.build());
    clock.onMove(() => this.showValues());
    clock.onZoom(() => this.fill());
    clock.onPoint(() => this.showPointer());
  }

  private get run(): Run {
    return this.runs[0].run;
  }

  /** What is drawn, in the order of the colours. */
  private curves(): { of: NamedRun; column: number; mine: number; label: string }[] {
    return this.runs.flatMap((of) =>
      this.columns.flatMap((mine) => {
        const column = of.run.find(this.run.name(mine));
        return column === undefined ? [] : [{ of, column, mine, label: of.run.label(column) + (of.label ? ` · ${of.label}` : "") }];
      }),
    );
  }

  private async add(): Promise<void> {
    const column = await pick(this.run, "Add a quantity");
    if (column === undefined || this.columns.includes(column)) return;
    this.columns.push(column);
    this.values = undefined;
    this.build();
    this.changed();
  }

  private showValues(): void {
    const t = this.clock.hover ?? this.clock.t;
    this.legend.classList.toggle("pointed", this.clock.hover !== undefined);
    this.legend.replaceChildren(
      ...this.curves().map(({ of, column, mine, label }, i) => {
        const entry = element(
          "button",
          { class: "key", title: "click to take it out" },
          element("i", { style: `background:var(--${curveColours[i % curveColours.length]})` }),
          `${label} `,
          element("b", {}, short(of.run.at(column, t))),
        );
        entry.addEventListener("click", () => {
          if (this.columns.length === 1) return;
          this.columns.splice(this.columns.indexOf(mine), 1);
          this.build();
          this.changed();
        });
        return entry;
      }),
    );
    this.pointed.textContent = this.clock.hover === undefined ? "" : `values at ${short(t)} s`;
    if (this.chart) this.markNow();
  }

  private showPointer(): void {
    this.showValues();
    const chart = this.chart;
    if (!chart) return;
    const t = this.clock.hover;
    chart.setCursor(t === undefined ? { left: -10, top: -10 } : { left: chart.valToPos(t, "x"), top: chart.cursor.top ?? 0 }, false);
  }

  private markNow(): void {
    const chart = this.chart!;
    let mark = chart.over.querySelector<HTMLElement>(".now");
    if (!mark) chart.over.append((mark = element("div", { class: "now" })));
    const x = chart.valToPos(this.clock.t, "x");
    mark.hidden = !(x >= 0 && x <= chart.bbox.width / (devicePixelRatio || 1)); // (a question to the layout would cost a frame)
    mark.style.transform = `translateX(${x}px)`;
  }

  private data(): (number | null | undefined)[][] {
    const [a, b] = this.clock.window;
    const width = Math.max(this.box.clientWidth, 200);
    const curves = this.curves();
    return merged(
      this.runs.map((of) => {
        const { run } = of;
        const from = Math.max(run.rowAt(a) - 1, 0);
        const to = Math.min(run.rowAt(b) + 1, run.rows - 1);
        return decimated(run, curves.filter((c) => c.of === of).map((c) => c.column), from, to, width);
      }),
    );
  }

  private fill(): void {
    if (!this.chart) return;
    this.chart.setData(this.data() as uPlot.AlignedData, false);
    this.chart.setScale("x", { min: this.clock.window[0], max: this.clock.window[1] });
    this.node.dataset.window = this.clock.window.join(" ");
    // The scale is set with the next frame only.
    requestAnimationFrame(() => this.chart && this.markNow());
  }

  private units(): string[] {
    return [...new Set(this.columns.map((c) => this.run.unit(c) || "1"))];
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
    const units = this.units();
    const curves = this.curves();
    this.chart = new uPlot(
      {
        width,
        height,
        pxAlign: 0,
        legend: { show: false },
        scales: { x: { time: false }, y: { range: (_u, low, high) => this.values ?? padded(low, high) } },
        cursor: { drag: { x: true, y: true, uni: 30, setScale: false }, points: { size: 5 } },
        axes: [
          { ...axis, label: "t [s]", labelSize: 16, size: 30, values: (_u, v) => v.map(short) },
          { ...axis, label: units.length === 1 ? `[${units[0]}]` : "", labelSize: 16, size: 62, values: (_u, v) => v.map(short) },
        ],
        series: [
          {},
          ...curves.map((_c, i) => ({
            stroke: colour(curveColours[i % curveColours.length]),
            width: 1.5,
            pxAlign: 0,
            points: { show: false },
          })),
        ],
        hooks: {
          setSelect: [(u) => this.zoomTo(u)],
        },
      },
      this.data() as uPlot.AlignedData,
      this.box,
    );
    this.chart.ctx.canvas.setAttribute("role", "img");
    this.chart.ctx.canvas.setAttribute("aria-label", `${curves.map((c) => c.label).join(", ")} over time`);
    this.listen(this.chart);
    this.fill();
    this.showValues();
  }

  private zoomTo(u: uPlot): void {
    const { left, top, width: wide, height: high } = u.select;
    if (wide < 3 && high < 3) return;
    if (high >= 3 && high < u.over.clientHeight - 1) this.values = [u.posToVal(top + high, "y"), u.posToVal(top, "y")];
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (wide >= 3 && wide < u.over.clientWidth - 1) this.clock.zoom(u.posToVal(left, "x"), u.posToVal(left + wide, "x"));
    else this.fill();
  }

  private listen(chart: uPlot): void {
    const { over } = chart;
    over.addEventListener("dblclick", () => {
      this.values = undefined;
      this.clock.wholeRun();
    });
    over.addEventListener("click", (e) => {
      if (chart.select.width < 3 && !e.shiftKey) this.clock.goTo(chart.posToVal(e.offsetX, "x"));
    });
    over.addEventListener("mousemove", (e) => this.clock.pointAt(chart.posToVal(e.offsetX, "x")));
    over.addEventListener("mouseleave", () => this.clock.pointAt(undefined));
    over.addEventListener(
      "wheel",
      (e) => {
        if (!e.ctrlKey) return; // the page scrolls
        e.preventDefault();
        const factor = Math.exp(Math.sign(e.deltaY) * 0.2);
        if (!e.shiftKey) {
          this.clock.zoomAround(chart.posToVal(e.offsetX, "x"), factor);
          return;
        }
        const y = chart.posToVal(e.offsetY, "y");
        const { min = 0, max = 1 } = chart.scales.y;
        this.values = [y - (y - min) * factor, y + (max - y) * factor];
        this.fill();
      },
      { passive: false },
    );
    // Shift moves; uPlot must not see it, or it would draw a box.
    chart.root.addEventListener(
      "mousedown",
      (e) => {
        if (!e.shiftKey) return;
        e.stopPropagation();
        let [x, y] = [e.clientX, e.clientY];
        const move = (m: MouseEvent): void => {
          const { min = 0, max = 1 } = chart.scales.y;
          const dy = ((m.clientY - y) / over.clientHeight) * (max - min);
          if (this.values) this.values = [min + dy, max + dy];
          this.clock.pan(((x - m.clientX) / over.clientWidth) * (this.clock.window[1] - this.clock.window[0]));
          [x, y] = [m.clientX, m.clientY];
        };
        const up = (): void => {
          document.removeEventListener("mousemove", move);
          document.removeEventListener("mouseup", up);
        };
        document.addEventListener("mousemove", move);
        document.addEventListener("mouseup", up);
      },
      true,
    );
  }

  private fileName(): string {
    return this.columns.map((c) => this.run.name(c)).join("_").replace(/[^\w.-]+/g, "_").slice(0, 80);
  }

  private savePng(): void {
    if (this.chart) savePng(this.chart.ctx.canvas, `${this.curves().map((c) => c.label).join(", ")} over t [s]`, `${this.fileName()}.png`);
  }

  private svg(): string {
    const chart = this.chart!;
    const [t, ...values] = this.data();
    const { min: x0 = 0, max: x1 = 1 } = chart.scales.x;
    const { min: y0 = 0, max: y1 = 1 } = chart.scales.y;
    return svg({
      t: t as number[],
      curves: this.curves().map(({ label }, i) => ({ label, values: values[i] })),
      x: [x0, x1],
      y: [y0, y1],
      unit: this.units().length === 1 ? this.units()[0] : "",
    });
  }

  /** The rows that are looked at, of each run after the other. */
  private csv(): string {
    const [a, b] = this.clock.window;
    const lines: string[] = [];
    for (const { run, label } of this.runs) {
      const columns = this.columns.map((c) => run.find(this.run.name(c))).filter((c) => c !== undefined);
      if (label) lines.push(`# ${label}`);
      lines.push(["t", ...columns.map((c) => run.name(c))].map((name) => (/[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(","));
      for (let i = 0; i < run.rows; ++i) if (run.t[i] >= a && run.t[i] <= b) lines.push([run.t[i], ...columns.map((c) => run.column(c)[i])].join(","));
    }
    return lines.join("\n") + "\n";
  }
}

/** Room above and below; a curve that is constant gets an axis around it. */
function padded(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [-1, 1];
  const room = high > low ? 0.06 * (high - low) : Math.abs(low) * 0.1 || 1;
  return [low - room, high + room];
}
