// tests/report/browser_pictures.mjs
//
// Pages of hstar as pictures: what gallery.mjs and screenshot.mjs share.
import { createRequire } from "node:module";
import { join } from "node:path";

/** Chromium without a window, by the playwright-core of the report's build folder. */
export async function browserOf(modules) {
  const { chromium } = createRequire(join(modules, "package.json"))("playwright-core");
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-background-networking", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
}

/** Writes the page `file` at the moment `hash` to `picture`; how long the page took to show its cards, in ms. */
export async function picture(browser, { file, hash, size = [1280, 800], dark = false, picture }) {
  const page = await browser.newPage({ viewport: { width: size[0], height: size[1] }, colorScheme: dark ? "dark" : "light" });
  const begun = Date.now();
  await page.goto(`file://${file}${hash}`);
  await page.waitForSelector(".cards");
  const loaded = Date.now() - begun;
  await page.waitForTimeout(500);
  await page.screenshot({ path: picture });
  await page.close();
  return loaded;
}
