// One quantity against another: the phase plane, and friction against sliding velocity.
import { Clock } from "./clock";
import { cleared, colour, onResize, short, ticks, element } from "./dom";
import { pick } from "./picker";
import { Run } from "./run";

export interface Curve {
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  colour: string;
  dashed?: boolean;
}

export class XyChart {
  readonly canvas = element("canvas", { class: "xy", role: "img" });
  curves: Curve[] = [];
  now: [number, number] | undefined;
  labels: [string, string] = ["", ""];

  constructor() {
    onResize(this.canvas, () => this.draw());
  }

  draw(): void {
    this.canvas.setAttribute("aria-label", `${this.labels[1]} over ${this.labels[0]}`);
    const [c, width, height] = cleared(this.canvas);
    if (width < 80) return;
    const box = { left: 66, right: width - 12, top: 12, bottom: height - 40 };
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const curve of this.curves)
      for (let i = 0; i < curve.x.length; ++i) {
        const x = curve.x[i];
        const y = curve.y[i];
        if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
        if (x < x0) x0 = x;
        if (x > x1) x1 = x;
        if (y < y0) y0 = y;
        if (y > y1) y1 = y;
      }
    if (!(x1 >= x0)) return;
    const pad = (a: number, b: number): [number, number] => {
      const d = b > a ? 0.06 * (b - a) : Math.max(Math.abs(a) * 0.1, 1e-6);
      return [a - d, b + d];
    };
    [x0, x1] = pad(x0, x1);
    [y0, y1] = pad(y0, y1);
    const px = (x: number): number => box.left + ((x - x0) / (x1 - x0)) * (box.right - box.left);
    const py = (y: number): number => box.bottom - ((y - y0) / (y1 - y0)) * (box.bottom - box.top);

    c.lineWidth = 1;
    c.textBaseline = "middle";
    for (const y of ticks(y0, y1, 6)) {
      c.fillStyle = colour("line");
      c.fillRect(box.left, py(y), box.right - box.left, 1);
      c.fillStyle = colour("soft");
      c.textAlign = "right";
      c.fillText(short(y), box.left - 6, py(y));
    }
    for (const x of ticks(x0, x1, 6)) {
      c.fillStyle = colour("line");
      c.fillRect(px(x), box.top, 1, box.bottom - box.top);
      c.fillStyle = colour("soft");
      c.textAlign = "center";
      c.fillText(short(x), px(x), box.bottom + 12);
    }
    c.textAlign = "right";
    c.fillText(this.labels[0], box.right, height - 10);
    c.textAlign = "left";
    c.fillText(this.labels[1], box.left + 6, box.top + 4);

    c.save();
    c.beginPath();
    c.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
    c.clip();
    for (const curve of this.curves) {
      c.strokeStyle = colour(curve.colour);
      c.lineWidth = curve.dashed ? 1 : 1.5;
      c.setLineDash(curve.dashed ? [5, 4] : []);
      c.beginPath();
      let drawing = false;
      for (let i = 0; i < curve.x.length; ++i) {
        const x = px(curve.x[i]);
        const y = py(curve.y[i]);
        if (!Number.isFinite(x) || !Number.isFinite(y)) drawing = false;
        else if (drawing) c.lineTo(x, y);
        else {
          c.moveTo(x, y);
          drawing = true;
        }
      }
      c.stroke();
    }
    c.setLineDash([]);
    if (this.now) {
      c.fillStyle = colour("ink");
      c.beginPath();
      c.arc(px(this.now[0]), py(this.now[1]), 4, 0, 2 * Math.PI);
      c.fill();
    }
    c.restore();
  }
}

/** Rows of the window, not more than a screen can show. */
function part(run: Run, clock: Clock, columns: number[]): number[][] {
  const from = run.rowAt(clock.window[0]);
  const to = run.rowAt(clock.window[1]);
  const stride = Math.max(1, Math.floor((to - from) / 20000));
  const out: number[][] = columns.map(() => []);
  for (let i = from; i <= to; i += stride) columns.forEach((c, k) => out[k].push(run.column(c)[i]));
  return out;
}

