// tests/report/browser.mjs HSTAR FOLDER
//
// What must hold: a report opened from disk asks nothing of the network and throws nothing; play moves the mechanism, loop plays again;
// an event's mark and its table row lead to its moment; zooming a plot zooms them all; the table sorts; the keyboard
// works. Everything shown is compared with the result files, to the millionth of a column's range that small runs are
// packed with. The curve of README's first model is the exact one to a pixel on a telephone and on a desk. The wheel
// scrolls the page over everything; hovering shows values in all plots; quantities are found by a search and made by
// formulas; files are saved; the address leads back to what was seen; nothing is wider than a telephone; a run of a
// hundred bodies is 5 MB at most and loads in two seconds.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
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

/** Largest minus smallest of a column. */
function range(rows, column) {
  const values = rows.map((r) => Number(r[column]));
  return Math.max(...values) - Math.min(...values);
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

  // loop: what is over in a frame goes on
  const speed = 'select[aria-label="speed"]', own = await page.inputValue(speed);
  await page.selectOption(speed, "1000");
  await page.click("#loop");
  await page.click("#play");
  await page.waitForTimeout(600);
  assert.equal(await page.textContent("#play"), "pause", `${model}: a loop does not end`);
  await page.click("#play");
  await page.click("#loop");
  await page.selectOption(speed, own);

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
  // What is round-off beside the lengths of the mechanism is shown as 0.
  const roundOff = 1e-13 * Math.max(...Object.keys(row).filter((c) => /\.[xy]$/.test(c)).map((c) => Math.abs(Number(row[c]))));
  const near = (c, v) => Math.abs(v - Number(row[c])) <= 2e-6 * range(rows, c) + roundOff;
  assert.ok(near(`${name}.x`, drawn[0]) && near(`${name}.y`, drawn[1]), `${model}: the body is drawn in its place: ${drawn} for ${row[`${name}.x`]}, ${row[`${name}.y`]}`);
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

/** The text of a file that a click saves. */
async function saved(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  return readFileSync(await download.path(), "utf8");
}

// README's first model, as README prints it: held until 4 t = mu_static m g, then x'' = 2 t - mu_kinetic g.
const exact = (t) => {
  const start = (0.5 * 2 * 9.81) / 4;
  const u = Math.max(t - start, 0);
  return u ** 3 / 3 + ((2 * start - 0.3 * 9.81) * u * u) / 2;
};

/** The drawn curve is the exact one to a pixel; everything around a plot works. */
async function checkFirstModel(browser) {
  const out = join(folder, "readme");
  mkdirSync(out, { recursive: true });
  const model = readFileSync(join(source, "README.md"), "utf8").split("```toml\n")[1].split("```")[0];
  writeFileSync(join(out, "block.toml"), model);
  execFileSync(hstar, ["run", join(out, "block.toml"), "--quiet", "-o", out]);
  for (const width of [390, 1400]) {
    const page = await browser.newPage({ viewport: { width, height: 844 } });
    const trouble = [];
    page.on("pageerror", (e) => trouble.push(e.message));
    await page.goto(`file://${out}/report.html#t=3.25&p=block.x`);
    await page.waitForSelector(".plot canvas");
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, "nothing is wider than the page");
    assert.equal(await page.locator(".plot-box").count(), 1, "the address chooses the plots");
    assert.ok((await page.textContent("#now")).includes("3.25"), "the address leads to its moment");

    // The middle of the coloured pixels of every column of pixels, against the exact curve between both ends.
    const curve = await page.evaluate(() => {
      const canvas = document.querySelector(".plot canvas");
      const over = document.querySelector(".plot .u-over").getBoundingClientRect();
      const box = canvas.getBoundingClientRect();
      const ratio = canvas.width / box.width;
      const [left, top, wide, high] = [over.left - box.left, over.top - box.top, over.width, over.height].map((v) => Math.round(v * ratio));
      const { data } = canvas.getContext("2d").getImageData(left, top, wide, high);
      const middle = [];
      for (let x = 0; x < wide; ++x) {
        let [sum, weight] = [0, 0];
        for (let y = 0; y < high; ++y) {
          const k = 4 * (y * wide + x);
          const red = (data[k + 3] / 255) * (data[k] - data[k + 2]); // the first curve's colour is #c2410c
          if (red > 40) [sum, weight] = [sum + red * y, weight + red];
        }
        middle.push(weight > 0 ? sum / weight : undefined);
      }
      return { middle, ratio, wide, high };
    });
    const [x1, pad] = [exact(4), 0.06 * exact(4)];
    let worst = 0;
    curve.middle.forEach((y, x) => {
      if (y === undefined || x < 2 || x > curve.wide - 3) return;
      const t = (4 * (x + 0.5)) / curve.wide;
      const wanted = curve.high * (1 - (exact(t) + pad) / (x1 + 2 * pad));
      worst = Math.max(worst, Math.abs(y + 0.5 - wanted) / curve.ratio);
    });
    assert.ok(curve.middle.filter((y) => y !== undefined).length > 0.95 * curve.wide, "there is a curve");
    assert.ok(worst <= 1, `README's first model is drawn within a pixel at ${width} px: ${worst}`);

    // Hovering, saving, scrolling.
    const plot = await page.locator(".plot .u-over").first().boundingBox();
    await page.mouse.move(plot.x + plot.width / 2 + 20, plot.y + 50);
    const shown = await page.textContent(".legend");
    const t = (4 * (plot.width / 2 + 20)) / plot.width;
    assert.ok(Math.abs(Number(shown.match(/\] (\S+)/)[1]) - exact(t)) < 0.01, `hovering shows the value: ${shown}`);
    assert.ok((await page.textContent(".at")).startsWith("values at "));
    assert.deepEqual(await page.locator(".plot .u-over").first().boundingBox(), plot, "nothing moves under the pointer");
    await page.mouse.move(1, 1);
    const csv = await saved(page, () => page.locator("button[title='save the rows of this plot']").first().click());
    assert.equal(csv.split("\n")[0], "t,block.x");
    assert.ok(csv.split("\n").length > 20);
    assert.ok((await saved(page, () => page.locator("button[title='save this plot as a drawing']").first().click())).startsWith("<svg"));
    await saved(page, () => page.locator("button[title='save this plot as a picture']").first().click());
    for (const over of [".scene", ".plot", "canvas.timeline"]) {
      await page.evaluate(() => scrollTo(0, 0));
      const box = await page.locator(over).first().boundingBox();
      await page.mouse.move(box.x + box.width / 2, Math.min(box.y + 20, 800));
      await page.mouse.wheel(0, 200);
      await page.waitForTimeout(150);
      assert.ok((await page.evaluate(() => scrollY)) > 0, `the wheel scrolls the page over ${over}`);
    }

    // A quantity by search, another by a formula; both are in the address.
    await page.locator(".more button").first().click();
    await page.fill(".picker input", "tang");
    await page.locator(".picker .leaf").first().click();
    await page.locator(".more button").first().click();
    await page.fill(".picker input", "0.5*block.vx^2");
    await page.locator(".picker .leaf").first().click();
    await page.waitForTimeout(400);
    const address = decodeURIComponent(await page.evaluate(() => location.hash));
    assert.ok(address.includes("p=block.x;plate.tangential;0.5*block.vx^2"), address);
    const slider = page.locator("canvas.timeline");
    assert.equal(await slider.getAttribute("aria-valuemax"), "4");
    assert.ok((await slider.getAttribute("aria-valuetext")).startsWith("3.25 s"));
    assert.deepEqual(trouble, []);
    await page.close();
  }
  console.log("README's first model: ok");
}

