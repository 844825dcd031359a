// The run that this page shows, as hstar wrote it into the page (src/report/page_data.cpp).

export interface Column {
  name: string;
  unit: string;
}

export interface EventRow {
  index: number;
  t: number;
  dt_error: number;
  kind: string;
  element: string;
  before: string;
  after: string;
  velocity_before: number;
  velocity_after: number;
  impulse_n: number;
  impulse_t: number;
  energy_loss: number;
  optional: boolean;
  note: string;
}

export interface Band {
  element: string;
  intervals: [from: number, to: number, mode: string][];
}

/** A number, or the index of a column that holds it for every row. */
export type Value = number | { column: number };

export interface Place {
  body: number; // index into Scene.bodies; 0 is the ground
  at: [Value, Value]; // body coordinates, m
}

export interface Shape {
  kind: "circle" | "hollow" | "line" | "polygon" | "point" | "guide" | "pin";
  place: Place;
  radius?: number;
  normal?: [number, number];
  points?: [number, number][];
}

export interface Scene {
  bodies: { name: string; x: Value; y: Value; angle: Value; ground: boolean }[];
  shapes: Shape[];
  springs: { name: string; ends: [Place, Place] }[];
  rods: { body: number; points: [number, number][] }[];
}

export type Point = [number, number, number];

export interface SpatialPlace {
  body: number;
  at: Point; // body coordinates, m
}

export interface SpatialShape {
  kind: "plane" | "sphere" | "point" | "capsule" | "box" | "hull";
  body: number;
  at: Point; // added to the points
  normal: Point;
  radius: number;
  sides: Point;
  points: Point[]; // ends of a capsule's middle line, points of a hull
}

/** A point of contact, force on the second body; NaN while it is open. */
export interface SpatialContact {
  name: string;
  point: Value[];
  normal: Value[];
  force: Value[];
  mu: number;
}

export interface SpatialScene {
  spatial: true;
  up: Point;
  bodies: { name: string; r: Value[]; p: Value[]; ground: boolean; box: Point; box_axes: number[] }[];
  hinges: { kind: string; place: SpatialPlace; axis: Point }[];
  springs: { name: string; ends: [SpatialPlace, SpatialPlace] }[];
  rods: { body: number; points: Point[] }[];
  shapes: SpatialShape[];
  contacts: SpatialContact[];
}

export interface Friction {
  element: string;
  rotary: boolean;
  force: number; // columns
  normal: number;
  velocity: number;
  lever: number;
  mu_static: number;
  law: [speed: number, mu: number][];
}

interface PageData {
  program: string;
  title: string;
  model_file: string;
  model_hash: string;
  model_text: string;
  outcome: { status: string; success: boolean; t: number; mode: string; message: string };
  t_start: number;
  summary: string;
  notices: string[];
  options: [string, string][];
  counters: [string, string][];
  columns: Column[];
  shown: number; // the first columns are what the user asked for; the rest serves the drawing
  panels: number[][];
  rows: number;
  events: EventRow[];
  bands: Band[];
  scene: Scene | SpatialScene | null;
  friction: Friction[];
  extremes: { measure: string; mode: string; min: number; t_min: number; max: number; t_max: number }[];
  final_state: [string, string][];
}

function doubles(base64: string): Float64Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return new Float64Array(bytes.buffer);
}

export class Run {
  readonly about: PageData;
  readonly t: Float64Array;
  private readonly values: Float64Array; // column by column

  constructor() {
    this.about = JSON.parse(document.getElementById("run-data")!.textContent!);
    this.values = doubles(document.getElementById("run-values")!.textContent!.trim());
    this.t = this.column(0);
  }

  get rows(): number {
    return this.about.rows;
  }
  get t0(): number {
    return this.rows > 0 ? this.t[0] : this.about.t_start;
  }
  get t1(): number {
    return this.rows > 0 ? this.t[this.rows - 1] : this.about.outcome.t;
  }

  column(i: number): Float64Array {
    return this.values.subarray(i * this.rows, (i + 1) * this.rows);
  }

  label(i: number): string {
    const { name, unit } = this.about.columns[i];
    return unit && unit !== "1" ? `${name} [${unit}]` : name;
  }

  /** Largest row whose time is at or before t; at a jump the one after it. */
  rowAt(t: number): number {
    let low = 0;
    let high = this.rows - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.t[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Value of a column at any time: linear between two rows, never across a jump. */
  at(column: number, t: number): number {
    const values = this.column(column);
    const i = this.rowAt(t);
    if (i + 1 >= this.rows || t <= this.t[i]) return values[i];
    const part = (t - this.t[i]) / (this.t[i + 1] - this.t[i]);
    return values[i] + part * (values[i + 1] - values[i]);
  }

  /** Value in the row at t, or the one before it. */
  inRow(value: Value, t: number): number {
    return typeof value === "number" ? value : this.column(value.column)[this.rowAt(t)];
  }

  read(value: Value, t: number): number {
    return typeof value === "number" ? value : this.at(value.column, t);
  }
}
