// tests/report/screenshot.mjs MODULES PAGE HASH PICTURE: one page at one moment as a picture.
import { resolve } from "node:path";
import { browserOf, picture } from "./browser_pictures.mjs";

const [modules, file, hash, png] = process.argv.slice(2);
const browser = await browserOf(resolve(modules));
await picture(browser, { file: resolve(file), hash, picture: resolve(png) });
await browser.close();
