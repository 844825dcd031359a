// A planar mechanism as hstar describes it, moved by the recorded coordinates: bodies, joints, springs, contact forces
// in their friction cones, impulses at impacts, axes and a scale. Drag moves, Ctrl with the wheel zooms, a double click
// shows everything. Of other runs on the page the bodies are drawn as ghosts.
import { Clock } from "./clock";
import { cleared, colour, curveColours, element, onResize, ticks } from "./dom";
import type { NamedRun } from "./plots";
import { Place, Run, Scene, SceneContact, Shape } from "./run";
import { sceneTools } from "./scene_tools";

interface Box {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}
type Point = [number, number];

const mostNames = 14; // bodies; more names would hide them
const margin = { left: 44, bottom: 22 }; // of the axes, px

/** Bodies of which nothing is known but the centre; they are drawn as blocks. */
function unshaped(scene: Scene): number[] {
  const shapes = scene.shapes.filter((s) => s.kind !== "pin" && s.kind !== "line" && s.kind !== "guide");
  const known = new Set([...shapes.map((s) => s.place.body), ...scene.rods.map((r) => r.body)]);
  return scene.bodies.flatMap((body, i) => (body.ground || known.has(i) ? [] : [i]));
}

export class View {
  readonly node: HTMLElement;
  private readonly canvas = element("canvas", { class: "scene", role: "img", "aria-label": "the mechanism at the moment shown" });
  private readonly run: Run;
  private readonly ghosts: { run: Run; scene: Scene }[];
  private readonly motion: Box; // what the picture must hold
  private readonly room: number; // m
  private readonly forceSize: number; // N
  private readonly impulseSize: number; // N s
  private centre: Point = [0, 0];
  private scale = 1; // metres a pixel
  private c!: CanvasRenderingContext2D;
  private width = 0;
  private height = 0;

  constructor(
    runs: NamedRun[],
    private readonly clock: Clock,
    private readonly scene: Scene,
  ) {
    this.run = runs[0].run;
    this.ghosts = runs.slice(1).flatMap(({ run }) => (run.about.scene && !("spatial" in run.about.scene) ? [{ run, scene: run.about.scene }] : []));
    this.motion = this.bounds();
    this.room = this.shortestWay();
    this.forceSize = this.typicalForce();
    this.impulseSize = Math.max(0, ...this.run.about.events.map((e) => Math.abs(e.impulse_n)));
    this.node = element("div", { class: "scene-box" }, this.canvas, sceneTools(this.canvas, clock, () => this.draw()));
    this.listen();
    onResize(this.canvas, () => {
      this.fit();
      this.draw();
    });
    clock.onMove(() => this.draw());
    // Tests and scripts read from here where a body is drawn.
    Object.assign(this.node, { bodyPlace: (i: number) => [...this.bodyAt(this.run, this.scene, i), 0] });
  }

  private bodyAt(run: Run, scene: Scene, i: number): Point {
    const body = scene.bodies[i];
    return [run.read(body.x, this.clock.t), run.read(body.y, this.clock.t)];
  }

  /** Where a point of a body is at time t, global coordinates. */
  private global(place: Place, t: number, run = this.run, scene = this.scene): Point {
    const body = scene.bodies[place.body];
    const [x, y] = [run.read(place.at[0], t), run.read(place.at[1], t)];
    const angle = run.read(body.angle, t);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return [run.read(body.x, t) + c * x - s * y, run.read(body.y, t) + s * x + c * y];
  }

  private bounds(): Box {
    const box: Box = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
    const hold = (x: number, y: number, r = 0): void => {
      if (!Number.isFinite(x) || !Number.isFinite(y)) return;
      box.x0 = Math.min(box.x0, x - r);
      box.x1 = Math.max(box.x1, x + r);
      box.y0 = Math.min(box.y0, y - r);
      box.y1 = Math.max(box.y1, y + r);
    };
    for (const { run, scene } of [{ run: this.run, scene: this.scene }, ...this.ghosts]) {
      const count = Math.min(run.rows, 600);
      for (let k = 0; k < count; ++k) {
        const t = run.t[Math.floor((k * (run.rows - 1)) / Math.max(count - 1, 1))];
        const at = (place: Place): Point => this.global(place, t, run, scene);
        scene.bodies.forEach((body, i) => {
          if (!body.ground) hold(...at({ body: i, at: [0, 0] }));
        });
        for (const shape of scene.shapes) {
          if (shape.kind === "line" || shape.kind === "guide") continue;
          if (shape.points) for (const p of shape.points) hold(...at({ body: shape.place.body, at: p }));
          else hold(...at(shape.place), shape.radius ?? 0);
        }
        for (const rod of scene.rods) for (const p of rod.points) hold(...at({ body: rod.body, at: p }));
        for (const spring of scene.springs) for (const end of spring.ends) hold(...at(end));
      }
    }
    if (!(box.x1 >= box.x0)) return { x0: -1, x1: 1, y0: -1, y1: 1 };
    // What does not move and has no extent is shown as a metre.
    const span = Math.max(box.x1 - box.x0, box.y1 - box.y0) || 1;
    hold(box.x0, box.y0, 0.06 * span);
    hold(box.x1, box.y1, 0.06 * span);
    return box;
  }

