// tests/report/browser.mjs HSTAR FOLDER
//
// What must hold: a report opened from disk asks nothing of the network and throws nothing; play moves the mechanism;
// an event's mark and its table row lead to its moment; zooming a plot zooms them all and shows every row exactly; the
// table sorts; the keyboard works. Everything shown is compared with the result files.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [hstar, source, modules, folder] = process.argv.slice(2).map((p) => resolve(p));
const { chromium } = createRequire(join(modules, "package.json"))("playwright-core");

const models = ["examples/01_drag_sled.toml", "validation/p13_slider_crank/model.toml", "examples/15_newtons_cradle.toml", "examples/04_bouncing_ball.toml"];

function table(file) {
  const lines = readFileSync(file, "utf8").split("\n").filter((l) => l && !l.startsWith("#"));
  const head = lines[0].split(",");
  return lines.slice(1).map((line) => Object.fromEntries(line.split(",").map((v, i) => [head[i], v])));
}

async function check(browser, model, scheme) {
  const out = join(folder, model.replaceAll("/", "_"));
  mkdirSync(out, { recursive: true });
  execFileSync(hstar, ["run", join(source, model), "--quiet", "-o", out]);
  const events = table(join(out, "events.csv"));
  const rows = table(join(out, "trajectory.csv"));

  const page = await browser.newPage({ viewport: { width: 1366, height: 768 }, colorScheme: scheme });
  const trouble = [];
  page.on("pageerror", (e) => trouble.push(e.message));
  page.on("request", (r) => r.url().startsWith("file:") || r.url().startsWith("data:") || trouble.push(r.url()));
  await page.goto(`file://${out}/report.html`);
  await page.waitForSelector(".plot canvas");
  const now = async () => Number((await page.textContent("#now")).match(/t = (\S+) s/)[1]);
  const place = () => page.evaluate(() => document.querySelector(".scene-box").bodyPlace(1));

  // play
  const before = await place();
  await page.click("#play");
  await page.waitForTimeout(900);
  await page.click("#play");
  assert.ok((await now()) > Number(rows[0].t), `${model}: play moves time`);
  const stopped = await now();
  await page.waitForTimeout(200);
  assert.equal(await now(), stopped, `${model}: pause holds it`);

  // the table shows events.csv, and a click leads to the event
  await page.fill("#events input", "");
  assert.equal(await page.locator("#events tbody tr").count(), events.length);
  const k = Math.min(4, events.length - 1);
  const cells = page.locator("#events tbody tr").nth(k).locator("td");
  assert.equal(await cells.nth(1).textContent(), String(Number(events[k].t)));
  assert.equal(await cells.nth(3).textContent(), events[k].kind);
  await page.locator("#events tbody tr").nth(k).click();
  assert.ok(Math.abs((await now()) - Number(events[k].t)) < 1e-6, `${model}: row leads to its event`);

  // the mechanism stands where the trajectory says
  const row = rows.findLast((r) => Number(r.t) <= Number(events[k].t));
  const name = Object.keys(row).find((c) => c.endsWith(".x")).slice(0, -2);
  const drawn = await place();
  assert.ok(Math.abs(drawn[0] - Number(row[`${name}.x`])) < 1e-9 && Math.abs(drawn[1] - Number(row[`${name}.y`])) < 1e-9, `${model}: the body is drawn in its place`);
  if (model.includes("sled")) assert.notDeepEqual(drawn, before);

  // a mark on the timeline can be clicked
  const line = page.locator("canvas.timeline");
  const box = await line.boundingBox();
  const [t0, t1] = [Number(rows[0].t), Number(rows.at(-1).t)];
  const x = 118 + ((Number(events[0].t) - t0) / (t1 - t0)) * (box.width - 132);
  await line.click({ position: { x, y: 10 } });
  assert.ok(Math.abs((await now()) - Number(events[0].t)) < 1e-6, `${model}: mark leads to its event`);

  // sort by kind, then by time downwards
  await page.click("#events th:nth-child(4) button");
  const kinds = await page.locator("#events tbody td:nth-child(4)").allTextContents();
  assert.deepEqual(kinds, [...kinds].sort());
  await page.click("#events th:nth-child(2) button");
  await page.click("#events th:nth-child(2) button");
  assert.equal(await page.locator("#events tbody td:nth-child(2)").first().textContent(), String(Math.max(...events.map((e) => Number(e.t)))));

  // zoom by dragging in a plot: all plots follow
  await page.evaluate(() => scrollTo(0, 0));
  const plot = await page.locator(".plot .u-over").first().boundingBox();
  await page.mouse.move(plot.x + plot.width * 0.25, plot.y + 40);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width * 0.5, plot.y + 60, { steps: 4 });
  await page.mouse.up();
  const windows = await page.locator(".plot-box").evaluateAll((all) => all.map((n) => n.dataset.window).filter(Boolean));
  assert.equal(new Set(windows).size, 1, `${model}: one window for all plots`);
  const [a, b] = windows[0].split(" ").map(Number);
  const part = (t) => (t - t0) / (t1 - t0);
  assert.ok(Math.abs(part(a) - 0.25) < 0.02 && Math.abs(part(b) - 0.5) < 0.02, `${model}: zoomed to ${a} .. ${b}`);

  // keyboard
  await page.keyboard.press("w");
  await page.keyboard.press("Home");
  assert.ok(Math.abs((await now()) - t0) < 1e-6);
  await page.keyboard.press("n");
  const first = events.find((e) => Number(e.t) > t0);
  assert.ok(Math.abs((await now()) - Number(first.t)) < 1e-6, `${model}: n leads to the first event`);

  await page.screenshot({ path: join(out, "screenshot.png") });
  assert.deepEqual(trouble, [], `${model}: no errors, no requests`);
  await page.close();
  console.log(`${model}: ${events.length} events, ${rows.length} rows, ${scheme}: ok`);
}

