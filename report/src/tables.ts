// The event table, sortable, and the plain tables below it.
import { Clock } from "./clock";
import { element, short } from "./dom";
import type { NamedRun } from "./plots";
import { EventRow, Run } from "./run";

type Cell = { key: keyof EventRow; title: string; number?: boolean; exact?: boolean };

const cells: Cell[] = [
  { key: "index", title: "#", number: true, exact: true },
  { key: "t", title: "t [s]", number: true, exact: true },
  { key: "dt_error", title: "error [s]", number: true },
  { key: "kind", title: "kind" },
  { key: "element", title: "element" },
  { key: "before", title: "before" },
  { key: "after", title: "after" },
  { key: "velocity_before", title: "velocity before", number: true },
  { key: "velocity_after", title: "after", number: true },
  { key: "impulse_n", title: "normal impulse [N s]", number: true },
  { key: "impulse_t", title: "tangential [N s]", number: true },
  { key: "energy_loss", title: "energy loss [J]", number: true },
  { key: "note", title: "note" },
];

const mostRows = 2000; // a browser still scrolls this smoothly

export class EventTable {
  readonly node: HTMLElement;
  private readonly body = element("tbody");
  private readonly filter = element("input", { type: "search", placeholder: "filter: kind, element, mode", "aria-label": "filter events" });
  private readonly count = element("span", { class: "soft" });
  private readonly heads: HTMLElement[] = [];
  private order: { key: keyof EventRow; sign: number } = { key: "index", sign: 1 };
  private chosen: EventRow | undefined;

  constructor(
    private readonly run: Run,
    clock: Clock,
    private readonly choose: (event: EventRow) => void,
  ) {
    const row = element("tr");
    for (const cell of cells) {
      const button = element("button", {}, cell.title);
      const head = element("th", cell.number ? { class: "n" } : {}, button);
      button.addEventListener("click", () => this.sortBy(cell.key));
      this.heads.push(head);
      row.append(head);
    }
    this.filter.addEventListener("input", () => this.fill());
    this.node = element(
      "section",
      { class: "card wide", id: "events" },
      element("h2", {}, "Events"),
      element("p", { class: "tools" }, this.filter, " ", this.count),
      element("div", { class: "scroll" }, element("table", {}, element("thead", {}, row), this.body)),
    );
    clock.onMove(() => this.mark(clock.t));
    this.fill();
  }

  select(event: EventRow): void {
    this.chosen = event;
    for (const row of this.body.rows) row.classList.toggle("chosen", row.dataset.index === String(event.index));
    // Scroll the table, not the page: the mechanism stays in sight.
    const row = this.body.querySelector<HTMLElement>(".chosen");
    const box = this.body.closest<HTMLElement>(".scroll");
    if (row && box) box.scrollTop = row.offsetTop - box.clientHeight / 2;
  }

  private mark(t: number): void {
    if (this.chosen && this.chosen.t !== t) {
      this.chosen = undefined;
      this.body.querySelector(".chosen")?.classList.remove("chosen");
    }
  }

  private sortBy(key: keyof EventRow): void {
    this.order = { key, sign: this.order.key === key ? -this.order.sign : 1 };
    this.fill();
  }

  private fill(): void {
    const { key, sign } = this.order;
    const wanted = this.filter.value.toLowerCase();
    const rows = this.run.about.events
      .filter((e) => !wanted || `${e.kind} ${e.element} ${e.before} ${e.after} ${e.note}`.toLowerCase().includes(wanted))
      .sort((a, b) => sign * (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : a.index - b.index));
    this.count.textContent =
      rows.length > mostRows ? `the first ${mostRows} of ${rows.length} (sort or filter to see others)` : `${rows.length} event${rows.length === 1 ? "" : "s"}`;
    this.body.replaceChildren(...rows.slice(0, mostRows).map((e) => this.row(e)));
    this.heads.forEach((head, i) =>
      head.setAttribute("aria-sort", cells[i].key !== key ? "none" : sign > 0 ? "ascending" : "descending"),
    );
  }

  private row(event: EventRow): HTMLTableRowElement {
    const row = element("tr", { "data-index": String(event.index) });
    for (const cell of cells) {
      const value = event[cell.key];
      const text = typeof value === "number" && !cell.exact ? short(value) : String(value);
      row.append(element("td", cell.number ? { class: "n" } : {}, text));
    }
    row.addEventListener("click", () => this.choose(event));
    return row;
  }
}

export function pairs(title: string, rows: [string, string][]): HTMLElement {
  const body = element("tbody");
  for (const [name, value] of rows) body.append(element("tr", {}, element("th", {}, name), element("td", {}, value)));
  return element("section", { class: "card" }, element("h2", {}, title), element("div", { class: "scroll" }, element("table", {}, body)));
}

export function extremes(run: Run): HTMLElement {
  const head = element("tr");
  for (const title of ["quantity", "mode", "smallest", "at t [s]", "largest", "at t [s]"]) head.append(element("th", {}, title));
  const body = element("tbody");
  for (const e of run.about.extremes) {
    const row = element("tr");
    for (const v of [e.measure, e.mode || "all", short(e.min), short(e.t_min), short(e.max), short(e.t_max)]) row.append(element("td", {}, v));
    body.append(row);
  }
  return element("section", { class: "card" }, element("h2", {}, "Extremes"), element("div", { class: "scroll" }, element("table", {}, element("thead", {}, head), body)));
}

/** What the compared runs were told differently, and how each ended. */
export function differences(runs: NamedRun[]): HTMLElement {
  const maps = runs.map(({ run }) => new Map([...run.about.options, ["events", String(run.about.events.length)] as [string, string]]));
  const names = [...new Set(maps.flatMap((m) => [...m.keys()]))].filter((name) => new Set(maps.map((m) => m.get(name))).size > 1);
  const head = element("tr", {}, element("th", {}, ""), ...runs.map(({ label }) => element("th", {}, label)));
  const body = element("tbody");
  for (const name of names) body.append(element("tr", {}, element("th", {}, name), ...maps.map((m) => element("td", {}, m.get(name) ?? ""))));
  if (names.length === 0) body.append(element("tr", {}, element("td", {}, "the same options and parameters")));
  return element("section", { class: "card wide", id: "differences" }, element("h2", {}, "What differs"), element("div", { class: "scroll" }, element("table", {}, element("thead", {}, head), body)));
}
