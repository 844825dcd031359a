// tests/report/gallery.mjs HSTAR SOURCE MODULES FOLDER
//
// The pictures of docs/gallery, each to be looked at after the report has changed.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { browserOf, picture } from "./browser_pictures.mjs";

const [hstar, source, modules, folder] = process.argv.slice(2).map((p) => resolve(p));
const work = mkdtempSync(join(tmpdir(), "gallery-"));

/** Runs a model; the page of the run. */
function report(name, model, ...more) {
  const out = join(work, name);
  execFileSync(hstar, ["run", model.startsWith("/") ? model : join(source, model), "--quiet", "-o", out, ...more], { stdio: ["ignore", "ignore", "ignore"] });
  return join(out, "report.html");
}
const many = (n, end) => ["--set", `parameters.n=${n}`, "--set", `simulation.end=${end}`];

const block = join(work, "block.toml");
writeFileSync(block, readFileSync(join(source, "README.md"), "utf8").split("```toml\n")[1].split("```")[0]);
report("vary", block, "--vary", "joint.plate.friction.mu_kinetic=0.1,0.2,0.3");
execFileSync(hstar, ["view", join(source, "examples/16_clearance_pin.toml"), "-o", join(work, "view.html")], { stdio: "ignore" });
const stack = report("stack", "examples/12_stack_of_blocks.toml");
const box = report("box", "examples/23_thrown_box.toml");

const pictures = [
  { name: "readme_model", page: report("block", block), hash: "#t=3.25" },
  { name: "readme_model_phone", page: join(work, "block/report.html"), hash: "#t=3.25", size: [390, 844] },
  { name: "planar_stack", page: stack, hash: "#t=3.2" },
  { name: "planar_clearance_pin_dark", page: report("pin", "examples/16_clearance_pin.toml"), hash: "#t=0.03", dark: true },
  { name: "planar_bouncing_ball", page: report("ball", "examples/04_bouncing_ball.toml"), hash: "#t=0.5" },
  { name: "spatial_thrown_box", page: box, hash: "#t=0.7" },
  { name: "spatial_phone_dark", page: box, hash: "#t=0.2", size: [390, 844], dark: true },
  { name: "slider_crank", page: report("crank", "validation/p13_slider_crank/model.toml"), hash: "#t=1.2" },
  { name: "hundred_bodies", page: report("hundred", "examples/19_burridge_knopoff.toml", ...many(100, 10)), hash: "#t=5" },
  { name: "thousands_of_events", page: report("long", "examples/19_burridge_knopoff.toml", ...many(100, 60)), hash: "#t=30" },
  { name: "three_runs_compared", page: join(work, "vary/comparison.html"), hash: "#t=3.6" },
  { name: "model_before_it_runs", page: join(work, "view.html"), hash: "" },
];
const browser = await browserOf(modules);
for (const { name, page: file, ...view } of pictures) {
  const loaded = await picture(browser, { file, ...view, picture: join(folder, `${name}.png`) });
  console.log(`${name}: ${(statSync(file).size / 1e6).toFixed(2)} MB, shown after ${loaded} ms`);
}
await browser.close();
