// The mechanism as hstar describes it, drawn with three.js and moved by the recorded coordinates.
// Planar scenes are seen along -z with an orthographic camera; drag moves, the wheel zooms.
import * as THREE from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { Clock } from "./clock";
import { colour, curveColours, element, onResize } from "./dom";
import { Place, Run, Scene, Shape } from "./run";

interface Box {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

export class View {
  readonly node: HTMLElement;
  private readonly canvas = element("canvas", { class: "scene", "aria-label": "the mechanism" });
  private readonly scene: Scene;
  private renderer: THREE.WebGLRenderer | undefined;
  private world = new THREE.Scene();
  private readonly camera = new THREE.OrthographicCamera(-1, 1, 1, -1, -100, 100);
  private groups: THREE.Group[] = [];
  private springs: { line: Line2; ends: [Place, Place] }[] = [];
  private materials: LineMaterial[] = [];
  private readonly motion: Box; // what the picture must hold
  private readonly size: number; // a length of the scene, m
  private centre: [number, number] = [0, 0];
  private scale = 1; // metres a pixel

  constructor(
    private readonly run: Run,
    private readonly clock: Clock,
    scene: Scene,
  ) {
    this.scene = scene;
    this.motion = this.bounds();
    this.size = Math.max(this.motion.x1 - this.motion.x0, this.motion.y1 - this.motion.y0, 1e-9);
    this.node = element("div", { class: "scene-box" }, this.canvas);
    try {
      this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true });
    } catch {
      this.node.append(element("p", { class: "soft no-webgl" }, "This browser cannot draw the scene (no WebGL); everything else works."));
      return;
    }
    this.build();
    this.listen();
    onResize(this.canvas, () => {
      this.build();
      this.fit();
      this.draw();
    });
    clock.onMove(() => this.draw());
    // Tests and scripts read from here where a body is drawn.
    Object.assign(this.node, { bodyPlace: (i: number) => this.groups[i].position.toArray() });
  }

  /** Where a point of a body is at time t, global coordinates. */
  private global(place: Place, t: number): [number, number] {
    const body = this.scene.bodies[place.body];
    const [x, y] = [this.run.read(place.at[0], t), this.run.read(place.at[1], t)];
    const angle = this.run.read(body.angle, t);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return [this.run.read(body.x, t) + c * x - s * y, this.run.read(body.y, t) + s * x + c * y];
  }

  private bounds(): Box {
    const box: Box = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
    const hold = (x: number, y: number, r = 0): void => {
      box.x0 = Math.min(box.x0, x - r);
      box.x1 = Math.max(box.x1, x + r);
      box.y0 = Math.min(box.y0, y - r);
      box.y1 = Math.max(box.y1, y + r);
    };
    const count = Math.min(this.run.rows, 600);
    for (let k = 0; k < count; ++k) {
      const t = this.run.t[Math.floor((k * (this.run.rows - 1)) / Math.max(count - 1, 1))];
      this.scene.bodies.forEach((body, i) => {
        if (!body.ground) hold(...this.global({ body: i, at: [0, 0] }, t));
      });
      for (const shape of this.scene.shapes) {
        if (shape.kind === "line") continue;
        if (shape.points) for (const p of shape.points) hold(...this.global({ body: shape.place.body, at: p }, t));
        else hold(...this.global(shape.place, t), shape.radius ?? 0);
      }
      for (const rod of this.scene.rods) for (const p of rod.points) hold(...this.global({ body: rod.body, at: p }, t));
      for (const spring of this.scene.springs) for (const end of spring.ends) hold(...this.global(end, t));
    }
    if (!(box.x1 >= box.x0)) return { x0: -1, x1: 1, y0: -1, y1: 1 };
    const span = Math.max(box.x1 - box.x0, box.y1 - box.y0, 1e-9);
    hold(box.x0, box.y0, 0.06 * span);
    hold(box.x1, box.y1, 0.06 * span);
    return box;
  }

  private fit(): void {
    const { x0, x1, y0, y1 } = this.motion;
    this.centre = [(x0 + x1) / 2, (y0 + y1) / 2];
    this.scale = Math.max((x1 - x0) / Math.max(this.canvas.clientWidth, 1), (y1 - y0) / Math.max(this.canvas.clientHeight, 1)) * 1.08;
  }

  private line(points: number[], name: string, width: number): Line2 {
    const material = new LineMaterial({ color: new THREE.Color(colour(name)), linewidth: width });
    this.materials.push(material);
    const geometry = new LineGeometry();
    geometry.setPositions(points);
    return new Line2(geometry, material);
  }

  private fill(geometry: THREE.BufferGeometry, name: string, opacity = 0.25): THREE.Mesh {
    const material = new THREE.MeshBasicMaterial({ color: new THREE.Color(colour(name)), transparent: opacity < 1, opacity, side: THREE.DoubleSide });
    return new THREE.Mesh(geometry, material);
  }

  /** Everything in body coordinates, one group a body. */
  private build(): void {
    this.world = new THREE.Scene();
    this.materials = [];
    this.springs = [];
    this.groups = this.scene.bodies.map(() => new THREE.Group());
    this.groups.forEach((group) => this.world.add(group));
    const ofBody = (i: number): string => (this.scene.bodies[i].ground ? "soft" : curveColours[(i - 1) % curveColours.length]);

    const drawn = new Set<number>();
    for (const shape of this.scene.shapes) {
      if (shape.kind === "circle" || shape.kind === "polygon") drawn.add(shape.place.body);
      this.groups[shape.place.body].add(...this.shape(shape, ofBody(shape.place.body)));
    }
    for (const rod of this.scene.rods) {
      drawn.add(rod.body);
      const flat: number[] = [];
      for (const [x, y] of rod.points) flat.push(x, y, 0);
      this.groups[rod.body].add(this.line(flat, ofBody(rod.body), 5));
    }
    // A body of which nothing is known but its centre: a block.
    this.scene.bodies.forEach((body, i) => {
      if (body.ground || drawn.has(i)) return;
      const a = 0.035 * this.size;
      this.groups[i].add(this.fill(new THREE.PlaneGeometry(2 * a, 1.4 * a), ofBody(i)));
      this.groups[i].add(this.line([-a, -0.7 * a, 0, a, -0.7 * a, 0, a, 0.7 * a, 0, -a, 0.7 * a, 0, -a, -0.7 * a, 0], ofBody(i), 2));
    });
    for (const spring of this.scene.springs) {
      const line = this.line([0, 0, 0, 1, 0, 0], "soft", 1.5);
      line.frustumCulled = false;
      this.world.add(line);
      this.springs.push({ line, ends: spring.ends });
    }
  }

  private shape(shape: Shape, name: string): THREE.Object3D[] {
    const [x, y] = shape.place.at.map((v) => (typeof v === "number" ? v : this.run.column(v.column)[0]));
    const out: THREE.Object3D[] = [];
    const ring = (r: number): number[] => {
      const points: number[] = [];
      for (let k = 0; k <= 64; ++k) points.push(x + r * Math.cos((k * Math.PI) / 32), y + r * Math.sin((k * Math.PI) / 32), 0);
      return points;
    };
    if (shape.kind === "circle" || shape.kind === "hollow") {
      const r = shape.radius ?? 0;
      if (shape.kind === "circle") {
        const disc = this.fill(new THREE.CircleGeometry(r, 64), name);
        disc.position.set(x, y, -0.1);
        out.push(disc, this.line([x, y, 0, x + r, y, 0], name, 1)); // a radius shows the turning
      }
      out.push(this.line(ring(r), name, 2));
    } else if (shape.kind === "polygon" && shape.points) {
      const outline = new THREE.Shape(shape.points.map(([px, py]) => new THREE.Vector2(px, py)));
      const closed = [...shape.points, shape.points[0]];
      out.push(this.fill(new THREE.ShapeGeometry(outline), name), this.line(closed.flatMap(([px, py]) => [px, py, 0.05]), name, 2));
    } else if (shape.kind === "line" || shape.kind === "guide") {
      const [nx, ny] = shape.normal ?? [0, 1];
      const far = shape.kind === "line" ? 20 * this.size : 1.5 * this.size;
      const wall = shape.kind === "line";
      out.push(this.line([x - far * ny, y + far * nx, -0.2, x + far * ny, y - far * nx, -0.2], "soft", wall ? 2 : 1));
      if (wall) {
        const depth = 20 * this.size;
        const solid = this.fill(new THREE.PlaneGeometry(2 * far, depth), "soft", 0.12);
        solid.position.set(x - (nx * depth) / 2, y - (ny * depth) / 2, -0.3);
        solid.rotation.z = Math.atan2(ny, nx) - Math.PI / 2;
        out.push(solid);
      }
    } else {
      const r = 0.008 * this.size;
      const dot = this.fill(new THREE.CircleGeometry(r, 24), shape.kind === "pin" ? "ink" : name, 1);
      dot.position.set(x, y, 0.2);
      out.push(dot);
    }
    return out;
  }

  private listen(): void {
    let from: [number, number] | undefined;
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
    this.canvas.addEventListener("pointerup", () => (from = undefined));
    this.canvas.addEventListener("dblclick", () => {
      this.fit();
      this.draw();
    });
    this.canvas.addEventListener(
      "wheel",
      (e) => {
        e.preventDefault();
        this.scale *= Math.exp(Math.sign(e.deltaY) * 0.15);
        this.draw();
      },
      { passive: false },
    );
  }

  private draw(): void {
    const renderer = this.renderer;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (!renderer || width < 20 || height < 20) return;
    const t = this.clock.t;
    this.scene.bodies.forEach((body, i) => {
      this.groups[i].position.set(this.run.read(body.x, t), this.run.read(body.y, t), 0);
      this.groups[i].rotation.z = this.run.read(body.angle, t);
    });
    for (const spring of this.springs) {
      const [a, b] = spring.ends.map((end) => this.global(end, t));
      (spring.line.geometry as LineGeometry).setPositions(coil(a, b, 0.012 * this.size));
    }
    renderer.setPixelRatio(devicePixelRatio || 1);
    renderer.setSize(width, height, false);
    for (const material of this.materials) material.resolution.set(width, height);
    this.camera.left = this.centre[0] - (width / 2) * this.scale;
    this.camera.right = this.centre[0] + (width / 2) * this.scale;
    this.camera.top = this.centre[1] + (height / 2) * this.scale;
    this.camera.bottom = this.centre[1] - (height / 2) * this.scale;
    this.camera.updateProjectionMatrix();
    renderer.render(this.world, this.camera);
  }
}

/** A zigzag from a to b with the same number of turns at every length. */
function coil(a: [number, number], b: [number, number], width: number): number[] {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy);
  const [nx, ny] = length > 0 ? [-dy / length, dx / length] : [0, 0];
  const points = [a[0], a[1], 0.1];
  const turns = 10;
  for (let k = 0; k <= 2 * turns; ++k) {
    const s = 0.15 + (0.7 * k) / (2 * turns);
    const w = k === 0 || k === 2 * turns ? 0 : k % 2 ? width : -width;
    points.push(a[0] + s * dx + w * nx, a[1] + s * dy + w * ny, 0.1);
  }
  points.push(b[0], b[1], 0.1);
  return points;
}
