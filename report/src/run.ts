// The run that this page shows, as hstar wrote it into the page (src/report/page_data.cpp).

import { compile } from "./formula";
import type { Packed } from "./packed";

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
  contacts: SceneContact[];
  reactions: { name: string; place: Place; force: Value[] }[];
}

/** A point of contact and the directions of the force on the second body; NaN while it is open. */
export interface SceneContact {
  name: string;
  point: Value[];
  normal: Value[];
  tangent: Value[];
  normal_force: Value;
  friction: Value;
  mu: number;
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
  label: string; // tells the run from others on the page
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
  events: EventRow[];
  bands: Band[];
  scene: Scene | SpatialScene | null;
  friction: Friction[];
  extremes: { measure: string; mode: string; min: number; t_min: number; max: number; t_max: number }[];
  final_state: [string, string][];
}

/** Columns that a formula on the page makes are numbered from here. */
const firstDerived = 1_000_000;

export class Run {
  readonly about: PageData;
  readonly t: Float64Array;
  private readonly columns = new Map<number, Float64Array>();
  private readonly derived: { name: string; values: Float64Array }[] = [];
  private readonly places: Map<string, number>;
  private readonly rates: (number | undefined)[]; // the column that is the rate of each, "block.vx" of "block.x"

  constructor(private readonly packed: Packed) {
    this.about = JSON.parse(packed.json);
    this.t = packed.t;
    this.places = new Map(this.about.columns.map((c, i) => [c.name, i]));
    this.rates = this.about.columns.map(({ name }) => {
      const [, owner, quantity] = /^(.*\.)(x|y|z|angle)$/.exec(name) ?? [];
      return quantity === undefined ? undefined : this.places.get(owner + (quantity === "angle" ? "omega" : `v${quantity}`));
    });
  }

  get rows(): number {
    return this.t.length;
  }
  get t0(): number {
    return this.rows > 0 ? this.t[0] : this.about.t_start;
  }
  get t1(): number {
    return this.rows > 0 ? this.t[this.rows - 1] : this.about.outcome.t;
  }

  column(i: number): Float64Array {
    if (i >= firstDerived) return this.derived[i - firstDerived].values;
    let values = this.columns.get(i);
    if (!values) this.columns.set(i, (values = this.packed.column(i)));
    return values;
  }

  /** Place of the column of this name, or of the formula written so; undefined if it is neither. */
  find(name: string): number | undefined {
    const recorded = this.places.get(name);
    if (recorded !== undefined) return recorded;
    const known = this.derived.findIndex((d) => d.name === name);
    if (known >= 0) return firstDerived + known;
    const formula = compile(name, (word) => this.places.get(word));
    if (!formula || formula.columns.length === 0) return undefined;
    const columns = formula.columns.map((c) => this.column(c));
    const values = Float64Array.from(this.t, (_, row) => formula.value(columns.map((c) => c[row])));
    return firstDerived - 1 + this.derived.push({ name, values });
  }

  name(i: number): string {
    return i >= firstDerived ? this.derived[i - firstDerived].name : this.about.columns[i].name;
  }
  unit(i: number): string {
    return i >= firstDerived ? "" : this.about.columns[i].unit;
  }
  label(i: number): string {
    const unit = this.unit(i);
    return unit && unit !== "1" ? `${this.name(i)} [${unit}]` : this.name(i);
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

  /**
   * Value of a column at any time, never across a jump: on the cubic through two rows with the rates there (Hermite)
   * where they are recorded, else on the line.
   */
  at(column: number, t: number): number {
    const values = this.column(column);
    const i = this.rowAt(t);
    if (i + 1 >= this.rows || t <= this.t[i]) return values[i];
    const h = this.t[i + 1] - this.t[i];
    const s = (t - this.t[i]) / h;
    const line = values[i] + s * (values[i + 1] - values[i]);
    const rate = this.rates[column];
    if (rate === undefined) return line;
    const rates = this.column(rate);
    const slope = (values[i + 1] - values[i]) / h;
    const bend = h * s * (1 - s) * ((1 - s) * (rates[i] - slope) - s * (rates[i + 1] - slope));
    return Number.isFinite(bend) ? line + bend : line;
  }

  /** Value in the row at t, or the one before it. */
  inRow(value: Value, t: number): number {
    return typeof value === "number" ? value : this.column(value.column)[this.rowAt(t)];
  }

  read(value: Value, t: number): number {
    return typeof value === "number" ? value : this.at(value.column, t);
  }
}
