// Unpacks what src/report/packed.cpp put into the page.

/** A column as its kept points: rows, and values that are joined by lines. */
interface Points {
  rows: Uint32Array;
  values: Float64Array;
}

export class Packed {
  private constructor(
    readonly json: string,
    readonly t: Float64Array,
    private readonly columns: { count: number; from: number; low: number; high: number }[],
    private readonly bytes: Uint8Array,
  ) {}

  static async read(base64: string): Promise<Packed> {
    const zipped = await (await fetch(`data:application/gzip;base64,${base64}`)).blob(); // the browser's own decoder
    const plain = await new Response(zipped.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    const view = new DataView(plain);
    let at = 0;
    const whole = (): number => view.getUint32((at += 4) - 4, true);
    const real = (): number => view.getFloat64((at += 8) - 8, true);
    const length = whole();
    const json = new TextDecoder().decode(new Uint8Array(plain, at, length));
    at += length;
    const rows = whole();
    const width = whole();
    const t = Float64Array.from({ length: rows }, real);
    const columns = [];
    let from = 0;
    for (let i = 0; i < width; ++i) {
      const count = whole();
      const size = whole();
      columns.push({ count, from, low: real(), high: real() });
      from += size;
    }
    return new Packed(json, t, columns, new Uint8Array(plain, at));
  }

  private points(i: number): Points {
    const { count, from, low, high } = this.columns[i];
    let at = from;
    const group = (): number => {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = this.bytes[at++];
        value |= (byte & 127) << shift;
        if (byte < 128) return value >>> 0;
      }
    };
    let row = 0;
    const rows = Uint32Array.from({ length: count }, () => (row += group()));
    const range = high > low ? high - low : 1;
    let step = 0;
    const values = Float64Array.from({ length: count }, () => {
      const signed = group();
      step += signed & 1 ? -((signed + 1) / 2) : signed / 2;
      return step === 2 ** 25 ? NaN : step === 2 ** 24 ? high : low + (step / 2 ** 24) * range;
    });
    return { rows, values };
  }

  /** Column i in every row: on the lines between its points. */
  column(i: number): Float64Array {
    const { rows, values } = this.points(i);
    const out = new Float64Array(this.t.length).fill(NaN);
    for (let k = 0; k < rows.length; ++k) {
      const [a, va] = [rows[k], values[k]];
      out[a] = va;
      if (k + 1 === rows.length) break;
      const [b, vb] = [rows[k + 1], values[k + 1]];
      const slope = this.t[b] > this.t[a] ? (vb - va) / (this.t[b] - this.t[a]) : 0;
      for (let r = a + 1; r < b; ++r) out[r] = va + slope * (this.t[r] - this.t[a]);
    }
    for (let r = (rows.at(-1) ?? -1) + 1; r > 0 && r < out.length; ++r) out[r] = out[r - 1];
    return out;
  }
}
