// The page of one run, or of several that are compared: mechanism and plots side by side, the timeline under them,
// tables below. The first run is the one whose events and tables are shown.
import "./style.css";
import { readAddress, writeAddress } from "./address";
import { Clock, speeds } from "./clock";
import { element, setTheme, short } from "./dom";
import { Packed } from "./packed";
import { NamedRun, Plot } from "./plots";
import { pick } from "./picker";
import { EventRow, Run } from "./run";
import { SpatialView } from "./spatial_view";
import { differences, EventTable, extremes, pairs } from "./tables";
import { Timeline } from "./timeline";
import { View } from "./view";
import { frictionChart, phasePlane } from "./xy";

const firstPanels = 6; // shown without being asked for

async function start(): Promise<void> {
  const texts = [...document.querySelectorAll("script.run")].map((node) => node.textContent!.trim());
  const packed = await Promise.all(texts.map((text) => Packed.read(text)));
  const runs = packed.map((p) => {
    const run = new Run(p);
    return { run, label: packed.length > 1 ? run.about.label || run.about.title : "" };
  });
  new Page(runs).show();
}

class Page {
  private readonly run: Run;
  private readonly clock: Clock;
  private readonly table: EventTable;
  private readonly timeline: Timeline;
  private readonly plots: Plot[] = [];
  private readonly others: number[][]; // panels that are not drawn yet
  private readonly plotList = element("div", { class: "plots" });

  constructor(private readonly runs: NamedRun[]) {
    this.run = runs[0].run;
    const seen = readAddress();
    this.clock = new Clock(Math.min(...runs.map((r) => r.run.t0)), Math.max(...runs.map((r) => r.run.t1)));
    if (seen.window) this.clock.window = seen.window;
    this.clock.t = Math.min(Math.max(seen.t ?? this.clock.t0, this.clock.t0), this.clock.t1);
    const choose = (event: EventRow): void => this.choose(event);
    this.table = new EventTable(this.run, this.clock, choose);
    this.timeline = new Timeline(this.run, this.clock, choose);
    const wanted = (seen.plots ?? []).map((names) => names.map((name) => this.run.find(name)).filter((c) => c !== undefined)).filter((panel) => panel.length > 0);
    const panels = wanted.length > 0 ? wanted : this.run.about.panels.map((panel) => [...panel]);
    const drawn = wanted.length > 0 ? panels.length : firstPanels;
    this.others = panels.slice(drawn);
    for (const panel of panels.slice(0, drawn)) this.addPlot(panel);
  }

  show(): void {
    const { run, clock } = this;
    const { about } = run;
    const top = element("div", { class: "top" });
    if (about.scene === null || run.rows === 0) top.classList.add("no-scene");
    else if ("spatial" in about.scene) top.append(new SpatialView(this.runs, clock, about.scene).node);
    else top.append(new View(this.runs, clock, about.scene).node);
    const still = clock.t1 === clock.t0; // a model before it runs
    if (still) top.classList.add("still");
    else if (run.rows > 0) {
      this.plotList.append(this.moreButtons());
      top.append(this.plotList);
    }
    const cards = element("div", { class: "cards" });
    if (this.runs.length > 1) cards.append(differences(this.runs));
    if (!still) cards.append(this.table.node);
    if (!still && run.rows > 0 && about.shown > 2) cards.append(phasePlane(run, clock));
    if (!still && run.rows > 0 && about.friction.length > 0) cards.append(frictionChart(run, clock));
    if (about.extremes.length > 0) cards.append(extremes(run));
    cards.append(pairs("Final state", about.final_state), pairs("Options", about.options), pairs("Counters", about.counters));
    if (about.model_text) cards.append(element("section", { class: "card wide" }, element("h2", {}, `Model: ${about.model_file}`), element("pre", {}, about.model_text)));

    document
      .getElementById("page")!
      .replaceChildren(
        this.heading(),
        top,
        ...(still ? [] : [element("div", { class: "dock" }, this.controls(), this.timeline.node)]),
        cards,
        element(
          "footer",
          { class: "soft" },
          `${about.program}, model hash ${about.model_hash}. Keys: space plays, n and p go to the next and the previous event, b shows the other side of it, arrows move, w shows the whole run, l plays it again and again. In plots: drag zooms, Shift moves, Ctrl with the wheel zooms, a double click shows everything.`,
        ),
      );
    document.addEventListener("keydown", (e) => this.keyboard(e));
    clock.onMove(() => clock.playing || this.remember());
    clock.onZoom(() => this.remember());
    requestAnimationFrame(() => clock.goTo(clock.t));
  }

