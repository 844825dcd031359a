// A spatial mechanism as hstar describes it, drawn with three.js and moved by the recorded positions and Euler
// parameters, with the names of bodies, contact forces in their friction cones and impulses at impacts. Of other runs on
// the page the bodies are drawn as ghosts. Drag turns the view, the right button moves it, Ctrl with the wheel zooms, a
// double click shows everything.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { ConvexGeometry } from "three/examples/jsm/geometries/ConvexGeometry.js";
import { Clock } from "./clock";
import { colour, curveColours, element, onResize } from "./dom";
import type { NamedRun } from "./plots";
import { sceneTools } from "./scene_tools";
import { Point, Run, SpatialContact, SpatialPlace, SpatialScene, SpatialShape } from "./run";

const quaternion = ([e0, e1, e2, e3]: number[]): THREE.Quaternion => new THREE.Quaternion(e1, e2, e3, e0).normalize();
const vector = (p: number[]): THREE.Vector3 => new THREE.Vector3(p[0], p[1], p[2]);

const mostNames = 14; // bodies; more names would hide them

/** What an impact has done: the velocities of bodies jumped by these at time t. */
interface Impulse {
  t: number;
  size: number; // N s
  bodies: { body: number; along: THREE.Vector3 }[];
}

export class SpatialView {
  readonly node: HTMLElement;
  private readonly canvas = element("canvas", { class: "scene", "aria-label": "the mechanism" });
  private readonly scene: SpatialScene;
  private renderer: THREE.WebGLRenderer | undefined;
  private controls: OrbitControls | undefined;
  private world = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
  private groups: THREE.Group[] = [];
  private readonly ghosts: { run: Run; scene: SpatialScene; groups: THREE.Group[] }[];
  private names: { body: number; sprite: THREE.Sprite }[] = [];
  private readonly impulses: Impulse[];
  private struck: THREE.ArrowHelper[] = [];
  private springs: { line: THREE.Line; ends: [SpatialPlace, SpatialPlace] }[] = [];
  private contacts: { of: SpatialContact; arrow: THREE.ArrowHelper; cone: THREE.Mesh }[] = [];
  private forceScale = 1; // metres a newton
  private readonly box: THREE.Box3; // what the picture must hold
  private readonly size: number; // a length of the scene, m
  private readonly up: THREE.Vector3;
  private readonly symbol: number; // size of joints and bars, m

  private readonly run: Run;