/** A spatial mechanism: bodies are where the trajectory says, and turned as it says. */
async function checkSpatial(browser, model) {
  const out = join(folder, model.replaceAll("/", "_"));
  mkdirSync(out, { recursive: true });
  execFileSync(hstar, ["run", join(source, model), "--quiet", "--set", "simulation.output=0.05", "--set", "simulation.end=0.5", "-o", out]);
  const rows = table(join(out, "trajectory.csv"));
  const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
  const trouble = [];
  page.on("pageerror", (e) => trouble.push(e.message));
  await page.goto(`file://${out}/report.html`);
  await page.waitForSelector(".plot canvas");
  await page.keyboard.press("End");
  const [place, turn] = await page.evaluate(() => {
    const box = document.querySelector(".scene-box");
    return [box.bodyPlace(1), box.bodyTurn(1)];
  });
  const last = rows[rows.length - 1];
  const body = Object.keys(last)[1].split(".")[0];
  ["x", "y", "z"].forEach((axis, i) => assert.ok(Math.abs(place[i] - Number(last[`${body}.${axis}`])) < 1e-6, `${model}: ${axis} of ${body}`));
  // three.js puts e0 last.
  [1, 2, 3, 0].forEach((e, i) => assert.ok(Math.abs(turn[i] - Number(last[`${body}.e${e}`])) < 1e-6, `${model}: e${e} of ${body}`));
  const drawn = await page.evaluate(() => {
    const gl = document.querySelector("canvas.scene").getContext("webgl2");
    return gl !== null;
  });
  assert.ok(drawn, `${model}: drawn`);
  assert.deepEqual(trouble, []);
  await page.close();
  console.log(`${model}: ${rows.length} rows: ok`);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
try {
  for (const [i, model] of models.entries()) await check(browser, model, i % 2 ? "dark" : "light");
  for (const model of ["validation/heavy_top/model.toml", "examples/23_thrown_box.toml"]) await checkSpatial(browser, model);
} finally {
  await browser.close();
}
