// The moment, the window and the plots in the address of the page, so that a link leads to what is seen:
// #t=1.94&w=1.5,2.5&p=block.x,block.vx;plate.tangential

export interface Seen {
  t?: number;
  window?: [number, number];
  plots?: string[][];
}

const separated = (text: string, by: string): string[] => text.split(by).filter((part) => part !== "");

export function readAddress(): Seen {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const seen: Seen = {};
  const t = Number(wanted.get("t") ?? NaN);
  if (Number.isFinite(t)) seen.t = t;
  const window = (wanted.get("w") ?? "").split(",").map(Number);
  if (window.length === 2 && window.every(Number.isFinite)) seen.window = [window[0], window[1]];
  const plots = wanted.get("p");
  // A comma in a formula stands in parentheses.
  if (plots) seen.plots = separated(plots, ";").map((panel) => separated(panel.replace(/\([^()]*\)/g, (inner) => inner.replaceAll(",", "\u0001")), ",").map((name) => name.replaceAll("\u0001", ",")));
  return seen;
}

let waiting = 0;

/** Soon, and once for many changes. */
export function writeAddress(seen: () => Seen): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const { t, window, plots } = seen();
    const parts: string[] = [];
    if (t !== undefined) parts.push(`t=${t}`);
    if (window) parts.push(`w=${window.join(",")}`);
    if (plots) parts.push(`p=${plots.map((panel) => panel.map(encodeURIComponent).join(",")).join(";")}`);
    history.replaceState(null, "", `#${parts.join("&")}`);
  }, 200);
}