  constructor(
    runs: NamedRun[],
    private readonly clock: Clock,
    scene: SpatialScene,
  ) {
    this.run = runs[0].run;
    this.scene = scene;
    this.ghosts = runs.slice(1).flatMap(({ run }) => (run.about.scene && "spatial" in run.about.scene ? [{ run, scene: run.about.scene, groups: [] }] : []));
    this.impulses = this.jumps();
    this.up = vector(scene.up);
    this.box = this.bounds();
    this.size = Math.max(this.box.getSize(new THREE.Vector3()).length() / 2, 1e-9);
    this.symbol = this.symbolSize();
    this.node = element("div", { class: "scene-box" }, this.canvas, sceneTools(this.canvas, clock, () => this.draw()));
    try {
      this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true });
    } catch {
      this.node.append(element("p", { class: "soft no-webgl" }, "This browser cannot draw the scene (no WebGL); everything else works."));
      return;
    }
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.maxPolarAngle = 0.49 * Math.PI; // never below the floor
    this.controls.addEventListener("change", () => this.draw());
    // The wheel and a finger's way up and down belong to the page; Ctrl with the wheel zooms.
    this.node.addEventListener("wheel", (e) => e.ctrlKey || e.stopPropagation(), { capture: true });
    this.canvas.style.touchAction = "pan-y";
    this.canvas.addEventListener("dblclick", () => this.fit());
    this.build();
    this.fit();
    onResize(this.canvas, () => {
      this.build();
      this.fit();
    });
    clock.onMove(() => this.draw());
    // Tests and scripts read from here where a body is drawn and how it is turned.
    Object.assign(this.node, {
      bodyPlace: (i: number) => this.groups[i].position.toArray(),
      bodyTurn: (i: number) => this.groups[i].quaternion.toArray(),
    });
  }

  private position(body: number, t: number, run = this.run, scene = this.scene): THREE.Vector3 {
    return vector(scene.bodies[body].r.map((v) => run.read(v, t)));
  }
  private turn(body: number, t: number, run = this.run, scene = this.scene): THREE.Quaternion {
    return quaternion(scene.bodies[body].p.map((v) => run.read(v, t)));
  }

  /** The impacts of the run. */
  private jumps(): Impulse[] {
    const { run } = this;
    const bodies = this.scene.bodies.flatMap(({ name }, body) => {
      const columns = ["vx", "vy", "vz"].map((v) => run.find(`${name}.${v}`));
      return columns.every((c) => c !== undefined) ? [{ body, columns: columns as number[] }] : [];
    });
    return run.about.events.flatMap((event) => {
      const after = run.rowAt(event.t);
      if (event.impulse_n === 0 || after === 0) return [];
      const struck = bodies
        .map(({ body, columns }) => ({ body, along: vector(columns.map((c) => run.column(c)[after] - run.column(c)[after - 1])) }))
        .filter(({ along }) => along.lengthSq() > 0);
      const most = Math.max(...struck.map(({ along }) => along.length()));
      return [{ t: event.t, size: Math.abs(event.impulse_n), bodies: struck.filter(({ along }) => along.length() > 1e-6 * most) }];
    });
  }
  private global(body: number, at: Point, t: number): THREE.Vector3 {
    return vector(at).applyQuaternion(this.turn(body, t)).add(this.position(body, t));
  }

  private bounds(): THREE.Box3 {
    const box = new THREE.Box3();
    const count = Math.min(this.run.rows, 600);
    for (let k = 0; k < count; ++k) {
      const t = this.run.t[Math.floor((k * (this.run.rows - 1)) / Math.max(count - 1, 1))];
      this.scene.bodies.forEach((body, i) => {
        if (!body.ground) box.expandByPoint(this.position(i, t));
      });
      for (const hinge of this.scene.hinges) box.expandByPoint(this.global(hinge.place.body, hinge.place.at, t));
      for (const rod of this.scene.rods) for (const p of rod.points) box.expandByPoint(this.global(rod.body, p, t));
      for (const spring of this.scene.springs) for (const end of spring.ends) box.expandByPoint(this.global(end.body, end.at, t));
    }
    if (box.isEmpty()) box.expandByPoint(new THREE.Vector3());
    let room = 0;
    for (const shape of this.scene.shapes) {
      const reach = Math.hypot(...shape.at) + shape.radius + Math.hypot(...shape.sides) / 2 + Math.max(0, ...shape.points.map((p) => Math.hypot(...p)));
      if (!this.scene.bodies[shape.body].ground) room = Math.max(room, reach);
    }
    for (const body of this.scene.bodies) if (!body.ground) room = Math.max(room, Math.hypot(...body.box) / 2);
    return box.expandByScalar(room > 0 ? room : 0.5);
  }

  /** A part of the scene, and of the shortest way between two joints of a body: symbols must not hide what they join. */
  private symbolSize(): number {
    let shortest = this.size;
    for (const rod of this.scene.rods)
      rod.points.forEach((p, i) => {
        for (const q of [[0, 0, 0] as Point, ...rod.points.slice(0, i)]) {
          const length = vector(p).distanceTo(vector(q));
          if (length > 1e-6 * this.size) shortest = Math.min(shortest, 3 * length);
        }
      });
    return shortest;
  }

  /** Looks at the middle from the side, a little from above, near enough to fill the picture. */
  private fit(): void {
    if (!this.controls) return;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const sphere = this.box.getBoundingSphere(new THREE.Sphere());
    const aspect = width > 0 && height > 0 ? width / height : 1;
    const half = Math.atan(Math.tan((this.camera.fov * Math.PI) / 360) * Math.min(aspect, 1));
    const side = new THREE.Vector3(1, 0, 0).cross(this.up).lengthSq() > 0.1 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 0, 1);
    const across = side.clone().cross(this.up).normalize();
    const direction = across.multiplyScalar(0.8).addScaledVector(side, 0.35).addScaledVector(this.up, 0.45).normalize();
    this.camera.position.copy(sphere.center).addScaledVector(direction, (0.7 * sphere.radius) / Math.sin(half));
    this.camera.near = sphere.radius / 100;
    this.camera.far = sphere.radius * 100;
    this.controls.target.copy(sphere.center);
    this.controls.update();
    this.draw();
  }

  private solid(geometry: THREE.BufferGeometry, name: string, opacity = 1): THREE.Object3D {
    const material = new THREE.MeshLambertMaterial({ color: new THREE.Color(colour(name)), transparent: opacity < 1, opacity });
    const mesh = new THREE.Mesh(geometry, material);
    const edges = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 30), new THREE.LineBasicMaterial({ color: new THREE.Color(colour(name)) }));
    mesh.add(edges);
    return mesh;
  }

  /** A round bar between two points. */
  private bar(from: THREE.Vector3, to: THREE.Vector3, radius: number, name: string): THREE.Object3D {
    const along = to.clone().sub(from);
    const mesh = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, along.length(), 16), new THREE.MeshLambertMaterial({ color: new THREE.Color(colour(name)) }));
    mesh.position.copy(from).addScaledVector(along, 0.5);
    mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
    return mesh;
  }

  /** Everything in body coordinates, one group a body. */
  private build(): void {
    this.world = new THREE.Scene();
    this.springs = [];
    this.contacts = [];
    this.groups = this.scene.bodies.map(() => new THREE.Group());
    this.groups.forEach((group) => this.world.add(group));
    this.struck = [];
    this.lights();
    this.floor();
    const ofBody = (i: number): string => (this.scene.bodies[i].ground ? "soft" : curveColours[(i - 1) % curveColours.length]);

    for (const rod of this.scene.rods)
      for (const p of rod.points) this.groups[rod.body].add(this.bar(new THREE.Vector3(), vector(p), 0.012 * this.symbol, ofBody(rod.body)));
    const least = 0.02 * this.symbol;
    this.scene.bodies.forEach((body, i) => {
      if (body.ground || this.scene.shapes.some((shape) => shape.body === i && shape.kind !== "point")) return;
      // As large as its mass and inertia say, and never too small to be seen.
      const [a, b, c] = body.box.map((edge) => Math.max(edge, least));
      const block = this.solid(new THREE.BoxGeometry(a, b, c), ofBody(i), 0.55);
      block.quaternion.copy(quaternion(body.box_axes));
      this.groups[i].add(block);
    });
    for (const shape of this.scene.shapes) this.groups[shape.body].add(this.shape(shape, ofBody(shape.body)));
    for (const hinge of this.scene.hinges) {
      const at = vector(hinge.place.at);
      const axis = vector(hinge.axis);
      const group = this.groups[hinge.place.body];
      if (axis.lengthSq() > 0) {
        const half = axis.normalize().multiplyScalar((hinge.kind === "translational" ? 0.25 : 0.07) * this.symbol);
        group.add(this.bar(at.clone().sub(half), at.clone().add(half), (hinge.kind === "translational" ? 0.008 : 0.02) * this.symbol, "ink"));
      } else {
        const ball = new THREE.Mesh(new THREE.SphereGeometry(0.025 * this.symbol, 24, 16), new THREE.MeshLambertMaterial({ color: new THREE.Color(colour("ink")) }));
        ball.position.copy(at);
        group.add(ball);
      }
    }
    this.ghosts.forEach((ghost, i) => this.ghost(ghost, curveColours[(i + 1) % curveColours.length]));
    this.addNames();
    this.paths();
    this.touches();
    for (const spring of this.scene.springs) {
      const line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: new THREE.Color(colour("soft")) }));
      line.frustumCulled = false;
      this.world.add(line);
      this.springs.push({ line, ends: spring.ends });
    }
  }

  /** The bodies of another run, transparent and in its colour. */
  private ghost(ghost: { scene: SpatialScene; groups: THREE.Group[] }, name: string): void {
    ghost.groups = ghost.scene.bodies.map((body, i) => {
      const group = new THREE.Group();
      if (body.ground) return group;
      const shapes = ghost.scene.shapes.filter((shape) => shape.body === i && shape.kind !== "point");
      for (const shape of shapes) group.add(this.shape(shape, name));
      if (shapes.length === 0) group.add(this.solid(new THREE.BoxGeometry(...body.box.map((edge) => Math.max(edge, 0.02 * this.symbol))), name));
      group.traverse((part) => {
        if (!(part instanceof THREE.Mesh)) return;
        part.material.transparent = true;
        part.material.opacity = 0.2;
        part.material.depthWrite = false;
      });
      this.world.add(group);
      return group;
    });
  }

  /** The names of a few bodies, above their centres and always legible. */
  private addNames(): void {
    this.names = [];
    const free = this.scene.bodies.map((_, i) => i).filter((i) => !this.scene.bodies[i].ground);
    if (free.length > mostNames) return;
    for (const body of free) {
      const canvas = document.createElement("canvas");
      const c = canvas.getContext("2d");
      if (!c) return;
      const font = "48px system-ui, sans-serif";
      c.font = font;
      [canvas.width, canvas.height] = [Math.ceil(c.measureText(this.scene.bodies[body].name).width) + 16, 64];
      c.font = font;
      c.textBaseline = "middle";
      c.lineWidth = 10;
      c.lineJoin = "round";
      c.strokeStyle = colour("paper");
      c.strokeText(this.scene.bodies[body].name, 8, 32);
      c.fillStyle = colour("ink");
      c.fillText(this.scene.bodies[body].name, 8, 32);
      const material = new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(canvas), depthTest: false, sizeAttenuation: false });
      const sprite = new THREE.Sprite(material);
      sprite.scale.set((0.035 * canvas.width) / canvas.height, 0.035, 1);
      this.world.add(sprite);
      this.names.push({ body, sprite });
    }
  }

  /** Impulses of the impacts at this moment, and for a fifth of a second after: along the jumps of velocities. */
  private strike(t: number): void {
    for (const arrow of this.struck) this.world.remove(arrow);
    this.struck = [];
    const largest = Math.max(...this.impulses.map(({ size }) => size));
    for (const { t: at, size, bodies } of this.impulses) {
      const age = t - at;
      if (age < 0 || age > (this.clock.playing ? 0.2 * this.clock.speed : 0)) continue;
      const length = Math.max((0.5 * this.size * size) / largest, 0.03 * this.size);
      for (const { body, along } of bodies) {
        const arrow = new THREE.ArrowHelper(along.clone().normalize(), this.position(body, t), length, new THREE.Color(colour("c1")), 0.06 * this.size, 0.04 * this.size);
        for (const part of [arrow.line, arrow.cone]) (part.material as THREE.Material).depthTest = false; // it begins inside the body
        this.struck.push(arrow);
        this.world.add(arrow);
      }
    }
  }

  /** Where the centres of a few bodies run. */
  private paths(): void {
    const free = this.scene.bodies.map((_, i) => i).filter((i) => !this.scene.bodies[i].ground);
    if (free.length > 4 || this.scene.hinges.length > 0) return;
    const step = Math.max(1, Math.floor(this.run.rows / 2000));
    for (const i of free) {
      const points: THREE.Vector3[] = [];
      for (let k = 0; k < this.run.rows; k += step) points.push(this.position(i, this.run.t[k]));
      this.world.add(new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color: new THREE.Color(colour("ink")), transparent: true, opacity: 0.35 })));
    }
  }

  /** Contact forces as arrows, in the friction cones they must stay in. */
  private touches(): void {
    const forces: number[] = [];
    for (const contact of this.scene.contacts)
      for (let k = 0; k < this.run.rows; k += Math.max(1, Math.floor(this.run.rows / 500))) {
        const size = this.force(contact, this.run.t[k])?.length() ?? 0;
        if (size > 0) forces.push(size);
      }
    forces.sort((a, b) => a - b);
    this.forceScale = forces.length > 0 ? (0.3 * this.size) / forces[Math.floor(0.9 * (forces.length - 1))] : 1;
    for (const of of this.scene.contacts) {
      const arrow = new THREE.ArrowHelper(new THREE.Vector3(0, 0, 1), new THREE.Vector3(), 1, new THREE.Color(colour("ink")));
      const height = 0.2 * this.size;
      const radius = Math.min(of.mu * height, 3 * height);
      const geometry = new THREE.ConeGeometry(Math.max(radius, 1e-6), height, 48, 1, true).rotateX(Math.PI).translate(0, height / 2, 0);
      const cone = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ color: new THREE.Color(colour("c2")), transparent: true, opacity: 0.25, side: THREE.DoubleSide, depthWrite: false }));
      this.world.add(arrow, cone);
      this.contacts.push({ of, arrow, cone });
    }
  }

  /** On the second body; undefined while the contact is open. */
  private force(contact: SpatialContact, t: number): THREE.Vector3 | undefined {
    const force = contact.force.map((v) => this.run.inRow(v, t));
    const point = contact.point.map((v) => this.run.inRow(v, t));
    return [...force, ...point].every(Number.isFinite) ? vector(force) : undefined;
  }

  private shape(shape: SpatialShape, name: string): THREE.Object3D {
    const at = vector(shape.at);
    const points = shape.points.map((p) => vector(p).add(at));
    if (shape.kind === "plane") {
      const half = 2.2 * this.size;
      const material = new THREE.MeshBasicMaterial({ color: new THREE.Color(colour("soft")), transparent: true, opacity: 0.15, side: THREE.DoubleSide });
      const sheet = new THREE.Mesh(new THREE.PlaneGeometry(2 * half, 2 * half), material);
      sheet.add(new THREE.LineSegments(new THREE.EdgesGeometry(sheet.geometry), new THREE.LineBasicMaterial({ color: new THREE.Color(colour("soft")) })));
      sheet.position.copy(at);
      sheet.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), vector(shape.normal));
      return sheet;
    }
    if (shape.kind === "box") {
      const box = this.solid(new THREE.BoxGeometry(...shape.sides), name, 0.6);
      box.position.copy(at);
      return box;
    }
    if (shape.kind === "hull") return this.solid(new ConvexGeometry(points), name, 0.6);
    if (shape.kind === "capsule") {
      const [a, b] = points;
      const along = b.clone().sub(a);
      const capsule = this.solid(new THREE.CapsuleGeometry(shape.radius, along.length(), 12, 32), name, 0.6);
      capsule.position.copy(a).addScaledVector(along, 0.5);
      capsule.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
      return capsule;
    }
    const radius = shape.kind === "sphere" ? shape.radius : 0.015 * this.size;
    const ball = this.solid(new THREE.SphereGeometry(radius, 32, 20), name, 0.6);
    // Three circles show how it turns.
    if (shape.kind === "sphere") {
      const circle = new THREE.BufferGeometry().setFromPoints(Array.from({ length: 65 }, (_, k) => new THREE.Vector3(radius * Math.cos((k * Math.PI) / 32), radius * Math.sin((k * Math.PI) / 32), 0)));
      const material = new THREE.LineBasicMaterial({ color: new THREE.Color(colour("ink")) });
      for (const [x, y] of [[0, 0], [Math.PI / 2, 0], [0, Math.PI / 2]]) {
        const line = new THREE.Line(circle, material);
        line.rotation.set(x, y, 0);
        ball.add(line);
      }
    }
    ball.position.copy(at);
    return ball;
  }

  private lights(): void {
    this.world.add(new THREE.HemisphereLight(0xffffff, 0x777777, 2));
    const sun = new THREE.DirectionalLight(0xffffff, 1.5);
    sun.position.copy(this.up).add(new THREE.Vector3(0.4, 0.3, 0.2));
    this.world.add(sun);
  }

  /** A grid below everything, at right angles to gravity, and the global axes in one corner of it. */
  private floor(): void {
    const centre = this.box.getCenter(new THREE.Vector3());
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new THREE.Vector3(k & 1 ? this.box.max.x : this.box.min.x, k & 2 ? this.box.max.y : this.box.min.y, k & 4 ? this.box.max.z : this.box.min.z));
    const lowest = Math.min(...corners.map((c) => c.dot(this.up)));
    const cell = niceLength(this.size / 4);
    const cells = Math.ceil((2.2 * this.size) / cell);
    const grid = new THREE.GridHelper(cells * cell, cells, new THREE.Color(colour("soft")), new THREE.Color(colour("soft")));
    const material = grid.material as THREE.LineBasicMaterial;
    material.transparent = true;
    material.opacity = 0.25;
    grid.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), this.up);
    grid.position.copy(centre).addScaledVector(this.up, lowest - centre.dot(this.up));
    this.world.add(grid);
    const axes = new THREE.AxesHelper(0.2 * this.size);
    this.world.add(axes);
    this.node.querySelector(".scale")?.remove();
    this.node.append(element("span", { class: "scale soft", title: "x red, y green, z blue" }, `grid ${cell} m`));
  }

  private draw(): void {
    const renderer = this.renderer;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (!renderer || width < 20 || height < 20) return;
    const t = this.clock.t;
    this.groups.forEach((group, i) => {
      group.position.copy(this.position(i, t));
      group.quaternion.copy(this.turn(i, t));
    });
    for (const { run, scene, groups } of this.ghosts)
      groups.forEach((group, i) => {
        group.position.copy(this.position(i, t, run, scene));
        group.quaternion.copy(this.turn(i, t, run, scene));
      });
    for (const { body, sprite } of this.names) sprite.position.copy(this.position(body, t));
    this.strike(t);
    for (const spring of this.springs) {
      const [a, b] = spring.ends.map((end) => this.global(end.body, end.at, t));
      spring.line.geometry.setFromPoints(coil(a, b, 0.025 * this.size));
    }
    for (const { of, arrow, cone } of this.contacts) {
      const force = this.force(of, t);
      arrow.visible = cone.visible = force !== undefined;
      if (!force) continue;
      const at = vector(of.point.map((v) => this.run.inRow(v, t)));
      const length = Math.min(force.length() * this.forceScale, this.size);
      arrow.visible = length > 1e-6 * this.size;
      arrow.position.copy(at);
      arrow.setDirection(force.clone().normalize());
      arrow.setLength(Math.max(length, 1e-9), 0.04 * this.size, 0.02 * this.size);
      cone.visible = of.mu > 0;
      cone.position.copy(at);
      cone.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), vector(of.normal.map((v) => this.run.inRow(v, t))).normalize());
    }
    renderer.setPixelRatio(devicePixelRatio || 1);
    renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    renderer.render(this.world, this.camera);
  }
}

/** 1, 2 or 5 times a power of ten, at most x. */
function niceLength(x: number): number {
  const power = Math.pow(10, Math.floor(Math.log10(x)));
  return Number(((x >= 5 * power ? 5 : x >= 2 * power ? 2 : 1) * power).toPrecision(1));
}

/** A helix from a to b with the same number of turns at every length. */
function coil(a: THREE.Vector3, b: THREE.Vector3, radius: number): THREE.Vector3[] {
  const along = b.clone().sub(a);
  const axis = along.clone().normalize();
  const u = new THREE.Vector3(Math.abs(axis.x) < 0.7 ? 1 : 0, Math.abs(axis.x) < 0.7 ? 0 : 1, 0).cross(axis).normalize();
  const w = axis.clone().cross(u);
  const points = [a];
  for (let k = 0; k <= 160; ++k) {
    const angle = (k * 8 * 2 * Math.PI) / 160;
    points.push(a.clone().addScaledVector(along, 0.12 + (0.76 * k) / 160).addScaledVector(u, radius * Math.cos(angle)).addScaledVector(w, radius * Math.sin(angle)));
  }
  points.push(b);
  return points;
}