  /** The shortest way between two of the unshaped bodies at the start [m]: symbols must not hide each other. */
  private shortestWay(): number {
    const centres = unshaped(this.scene).map((i) => this.global({ body: i, at: [0, 0] }, this.run.t[0]));
    let shortest = Infinity;
    centres.forEach(([x, y], i) => {
      for (const [u, v] of centres.slice(0, i)) {
        const way = Math.hypot(x - u, y - v);
        if (way > 0) shortest = Math.min(shortest, way);
      }
    });
    return shortest;
  }

  /** How large symbols are drawn: 1 where there is room. */
  private symbol(): number {
    return Math.min(1, Math.max(this.room / (28 * this.scale), 0.15));
  }

  /** Nine of ten contact forces are smaller. */
  private typicalForce(): number {
    const forces: number[] = [];
    const step = Math.max(1, Math.floor(this.run.rows / 300));
    for (const contact of this.scene.contacts)
      for (let k = 0; k < this.run.rows; k += step) {
        const normal = this.run.inRow(contact.normal_force, this.run.t[k]);
        if (normal > 0) forces.push(normal);
      }
    if (forces.length === 0)
      for (const reaction of this.scene.reactions)
        for (let k = 0; k < this.run.rows; k += step) {
          const force = Math.hypot(...reaction.force.map((v) => this.run.inRow(v, this.run.t[k])));
          if (force > 0) forces.push(force);
        }
    forces.sort((a, b) => a - b);
    return forces[Math.floor(0.9 * (forces.length - 1))] ?? 0;
  }

  private fit(): void {
    const { x0, x1, y0, y1 } = this.motion;
    const [wide, high] = [Math.max(this.canvas.clientWidth - margin.left, 1), Math.max(this.canvas.clientHeight - margin.bottom, 1)];
    this.scale = Math.max((x1 - x0) / wide, (y1 - y0) / high) * 1.04;
    this.centre = [(x0 + x1) / 2 - (margin.left / 2) * this.scale, (y0 + y1) / 2 - (margin.bottom / 2) * this.scale];
  }

  private pixel([x, y]: Point): Point {
    return [this.width / 2 + (x - this.centre[0]) / this.scale, this.height / 2 - (y - this.centre[1]) / this.scale];
  }

  private listen(): void {
    let from: Point | undefined;
    this.canvas.addEventListener("pointerdown", (e) => {
      from = [e.clientX, e.clientY];
      this.canvas.setPointerCapture(e.pointerId);
    });
    this.canvas.addEventListener("pointermove", (e) => {
      if (!from) return;
      this.centre[0] -= (e.clientX - from[0]) * this.scale;
      this.centre[1] += (e.clientY - from[1]) * this.scale;
      from = [e.clientX, e.clientY];
      this.draw();
    });
    for (const end of ["pointerup", "pointercancel"] as const) this.canvas.addEventListener(end, () => (from = undefined));
    this.canvas.addEventListener("dblclick", () => {
      this.fit();
      this.draw();
    });
    this.canvas.addEventListener(
      "wheel",
      (e) => {
        if (!e.ctrlKey) return; // the page scrolls
        e.preventDefault();
        this.scale *= Math.exp(Math.sign(e.deltaY) * 0.15);
        this.draw();
      },
      { passive: false },
    );
  }

