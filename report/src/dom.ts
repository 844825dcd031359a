// Small helpers for making elements, colours and numbers.

type Child = Node | string;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** Colour of a style variable as the page shows it now (light or dark). */
export function colour(name: string): string {
  let value = colours.get(name);
  if (value === undefined) colours.set(name, (value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()));
  return value;
}
const colours = new Map<string, string>(); // until the theme changes
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => colours.clear());

export const curveColours = ["c1", "c2", "c3", "c4", "c5", "c6"];

/** As many digits as a reader needs. */
export function short(x: number): string {
  if (!Number.isFinite(x)) return String(x);
  if (x === 0) return "0";
  const size = Math.abs(x);
  return size >= 1e6 || size < 1e-4 ? x.toExponential(3) : String(Number(x.toPrecision(6)));
}

const repaint: (() => void)[] = [];

/** Calls f with every change of the size of a node, and when the page turns dark or light. */
export function onResize(node: Element, f: () => void): void {
  new ResizeObserver(f).observe(node);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", f);
  repaint.push(f);
}

/** Light, dark, or as the system has it (""). */
export function setTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
  colours.clear();
  for (const f of repaint) f();
}

/** A canvas that fills its parent, sharp on every screen; returns its context in CSS pixels, cleared. */
export function cleared(canvas: HTMLCanvasElement): [CanvasRenderingContext2D, number, number] {
  const ratio = devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "12px system-ui, sans-serif";
  return [context, width, height];
}

/** Round numbers between a and b, about `count` of them. */
export function ticks(a: number, b: number, count: number): number[] {
  const span = b - a;
  if (!(span > 0)) return [a];
  const raw = span / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw)!;
  const out: number[] = [];
  for (let k = Math.ceil(a / step - 1e-9); k * step <= b + 1e-9 * span; ++k) out.push(Number((k * step).toPrecision(12)));
  return out;
}