/** A button that shows a quantity and lets another one be chosen. */
function chooser(run: Run, label: string, chosen: number, changed: () => void): { node: HTMLElement; column: () => number } {
  const node = element("button", { title: `choose the ${label} quantity`, "aria-label": label }, run.label(chosen));
  node.addEventListener("click", () => {
    void pick(run, `Choose the ${label} quantity`).then((column) => {
      if (column === undefined) return;
      node.textContent = run.label((chosen = column));
      changed();
    });
  });
  return { node, column: () => chosen };
}

export function phasePlane(run: Run, clock: Clock): HTMLElement {
  const [x, y] = firstPair(run);
  const chart = new XyChart();
  const show = (): void => {
    const columns = [horizontal.column(), vertical.column()];
    const [xs, ys] = part(run, clock, columns);
    chart.curves = [{ x: xs, y: ys, colour: "c1" }];
    chart.labels = [run.label(columns[0]), run.label(columns[1])];
    move();
  };
  const move = (): void => {
    chart.now = [run.at(horizontal.column(), clock.t), run.at(vertical.column(), clock.t)];
    chart.draw();
  };
  const horizontal = chooser(run, "horizontal", x, show);
  const vertical = chooser(run, "vertical", y, show);
  clock.onZoom(show);
  clock.onMove(move);
  requestAnimationFrame(show);
  return element("section", { class: "card" }, element("h2", {}, "Phase plane"), element("p", { class: "tools" }, vertical.node, " over ", horizontal.node), chart.canvas);
}

/** A coordinate that changes and its velocity: "sled.x" and "sled.vx"; else the first two columns. */
function firstPair(run: Run): [number, number] {
  const names = run.about.columns.slice(0, run.about.shown).map((c) => c.name);
  const rate: Record<string, string> = { x: "vx", y: "vy", angle: "omega" };
  for (let i = 1; i < names.length; ++i) {
    const dot = names[i].lastIndexOf(".");
    const partner = rate[names[i].slice(dot + 1)];
    const j = partner ? names.indexOf(names[i].slice(0, dot + 1) + partner) : -1;
    if (j > 0 && run.about.panels.some((panel) => panel.includes(i))) return [i, j];
  }
  return [Math.min(1, names.length - 1), Math.min(2, names.length - 1)];
}

/** lambda_T / N over gamma_T with the law and its cone. */
export function frictionChart(run: Run, clock: Clock): HTMLElement {
  const laws = run.about.friction;
  const select = element("select", { "aria-label": "frictional element" });
  laws.forEach((law, i) => select.append(element("option", { value: String(i) }, law.element)));
  const chart = new XyChart();
  const show = (): void => {
    const f = laws[Number(select.value)];
    const [velocity, force, normal] = part(run, clock, [f.velocity, f.force, f.normal]);
    const ratio = force.map((x, i) => (normal[i] !== 0 ? x / (Math.abs(normal[i]) * f.lever) : NaN));
    const speed = Math.max(...velocity.map((v) => Math.abs(v)).filter(Number.isFinite), 1e-9);
    const law = f.law.filter(([v]) => v <= speed * 1.001);
    const line = (sign: number): { x: number[]; y: number[] } => ({
      x: law.map(([v]) => sign * v),
      y: law.map(([, mu]) => -sign * mu),
    });
    chart.curves = [
      { ...line(1), colour: "soft", dashed: true },
      { ...line(-1), colour: "soft", dashed: true },
      { x: [0, 0], y: [-f.mu_static, f.mu_static], colour: "soft", dashed: true },
      { x: velocity, y: ratio, colour: "c1" },
    ];
    chart.labels = [`sliding velocity [${f.rotary ? "rad/s" : "m/s"}]`, "λ_T / N"];
    move();
  };
  const move = (): void => {
    const f = laws[Number(select.value)];
    chart.now = [run.at(f.velocity, clock.t), run.at(f.force, clock.t) / (Math.abs(run.at(f.normal, clock.t)) * f.lever)];
    chart.draw();
  };
  select.addEventListener("change", show);
  clock.onZoom(show);
  clock.onMove(move);
  requestAnimationFrame(show);
  return element(
    "section",
    { class: "card" },
    element("h2", {}, "Friction"),
    element("p", { class: "tools" }, select, " friction over normal force; dashed: the law and, at rest, its cone"),
    chart.canvas,
  );
}
