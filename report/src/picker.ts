// Choosing a quantity: a tree by element with a search, and formulas of quantities.
import { element } from "./dom";
import { Run } from "./run";

const mostFound = 300; // more than anybody reads

/** Opens a dialog; resolves with the place of the chosen column, undefined if it was closed. */
export function pick(run: Run, title: string): Promise<number | undefined> {
  const search = element("input", { type: "search", placeholder: "search, or a formula: sqrt(pin.fx^2 + pin.fy^2)", "aria-label": "search or formula" });
  const tree = element("div", { class: "tree" });
  const close = element("button", { type: "button" }, "close");
  const dialog = element("dialog", { class: "picker", "aria-label": title }, element("h2", {}, title), search, tree, close);
  let chosen: number | undefined;
  const choose = (column: number): void => {
    chosen = column;
    dialog.close();
  };
  const leaf = (column: number, text: string): HTMLElement => {
    const button = element("button", { type: "button", class: "leaf", "data-name": run.name(column) }, text, " ", element("span", { class: "soft" }, run.unit(column) || "1"));
    button.addEventListener("click", () => choose(column));
    return button;
  };

  const show = (): void => {
    const wanted = search.value.trim().toLowerCase();
    const all = run.about.columns.slice(0, run.about.shown).map((c, i) => ({ name: c.name, i }));
    if (!wanted) {
      const groups = new Map<string, typeof all>();
      for (const column of all.slice(1)) {
        const dot = column.name.lastIndexOf(".");
        const group = dot < 0 ? "whole" : column.name.slice(0, dot);
        groups.set(group, [...(groups.get(group) ?? []), column]);
      }
      tree.replaceChildren(
        ...[...groups].map(([name, columns]) => {
          const branch = element("details", {}, element("summary", {}, name, " ", element("span", { class: "soft" }, String(columns.length))));
          branch.addEventListener("toggle", () => {
            if (branch.children.length === 1) branch.append(...columns.map((c) => leaf(c.i, c.name.slice(name === "whole" ? 0 : name.length + 1))));
          });
          if (groups.size <= 3) branch.open = true;
          return branch;
        }),
      );
      return;
    }
    const words = wanted.split(/\s+/);
    const found = all.filter((c) => words.every((word) => c.name.toLowerCase().includes(word)));
    const formula = found.some((c) => c.name === search.value.trim()) ? undefined : run.find(search.value.trim());
    const leaves = found.slice(0, mostFound).map((c) => leaf(c.i, c.name));
    if (formula !== undefined) leaves.unshift(leaf(formula, `formula: ${search.value.trim()}`));
    if (leaves.length === 0) leaves.push(element("p", { class: "soft" }, "no quantity has this in its name, and it is no formula of quantities"));
    if (found.length > mostFound) leaves.push(element("p", { class: "soft" }, `${found.length - mostFound} more; type more letters`));
    tree.replaceChildren(...leaves);
  };
  search.addEventListener("input", show);
  search.addEventListener("keydown", (e) => {
    if (e.key !== "Enter") return;
    e.preventDefault();
    tree.querySelector<HTMLButtonElement>(".leaf")?.click();
  });
  close.addEventListener("click", () => dialog.close());
  show();
  document.body.append(dialog);
  dialog.showModal();
  search.focus();
  return new Promise((resolve) =>
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(chosen);
    }),
  );
}
