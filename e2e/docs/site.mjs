/** The site that mdBook makes of `docs/`: it builds without a warning, each link in it leads to a page and a place on it, and each picture is there and shown. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { PYTHON } from "../clients/pythonClient.mjs";
import { ROOT } from "./documents.mjs";

const MDBOOK = process.env.MDBOOK ?? join(dirname(PYTHON), "mdbook");

let site, said, files, texts;

before(async () => {
  site = await mkdtemp(join(tmpdir(), "assay-site-"));
  const built = await promisify(execFile)(MDBOOK, ["build", "docs", "--dest-dir", site], { cwd: ROOT });
  said = built.stderr + built.stdout;
  files = new Set((await readdir(site, { recursive: true })).map((path) => normalize(path)));
  const pages = [...files].filter((path) => path.endsWith(".html"));
  texts = new Map(await Promise.all(pages.map(async (path) => [path, await readFile(join(site, path), "utf8")])));
});

after(() => rm(site, { recursive: true }));

test("it builds without a warning, and has a page for each document", async () => {
  assert.doesNotMatch(said, /WARN|ERROR/);
  const documents = (await readdir(join(ROOT, "docs"), { recursive: true })).filter((path) => path.endsWith(".md") && path !== "SUMMARY.md");
  const lacking = documents.filter((path) => !files.has(path.replace(/\.md$/, ".html")));
  assert.deepEqual(lacking, []);
});

/** An example of a tag is no link. */
const withoutCode = (text) => text.replace(/<code[^>]*>[^]*?<\/code>/g, "");

test("each link leads somewhere, and each picture is there", () => {
  const ids = new Map([...texts].map(([path, text]) => [path, new Set([...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id))]));
  const dead = [];
  let count = 0;
  for (const [page, text] of texts) {
    for (const [, link] of withoutCode(text).matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^[a-z]+:/i.test(link)) continue;
      count += 1;
      const [path, anchor] = link.replaceAll("&amp;", "&").split("#");
      const target = path === "" ? page : normalize(join(dirname(page), decodeURIComponent(path.replace(/^\.\/$/, "index.html"))));
      const isThere = files.has(target) && (!anchor || ids.get(target)?.has(decodeURIComponent(anchor)) !== false);
      if (!isThere) dead.push(`${page}: ${link}`);
    }
  }
  assert.deepEqual(dead, []);
  assert.ok(count > 500, `only ${count} links`);
});

test("a page shows each picture", () => {
  const pictures = [...files].filter((path) => path.startsWith("pictures/"));
  const unused = pictures.filter((path) => ![...texts.values()].some((text) => text.includes(`src="${path}"`) || text.includes(`src="../${path}"`)));
  assert.deepEqual(unused, []);
  assert.ok(pictures.length > 0);
});