/** A hundred bodies: a small file. Its times are told, not judged: they are the machine's. */
async function checkLarge(browser) {
  const out = join(folder, "large");
  mkdirSync(out, { recursive: true });
  execFileSync(hstar, ["run", join(source, "examples/19_burridge_knopoff.toml"), "--quiet", "--set", "parameters.n=100", "--set", "simulation.end=20", "--set", "simulation.output=0", "-o", out]);
  assert.ok(statSync(join(out, "report.html")).size <= 5e6, "5 MB at most");
  const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
  // In processor time: loading, the step itself and the frame that shows it.
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async () => (await cdp.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value;
  await page.goto(`file://${out}/report.html`);
  await page.waitForSelector(".plot canvas");
  const loading = await busy();
  await page.waitForTimeout(500);
  const [before, steps] = [await busy(), 20];
  await page.evaluate(async (count) => {
    for (let k = 0; k < count; ++k) {
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "n", bubbles: true }));
      await new Promise((shown) => requestAnimationFrame(shown));
    }
  }, steps);
  const frame = ((await busy()) - before) * (1000 / steps);
  console.log(`a hundred bodies: ${statSync(join(out, "report.html")).size} bytes, loaded in ${(loading * 1000).toFixed(0)} ms, an event's step in ${frame.toFixed(1)} ms of processor time`);
  await page.close();
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
try {
  await checkFirstModel(browser);
  await checkLarge(browser);
  for (const [i, model] of models.entries()) await check(browser, model, i % 2 ? "dark" : "light");
  for (const model of ["validation/heavy_top/model.toml", "examples/23_thrown_box.toml"]) await checkSpatial(browser, model);
} finally {
  await browser.close();
}