  private draw(): void {
    [this.c, this.width, this.height] = cleared(this.canvas);
    if (this.width < 60 || this.height < 60) return;
    const t = this.clock.t;
    this.grid();
    // Of several runs each has the colour of its curves.
    const several = this.ghosts.length > 0;
    this.ghosts.forEach((ghost, i) => {
      this.c.globalAlpha = 0.4;
      this.bodies(ghost.run, ghost.scene, t, curveColours[(i + 1) % curveColours.length]);
    });
    this.c.globalAlpha = 1;
    for (const spring of this.scene.springs) this.spring(spring.ends.map((end) => this.global(end, t)) as [Point, Point]);
    this.bodies(this.run, this.scene, t, several ? curveColours[0] : undefined);
    for (const shape of this.scene.shapes) if (shape.kind === "pin") this.dot(this.global(shape.place, t), 3.5, colour("ink"));
    for (const reaction of this.scene.reactions) this.arrow(this.global(reaction.place, t), reaction.force.map((v) => this.run.inRow(v, t)) as Point, this.forceSize, colour("soft"));
    for (const contact of this.scene.contacts) this.force(contact, t);
    this.impulses(t);
    this.names(t);
    this.scaleBar();
  }

  /** Lines at round coordinates, with their numbers at the left and at the bottom. */
  private grid(): void {
    const { c, width, height } = this;
    const [left, right] = [this.centre[0] - (width / 2) * this.scale, this.centre[0] + (width / 2) * this.scale];
    const [low, high] = [this.centre[1] - (height / 2) * this.scale, this.centre[1] + (height / 2) * this.scale];
    const step = (count: number): number[] => ticks(left, right, count);
    const every = step(Math.max(width / 90, 2));
    const cell = every.length > 1 ? every[1] - every[0] : 1;
    const number = (v: number): string => String(Number(v.toPrecision(6)));
    c.lineWidth = 1;
    c.strokeStyle = colour("line");
    c.fillStyle = colour("soft");
    c.textBaseline = "alphabetic";
    c.textAlign = "center";
    for (const x of every) {
      const px = this.pixel([x, 0])[0];
      if (px < margin.left) continue;
      this.path([[px, 0], [px, height - margin.bottom]], false);
      if (px < width - 50) c.fillText(number(x), px, height - 7);
    }
    c.textAlign = "right";
    for (let k = Math.ceil(low / cell); k * cell <= high; ++k) {
      const py = this.pixel([0, k * cell])[1];
      if (py > height - margin.bottom) continue;
      this.path([[margin.left, py], [width, py]], false);
      if (py > 12) c.fillText(number(k * cell), margin.left - 5, py + 4);
    }
    c.fillText("x [m]", width - 4, height - 7);
    c.textAlign = "left";
    c.fillText("y [m]", 4, 12);
  }