  private choose(event: EventRow): void {
    this.clock.pause();
    this.clock.goTo(event.t);
    const [a, b] = this.clock.window;
    if (event.t < a || event.t > b) this.clock.wholeRun();
    this.table.select(event);
  }

  private remember(): void {
    const { clock } = this;
    writeAddress(() => ({
      t: clock.t,
      window: clock.window[0] > clock.t0 || clock.window[1] < clock.t1 ? clock.window : undefined,
      plots: this.plots.map((plot) => plot.columns.map((c) => this.run.name(c))),
    }));
  }

  private heading(): HTMLElement {
    const { about } = this.run;
    const badge = (run: Run, label: string): HTMLElement => {
      const { outcome } = run.about;
      return element("span", { class: outcome.success ? "badge" : "badge short" }, `${label ? `${label}: ` : ""}${outcome.status.replaceAll("_", " ")} at t = ${short(outcome.t)} s`);
    };
    const theme = element("button", { class: "theme", title: "light or dark", "aria-label": "light or dark" }, "◐");
    let dark = matchMedia("(prefers-color-scheme: dark)").matches;
    theme.addEventListener("click", () => setTheme((dark = !dark) ? "dark" : "light"));
    const node = element("header", {}, theme, element("h1", {}, about.title));
    const outcomes = element("p", {});
    if (this.clock.t1 > this.clock.t0) for (const { run, label } of this.runs) outcomes.append(badge(run, label), " ");
    if (this.runs.length === 1 && this.clock.t1 > this.clock.t0) outcomes.append(element("span", { class: "soft" }, about.summary));
    node.append(outcomes);
    if (about.outcome.message) node.append(element("p", {}, about.outcome.message));
    if (about.notices.length > 0) {
      const list = element("ul");
      for (const notice of about.notices) list.append(element("li", {}, notice));
      node.append(element("details", {}, element("summary", {}, `${about.notices.length} notice${about.notices.length === 1 ? "" : "s"}`), list));
    }
    return node;
  }

  private controls(): HTMLElement {
    const { clock, run } = this;
    const button = (text: string, title: string, act: () => void): HTMLButtonElement => {
      const node = element("button", { title, "aria-label": title }, text);
      node.addEventListener("click", act);
      return node;
    };
    const play = element("button", { id: "play", title: "play or pause (space)" }, "play");
    play.addEventListener("click", () => clock.toggle());
    const speed = element("select", { "aria-label": "speed" });
    for (const s of speeds) speed.append(element("option", { value: String(s) }, `× ${s}`));
    speed.value = String(clock.speed);
    speed.addEventListener("change", () => (clock.speed = Number(speed.value)));
    const loop = button("loop", "play the part that is looked at again and again (l)", () => {
      clock.loop = !clock.loop;
      loop.setAttribute("aria-pressed", String(clock.loop));
    });
    loop.id = "loop";
    loop.setAttribute("aria-pressed", "false");
    const now = element("output", { id: "now" });
    const modes = element("span", { id: "modes", class: "soft" });
    clock.onMove(() => {
      play.textContent = clock.playing ? "pause" : "play";
      now.textContent = `t = ${this.timeText(clock.t)} s`;
      modes.textContent = run.about.bands.slice(0, 6).map((band) => `${band.element}: ${modeAt(band.intervals, clock.t)}`).join("   ");
    });
    return element(
      "div",
      { class: "controls" },
      button("‹ event", "event before (p)", () => this.step(-1)),
      play,
      button("event ›", "next event (n)", () => this.step(1)),
      button("|", "just before and just after this event (b)", () => this.otherSide()),
      speed,
      loop,
      button("whole run", "show the whole run (w)", () => clock.wholeRun()),
      now,
      modes,
    );
  }

