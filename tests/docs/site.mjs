// tests/docs/site.mjs SITE MODULES
//
// What must hold: no page of the site asks anything of another machine or has an error in its scripts, in Chromium. The
// site is served from here, since its search works on a server only.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, resolve } from "node:path";
import { browserOf } from "../report/browser_pictures.mjs";

const [site, modules] = process.argv.slice(2).map((path) => resolve(path));
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml" };
const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, "http://site").pathname);
  try {
    response.setHeader("Content-Type", types[extname(path)] ?? "application/octet-stream");
    response.end(readFileSync(join(site, path)));
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const home = `http://127.0.0.1:${server.address().port}/`;
const files = ["index.html", ...readdirSync(join(site, "docs")).filter((name) => name.endsWith(".html")).map((name) => `docs/${name}`)];
const browser = await browserOf(modules);
const page = await browser.newPage();
const trouble = [];
page.on("request", (r) => r.url().startsWith(home) || r.url().startsWith("data:") || trouble.push(r.url()));
page.on("pageerror", (e) => trouble.push(String(e)));
for (const file of files) await page.goto(home + file);
await browser.close();
server.close();
assert.deepEqual(trouble, []);
console.log(`${files.length} pages, no requests, no errors`);