  private path(points: Point[], closed: boolean, fill?: string): void {
    const { c } = this;
    c.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? c.moveTo(x, y) : c.lineTo(x, y)));
    if (closed) c.closePath();
    if (fill) {
      const alpha = c.globalAlpha;
      c.globalAlpha = alpha * 0.28;
      c.fillStyle = fill;
      c.fill();
      c.globalAlpha = alpha;
    }
    c.stroke();
  }

  private bodies(run: Run, scene: Scene, t: number, ofRun?: string): void {
    const { c } = this;
    const ofBody = (i: number): string => colour(scene.bodies[i].ground ? "soft" : (ofRun ?? curveColours[(i - 1) % curveColours.length]));
    const at = (body: number, points: Point[]): Point[] => points.map((p) => this.pixel(this.global({ body, at: p }, t, run, scene)));
    c.lineJoin = "round";
    c.lineCap = "round";
    for (const shape of scene.shapes) {
      this.shape(shape, ofBody(shape.place.body), t, run, scene);
    }
    for (const rod of scene.rods) {
      c.strokeStyle = ofBody(rod.body);
      c.lineWidth = 5;
      this.path(at(rod.body, rod.points), false);
    }
    for (const i of unshaped(scene)) {
      c.strokeStyle = ofBody(i);
      c.lineWidth = 2;
      const [a, b] = [13 * this.symbol() * this.scale, 9 * this.symbol() * this.scale];
      this.path(at(i, [[-a, -b], [a, -b], [a, b], [-a, b]]), true, ofBody(i));
    }
  }

  private shape(shape: Shape, name: string, t: number, run: Run, scene: Scene): void {
    const { c } = this;
    const centre = this.global(shape.place, t, run, scene);
    const [px, py] = this.pixel(centre);
    const angle = run.read(scene.bodies[shape.place.body].angle, t);
    c.strokeStyle = name;
    c.lineWidth = 2;
    if (shape.kind === "circle" || shape.kind === "hollow") {
      const r = (shape.radius ?? 0) / this.scale;
      if (r < 2) {
        this.dot(centre, 4, name);
        return;
      }
      c.beginPath();
      c.arc(px, py, r, 0, 2 * Math.PI);
      if (shape.kind === "circle") {
        const alpha = c.globalAlpha;
        c.globalAlpha = alpha * 0.28;
        c.fillStyle = name;
        c.fill();
        c.globalAlpha = alpha;
      }
      c.stroke();
      // A radius shows the turning.
      if (shape.kind === "circle") this.path([[px, py], [px + r * Math.cos(angle), py - r * Math.sin(angle)]], false);
    } else if (shape.points) {
      const corners = shape.points.map((p) => this.pixel(this.global({ body: shape.place.body, at: p }, t, run, scene)));
      this.path(corners, true, corners.length > 2 ? name : undefined);
    } else if (shape.kind === "line" || shape.kind === "guide") {
      const [nx, ny] = shape.normal ?? [0, 1];
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      // On the screen y points down.
      const n: Point = [cos * nx - sin * ny, -(sin * nx + cos * ny)];
      const far = shape.kind === "line" ? 2 * (this.width + this.height) + Math.hypot(px, py) : this.width + this.height;
      const ends: Point[] = [[px + far * n[1], py - far * n[0]], [px - far * n[1], py + far * n[0]]];
      c.strokeStyle = colour("soft");
      c.lineWidth = shape.kind === "line" ? 2 : 1;
      this.path(ends, false);
      if (shape.kind === "guide") return;
      // The side that bodies cannot enter.
      const deep = 2 * far;
      c.lineWidth = 0.001;
      const alpha = c.globalAlpha;
      c.globalAlpha = alpha * 0.45;
      this.path([ends[0], ends[1], [ends[1][0] - deep * n[0], ends[1][1] - deep * n[1]], [ends[0][0] - deep * n[0], ends[0][1] - deep * n[1]]], true, colour("soft"));
      c.globalAlpha = alpha;
    } else if (shape.kind === "point") {
      this.dot(centre, 4, name);
    }
  }

  private dot(at: Point, radius: number, fill: string): void {
    const [x, y] = this.pixel(at);
    this.c.fillStyle = fill;
    this.c.beginPath();
    this.c.arc(x, y, radius, 0, 2 * Math.PI);
    this.c.fill();
  }

  /** A zigzag with the same number of turns at every length. */
  private spring(ends: [Point, Point]): void {
    const [a, b] = ends.map((end) => this.pixel(end));
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(dx, dy);
    const [nx, ny] = length > 0 ? [-dy / length, dx / length] : [0, 0];
    const points: Point[] = [a];
    const turns = 8;
    for (let k = 0; k <= 2 * turns; ++k) {
      const s = 0.15 + (0.7 * k) / (2 * turns);
      const w = k === 0 || k === 2 * turns ? 0 : (k % 2 ? 5 : -5) * this.symbol();
      points.push([a[0] + s * dx + w * nx, a[1] + s * dy + w * ny]);
    }
    points.push(b);
    this.c.strokeStyle = colour("soft");
    this.c.lineWidth = 1.3;
    this.path(points, false);
  }

  /** An arrow whose length is `length` px for a vector of size `unit`, longer ones up to twice that. */
  private arrow(at: Point, vector: Point, unit: number, stroke: string, width = 2): void {
    const size = Math.hypot(...vector);
    if (!(size > 0.004 * unit) || !(unit > 0)) return;
    const most = 0.22 * Math.min(this.width, this.height);
    const length = Math.min((size / unit) * most, 2 * most);
    const [ux, uy] = [vector[0] / size, -vector[1] / size];
    const [x, y] = this.pixel(at);
    const tip: Point = [x + length * ux, y + length * uy];
    const head = Math.min(9, 0.5 * length);
    const { c } = this;
    c.strokeStyle = c.fillStyle = stroke;
    c.lineWidth = width;
    this.path([[x, y], [tip[0] - 0.7 * head * ux, tip[1] - 0.7 * head * uy]], false);
    c.beginPath();
    c.moveTo(...tip);
    c.lineTo(tip[0] - head * ux - 0.45 * head * uy, tip[1] - head * uy + 0.45 * head * ux);
    c.lineTo(tip[0] - head * ux + 0.45 * head * uy, tip[1] - head * uy - 0.45 * head * ux);
    c.fill();
  }

  private placeOf(contact: SceneContact, t: number): { point: Point; normal: Point; tangent: Point } | undefined {
    const [point, normal, tangent] = [contact.point, contact.normal, contact.tangent].map((part) => part.map((v) => this.run.inRow(v, t)) as Point);
    return [...point, ...normal, ...tangent].every(Number.isFinite) ? { point, normal, tangent } : undefined;
  }

  /** The force on the second body, in the cone it must stay in. */
  private force(contact: SceneContact, t: number): void {
    const place = this.placeOf(contact, t);
    const along = this.run.inRow(contact.normal_force, t);
    if (!place || !(along > 0)) return;
    const { point, normal, tangent } = place;
    const across = this.run.inRow(contact.friction, t) || 0;
    if (contact.mu > 0) {
      const [x, y] = this.pixel(point);
      const length = 0.16 * Math.min(this.width, this.height);
      const edge = (sign: number): Point => {
        const [u, v] = [normal[0] + sign * contact.mu * tangent[0], normal[1] + sign * contact.mu * tangent[1]];
        const size = Math.hypot(u, v);
        return [x + (length * u) / size, y - (length * v) / size];
      };
      this.c.strokeStyle = colour("c2");
      this.c.lineWidth = 0.5;
      this.path([[x, y], edge(1), edge(-1)], true, colour("c2"));
    }
    this.arrow(point, [along * normal[0] + across * tangent[0], along * normal[1] + across * tangent[1]], this.forceSize, colour("ink"));
  }

  /** Impulses of the impacts at this moment, and fading for a fifth of a second after. */
  private impulses(t: number): void {
    const fade = 0.2 * this.clock.speed;
    for (const event of this.run.about.events) {
      const age = t - event.t;
      if (event.impulse_n === 0 || age < 0 || age > (this.clock.playing ? fade : 0)) continue;
      const contact = this.scene.contacts.find((c) => c.name === event.element);
      const place = contact && this.placeOf(contact, event.t);
      if (!place) continue;
      const { point, normal, tangent } = place;
      this.c.globalAlpha = this.clock.playing ? 1 - age / fade : 1;
      const impulse: Point = [event.impulse_n * normal[0] + event.impulse_t * tangent[0], event.impulse_n * normal[1] + event.impulse_t * tangent[1]];
      this.arrow(point, impulse, this.impulseSize, colour("c1"), 4);
      this.c.globalAlpha = 1;
    }
  }

  private names(t: number): void {
    const free = this.scene.bodies.map((_, i) => i).filter((i) => i > 0);
    if (free.length > mostNames) return;
    const { c } = this;
    c.textAlign = "center";
    c.textBaseline = "middle";
    const taken: Point[] = [];
    // A name stands in its body, or above one that is a dot.
    const dots = new Set(this.scene.shapes.filter((s) => !s.points && (s.kind === "point" || s.kind === "circle") && (s.radius ?? 0) < 6 * this.scale).map((s) => s.place.body));
    for (const i of free) {
      const [x, centre] = this.pixel(this.global({ body: i, at: [0, 0] }, t));
      const y = dots.has(i) ? centre - 14 : centre;
      if (taken.some(([a, b]) => Math.abs(a - x) < 40 && Math.abs(b - y) < 13)) continue;
      taken.push([x, y]);
      c.lineWidth = 3;
      c.strokeStyle = colour("paper");
      c.strokeText(this.scene.bodies[i].name, x, y);
      c.fillStyle = colour("ink");
      c.fillText(this.scene.bodies[i].name, x, y);
    }
  }

  private scaleBar(): void {
    const most = 120 * this.scale;
    const power = 10 ** Math.floor(Math.log10(most));
    const length = Number(((most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1) * power).toPrecision(1));
    const wide = length / this.scale;
    const [x, y] = [this.width - wide - 14, this.height - margin.bottom - 12];
    const { c } = this;
    c.strokeStyle = c.fillStyle = colour("ink");
    c.lineWidth = 2;
    this.path([[x, y - 3], [x, y], [x + wide, y], [x + wide, y - 3]], false);
    c.textAlign = "center";
    c.textBaseline = "bottom";
    c.fillText(`${length} m`, x + wide / 2, y - 3);
    if (this.scene.contacts.length + this.scene.reactions.length > 0 && this.forceSize > 0) {
      c.textAlign = "left";
      c.textBaseline = "alphabetic";
      c.fillStyle = colour("soft");
      const long = Math.round(0.22 * Math.min(this.width, this.height));
      c.fillText(`force arrows: ${long} px are ${Number(this.forceSize.toPrecision(2))} N`, 44, 12);
    }
  }
}