  /** Six decimals, and all there are at an event: others may be 1e-11 s away. */
  private timeText(t: number): string {
    return this.run.about.events.some((e) => e.t === t) ? String(t) : t.toFixed(6);
  }

  private step(direction: number): void {
    const { events } = this.run.about;
    const found = direction > 0 ? events.find((e) => e.t > this.clock.t) : events.findLast((e) => e.t < this.clock.t);
    if (found) this.choose(found);
  }

  /** From an event to the row just before it, and back. */
  private otherSide(): void {
    const { run, clock } = this;
    const row = run.rowAt(clock.t);
    const event = run.about.events.find((e) => e.t === clock.t);
    if (event) {
      const before = run.t.findLast((t) => t < event.t);
      if (before !== undefined) clock.goTo(Math.max(before, event.t - 1e-9 * (clock.t1 - clock.t0)));
    } else if (row + 1 < run.rows) clock.goTo(run.t[row + 1]);
  }

  private addPlot(columns: number[]): void {
    const plot = new Plot(
      this.runs,
      this.clock,
      columns,
      () => this.remember(),
      (removed) => {
        removed.node.remove();
        this.plots.splice(this.plots.indexOf(removed), 1);
        this.remember();
      },
    );
    this.plots.push(plot);
    const more = this.plotList.querySelector(".more");
    if (more) more.before(plot.node);
    else this.plotList.append(plot.node);
  }

  private moreButtons(): HTMLElement {
    const another = element("button", {}, "+ another plot");
    another.addEventListener("click", () => {
      void pick(this.run, "Plot a quantity").then((column) => {
        if (column === undefined) return;
        this.addPlot([column]);
        this.remember();
      });
    });
    const node = element("p", { class: "more" }, another);
    if (this.others.length > 0) {
      const rest = element("button", {}, `show ${this.others.length} more`);
      rest.addEventListener("click", () => {
        for (const panel of this.others.splice(0)) this.addPlot(panel);
        rest.remove();
      });
      node.append(" ", rest);
    }
    return node;
  }

  private keyboard(e: KeyboardEvent): void {
    if (e.target instanceof HTMLInputElement || e.target instanceof HTMLSelectElement || document.querySelector("dialog[open]") || e.ctrlKey || e.metaKey || e.altKey) return;
    const { clock } = this;
    const onButton = e.target instanceof HTMLButtonElement;
    const hop = (clock.window[1] - clock.window[0]) / (e.shiftKey ? 1000 : 100);
    const actions: Record<string, () => void> = {
      n: () => this.step(1),
      p: () => this.step(-1),
      b: () => this.otherSide(),
      w: () => clock.wholeRun(),
      l: () => document.querySelector<HTMLElement>("#loop")?.click(),
      ArrowRight: () => clock.goTo(clock.t + hop),
      ArrowLeft: () => clock.goTo(clock.t - hop),
      Home: () => clock.goTo(clock.t0),
      End: () => clock.goTo(clock.t1),
    };
    if (!onButton) actions[" "] = () => clock.toggle();
    const action = actions[e.key];
    if (!action) return;
    e.preventDefault();
    action();
  }
}

function modeAt(intervals: [number, number, string][], t: number): string {
  for (let i = intervals.length - 1; i >= 0; --i) if (t >= intervals[i][0]) return intervals[i][2];
  return intervals[0]?.[2] ?? "";
}

void start();
