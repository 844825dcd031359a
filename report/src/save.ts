// Files from the page: pictures, tables, videos.
import { colour, curveColours, element, short, ticks } from "./dom";

function save(blob: Blob, name: string): void {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function saveText(text: string, type: string, name: string): void {
  save(new Blob([text], { type }), name);
}

/** A canvas on paper, not on nothing, with a line of text above it. */
export function savePng(canvas: HTMLCanvasElement, title: string, name: string): void {
  const ratio = devicePixelRatio || 1;
  const head = title ? 22 * ratio : 0;
  const out = element("canvas");
  out.width = canvas.width;
  out.height = canvas.height + head;
  const c = out.getContext("2d")!;
  c.fillStyle = colour("paper");
  c.fillRect(0, 0, out.width, out.height);
  c.drawImage(canvas, 0, head);
  c.fillStyle = colour("ink");
  c.font = `${12 * ratio}px system-ui, sans-serif`;
  c.fillText(title, 8 * ratio, 15 * ratio);
  out.toBlob((blob) => blob && save(blob, name));
}

/** Records a canvas until the function it returns is called. */
export function recordVideo(canvas: HTMLCanvasElement, name: string): () => void {
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: "video/webm", videoBitsPerSecond: 8e6 });
  const parts: Blob[] = [];
  recorder.addEventListener("dataavailable", (e) => parts.push(e.data));
  recorder.addEventListener("stop", () => save(new Blob(parts, { type: "video/webm" }), name));
  recorder.start();
  return () => recorder.stop();
}

export interface Curves {
  t: ArrayLike<number>;
  curves: { label: string; values: ArrayLike<number | null | undefined> }[];
  x: [number, number];
  y: [number, number];
  unit: string;
}

/** The plot as a drawing for papers. */
export function svg({ t, curves, x, y, unit }: Curves): string {
  const [width, height, left, top, right, bottom] = [900, 300, 70, 30, 14, 44];
  const px = (v: number): number => left + ((v - x[0]) / (x[1] - x[0])) * (width - left - right);
  const py = (v: number): number => height - bottom - ((v - y[0]) / (y[1] - y[0])) * (height - top - bottom);
  const escaped = (s: string): string => s.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  const text = (at: [number, number], anchor: string, s: string, fill = "#444"): string => `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" text-anchor="${anchor}" fill="${fill}">${escaped(s)}</text>`;
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#fff"/><clipPath id="box"><rect x="${left}" y="${top}" width="${width - left - right}" height="${height - top - bottom}"/></clipPath>`,
  ];
  for (const v of ticks(x[0], x[1], 8)) out.push(`<path d="M${px(v).toFixed(1)} ${top}V${height - bottom}" stroke="#ddd"/>`, text([px(v), height - bottom + 16], "middle", short(v)));
  for (const v of ticks(y[0], y[1], 5)) out.push(`<path d="M${left} ${py(v).toFixed(1)}H${width - right}" stroke="#ddd"/>`, text([left - 6, py(v) + 4], "end", short(v)));
  out.push(text([(left + width - right) / 2, height - 8], "middle", "t [s]"));
  if (unit) out.push(text([8, top - 12], "start", `[${unit}]`));
  let place = left;
  curves.forEach(({ label, values }, i) => {
    const stroke = getComputedStyle(document.documentElement).getPropertyValue(`--${curveColours[i % curveColours.length]}`).trim();
    let path = "";
    let down = false;
    for (let k = 0; k < t.length; ++k) {
      const v = values[k];
      if (v === undefined) continue;
      if (v === null || !Number.isFinite(v)) down = false;
      else {
        path += `${down ? "L" : "M"}${px(t[k]).toFixed(2)} ${py(v).toFixed(2)}`;
        down = true;
      }
    }
    out.push(`<path d="${path}" fill="none" stroke="${stroke}" stroke-width="1.5" clip-path="url(#box)"/>`, text([place, top - 12], "start", label, stroke));
    place += 7 * label.length + 20;
  });
  return out.join("\n") + "</svg>\n";
}
