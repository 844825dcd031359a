// The page of one run: mechanism and plots side by side, the timeline under them, tables below.
import "./style.css";
import { Clock, speeds } from "./clock";
import { element, short } from "./dom";
import { Plot } from "./plots";
import { EventRow, Run } from "./run";
import { EventTable, extremes, pairs } from "./tables";
import { SpatialView } from "./spatial_view";
import { Timeline } from "./timeline";
import { View } from "./view";
import { frictionChart, phasePlane } from "./xy";

const run = new Run();
const { about } = run;
const clock = new Clock(run.t0, run.t1);

function choose(event: EventRow): void {
  clock.pause();
  clock.goTo(event.t);
  const [a, b] = clock.window;
  if (event.t < a || event.t > b) clock.wholeRun();
  table.select(event);
}

const table = new EventTable(run, clock, choose);
const timeline = new Timeline(run, clock, choose);

function heading(): HTMLElement {
  const badge = element("span", { class: about.outcome.success ? "badge" : "badge short" }, `${about.outcome.status.replaceAll("_", " ")} at t = ${short(about.outcome.t)} s`);
  const node = element("header", {}, element("h1", {}, about.title), element("p", {}, badge, " ", element("span", { class: "soft" }, about.summary)));
  if (about.outcome.message) node.append(element("p", {}, about.outcome.message));
  if (about.notices.length > 0) {
    const list = element("ul");
    for (const notice of about.notices) list.append(element("li", {}, notice));
    node.append(element("details", {}, element("summary", {}, `${about.notices.length} notice${about.notices.length === 1 ? "" : "s"}`), list));
  }
  return node;
}

function controls(): HTMLElement {
  const play = element("button", { id: "play", title: "play or pause (space)" }, "play");
  play.addEventListener("click", () => clock.toggle());
  const speed = element("select", { "aria-label": "speed" });
  for (const s of speeds) speed.append(element("option", { value: String(s) }, `× ${s}`));
  speed.value = String(clock.speed);
  speed.addEventListener("change", () => (clock.speed = Number(speed.value)));
  const back = element("button", { title: "event before (p)", "aria-label": "event before" }, "‹ event");
  const next = element("button", { title: "next event (n)", "aria-label": "next event" }, "event ›");
  back.addEventListener("click", () => step(-1));
  next.addEventListener("click", () => step(1));
  const whole = element("button", { title: "show the whole run (w)" }, "whole run");
  whole.addEventListener("click", () => clock.wholeRun());
  const now = element("output", { id: "now" });
  const modes = element("span", { id: "modes", class: "soft" });
  clock.onMove(() => {
    play.textContent = clock.playing ? "pause" : "play";
    now.textContent = `t = ${clock.t.toFixed(6)} s`;
    modes.textContent = about.bands.map((band) => `${band.element}: ${modeAt(band.intervals, clock.t)}`).slice(0, 6).join("   ");
  });
  return element("div", { class: "controls" }, back, play, next, speed, whole, now, modes);
}

function modeAt(intervals: [number, number, string][], t: number): string {
  for (let i = intervals.length - 1; i >= 0; --i) if (t >= intervals[i][0]) return intervals[i][2];
  return intervals[0]?.[2] ?? "";
}

function step(direction: number): void {
  const events = direction > 0 ? about.events : [...about.events].reverse();
  const found = events.find((e) => direction * (e.t - clock.t) > 0);
  if (found) choose(found);
}

function plots(): HTMLElement {
  const list = element("div", { class: "plots" });
  const remove = (plot: Plot): void => plot.node.remove();
  const append = (columns: number[]): void => {
    list.insertBefore(new Plot(run, clock, columns, remove).node, more);
  };
  const more = element("button", { class: "more" }, "+ another plot");
  list.append(more);
  for (const panel of about.panels.slice(0, 12)) append([...panel]);
  more.addEventListener("click", () => append([1]));
  return list;
}

function keyboard(e: KeyboardEvent): void {
  if (e.target instanceof HTMLInputElement || e.target instanceof HTMLSelectElement || e.ctrlKey || e.metaKey || e.altKey) return;
  const onButton = e.target instanceof HTMLButtonElement;
  const hop = (clock.window[1] - clock.window[0]) / (e.shiftKey ? 1000 : 100);
  const actions: Record<string, () => void> = {
    n: () => step(1),
    p: () => step(-1),
    w: () => clock.wholeRun(),
    ArrowRight: () => clock.goTo(clock.t + hop),
    ArrowLeft: () => clock.goTo(clock.t - hop),
    Home: () => clock.goTo(run.t0),
    End: () => clock.goTo(run.t1),
  };
  if (!onButton) actions[" "] = () => clock.toggle();
  const action = actions[e.key];
  if (!action) return;
  e.preventDefault();
  action();
}

const top = element("div", { class: "top" });
if (about.scene === null || run.rows === 0) top.classList.add("no-scene");
else if ("spatial" in about.scene) top.append(new SpatialView(run, clock, about.scene).node);
else top.append(new View(run, clock, about.scene).node);
if (run.rows > 0) top.append(plots());
const cards = element("div", { class: "cards" });
cards.append(table.node);
if (run.rows > 0 && about.shown > 2) cards.append(phasePlane(run, clock));
if (run.rows > 0 && about.friction.length > 0) cards.append(frictionChart(run, clock));
if (about.extremes.length > 0) cards.append(extremes(run));
cards.append(pairs("Final state", about.final_state), pairs("Options", about.options), pairs("Counters", about.counters));
if (about.model_text) cards.append(element("section", { class: "card wide" }, element("h2", {}, `Model: ${about.model_file}`), element("pre", {}, about.model_text)));

document
  .getElementById("page")!
  .replaceChildren(
    heading(),
    top,
    element("div", { class: "dock" }, controls(), timeline.node),
    cards,
    element("footer", { class: "soft" }, `${about.program}, model hash ${about.model_hash}. Keys: space plays, n and p go to the next and the previous event, arrows move, w shows the whole run.`),
  );
document.addEventListener("keydown", keyboard);
requestAnimationFrame(() => clock.goTo(clock.t0));
