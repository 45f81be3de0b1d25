/** What guides promise of their own examples: the policy, the lines, the commands are taken from the page as they stand there. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import vm from "node:vm";

import { BINARY, startAssay } from "../site/assay.mjs";
import { openBrowser } from "../site/browser.mjs";
import { compiled } from "../site/commands.mjs";
import { abTest, everywhere, project } from "../site/projects.mjs";
import { RoutedSite } from "../site/routedSite.mjs";
import { blocksOf } from "./documents.mjs";

const run = promisify(execFile);
const PRINTED = "https://experiments.shop.example";

/** That of `abTest`, with the variations 314001 and 324001. */
const EXPERIMENT = "24001";

let browser, folder;

before(async () => {
  [browser, folder] = await Promise.all([openBrowser(), mkdtemp(join(tmpdir(), "assay-promises-"))]);
});

after(async () => {
  await browser.close();
  await rm(folder, { recursive: true });
});

/** The blocks of a guide in one language. */
const examples = async (guide, language) => {
  const text = await readFile(new URL(`../../docs/guides/${guide}.md`, import.meta.url), "utf8");
  return blocksOf(guide, text).flatMap((block) => (block.language === language ? [block.code] : []));
};

const CHANGES = [
  { type: "text", selector: "h1", value: "Changed" },
  { type: "html", selector: "#html", value: "<b>bold</b>" },
  { type: "insert", selector: "#html", position: "after", value: '<i id="inserted">new</i>' },
  { type: "style", selector: "#style", name: "color", value: "rgb(1, 2, 3)" },
  { type: "css", value: "#css { color: rgb(4, 5, 6) }" },
  { type: "javascript", value: 'document.documentElement.dataset.ran = "yes";' },
];

test("under the policy of the guide, everything is applied and counted, and nothing is refused", async () => {
  const [header] = await examples("content-security-policy", "text");
  const shop = project({ pages: [everywhere({ conditions: [] })], campaigns: [abTest({ pages: ["everywhere"], weights: [0, 10000], changes: [undefined, CHANGES] })] });
  shop.project.results = "on";
  const assay = await startAssay({ project: shop });
  const policy = header.trim().replace(/^Content-Security-Policy: /, "").replaceAll(PRINTED, assay.url);
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").setHeader("content-security-policy", policy);
    response.end(`<!doctype html><script src="${assay.url}/js/${shop.project.id}.js"></script><h1>Plain</h1><p id="html"></p><p id="style"></p><p id="css"></p>`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const page = await browser.newPage();
    const refused = [];
    page.on("console", (message) => /Content Security Policy/i.test(message.text()) && refused.push(message.text()));
    const counted = page.waitForResponse((response) => response.url() === `${assay.url}/v1/events`);
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    assert.equal((await counted).status(), 202);

    const seen = await page.evaluate(() => {
      const color = (selector) => getComputedStyle(document.querySelector(selector)).color;
      return [document.querySelector("h1").textContent, document.querySelector("#html b")?.textContent, Boolean(document.querySelector("#inserted")), color("#style"), color("#css"), document.documentElement.dataset.ran];
    });
    assert.deepEqual(seen, ["Changed", "bold", true, "rgb(1, 2, 3)", "rgb(4, 5, 6)", "yes"]);
    assert.deepEqual(refused, []);
    await page.close();
  } finally {
    server.close();
    await assay.stop();
  }
});

test("the guide's lines keep the variation that VWO gave", async () => {
  const [example] = await examples("moving", "html");
  for (const [combination, expected] of [[1, "314001"], [2, "324001"]]) {
    const site = await RoutedSite.open(browser);
    await site.page.context().addCookies([{ name: "_vis_opt_exp_12_combi", value: String(combination), domain: "www.shop.test", path: "/" }]);
    // Without the cookie, all visitors would get the first.
    const weights = combination === 2 ? [9999, 1] : [1, 9999];
    await site.publish(project({ pages: [everywhere()], campaigns: [abTest({ pages: ["everywhere"], weights })] }));
    site.write("/", `<!doctype html>${example.replace(`${PRINTED}/js/1000.js`, "/snippet.js").replace('"4001"', `"${EXPERIMENT}"`)}<h1>Plain</h1>`);
    await site.open();

    const given = await site.page.evaluate(() => window.experimentation.get("state").getVariationMap());
    assert.equal(given[EXPERIMENT]?.id, expected);
    assert.deepEqual(site.faults, []);
    await site.page.context().close();
  }
});

test("the guide's server decides what the page decides", async () => {
  const yaml = (await examples("server-side-decisions", "yaml")).at(-1);
  const [code] = await examples("server-side-decisions", "js");
  await writeFile(join(folder, "shop.yaml"), yaml);
  const snippet = (await run(BINARY, ["compile", join(folder, "shop.yaml")])).stdout;
  const { child_process: spawner, ...context } = sandbox();
  const variationOf = new vm.Script(`${code};variationOf`).runInNewContext(context);

  const visitors = Array.from({ length: 8 }, (_, number) => `visitor-${number}`);
  const url = "https://shop.example/";
  const onServer = await Promise.all(visitors.map((visitor) => variationOf("hero", { visitor_id: visitor, url })));
  const inPage = await Promise.all(visitors.map((visitor) => decidedInPage(snippet, visitor, url)));
  assert.deepEqual(onServer, inPage);
  assert.deepEqual([...new Set(onServer)].sort(), ["original", "short"]);
  assert.equal(await variationOf("hero", { url }), undefined, "before the visitor has a cookie");
  await assert.rejects(variationOf("hero", { visitor_id: "ada", url: "nowhere" }), /url/);
  assert.equal(await variationOf("hero", { visitor_id: visitors[0], url }), onServer[0]);
  spawner.children.forEach((child) => child.kill());
});

/** What the guide's code finds in Node.js, with the binary in the search path, in the folder of the project. */
const sandbox = () => {
  const require = createRequire(import.meta.url);
  const { spawn } = require("node:child_process");
  const children = [];
  const PATH = `${dirname(BINARY)}:${process.env.PATH}`;
  const spawned = (...[program, words, options]) => {
    const child = spawn(program, words, { ...options, cwd: folder, env: { ...process.env, PATH } });
    children.push(child);
    return child;
  };
  const given = (name) => (name === "node:child_process" ? { spawn: spawned } : require(name));
  return { require: given, child_process: { children } };
};

const decidedInPage = async (snippet, visitor, url) => {
  const context = await browser.newContext();
  await context.addCookies([{ name: "visitor", value: visitor, url }]);
  await context.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: `<!doctype html><script>${snippet}</script>` }));
  const page = await context.newPage();
  await page.goto(url);
  const index = await page.evaluate(() => Object.values(window.experimentation.get("state").getVariationMap())[0]?.index);
  await context.close();
  return ["original", "short"][index];
};

test("rows of GA4, as the guide's statements give them, are results", async () => {
  const [command] = await examples("results-in-ga4", "sh");
  const lines = (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  const shop = project({ pages: [everywhere()], campaigns: [{ ...abTest({ pages: ["everywhere"] }), key: "hero" }] });
  await writeFile(join(folder, "shop.yaml"), JSON.stringify(shop));
  const people = Array.from({ length: 200 }, (_, number) => ({ user_pseudo_id: `${number}.1`, time: 1_795_000_000_000_000 + number }));
  await writeFile(join(folder, "ga4.ndjson"), lines(people.map((row, number) => ({ ...row, experiment: EXPERIMENT, variation: number % 2 ? "324001" : "314001" }))));
  await writeFile(join(folder, "purchases.ndjson"), lines(people.slice(0, 60).map((row) => ({ ...row, time: row.time + 1_000_000, name: "purchase", value: 19.99 }))));

  const PATH = `${dirname(BINARY)}:${process.env.PATH}`;
  const { stdout } = await run("bash", ["-euc", command], { cwd: folder, env: { ...process.env, PATH } });
  assert.match(stdout, /200 visitors/);
  assert.match(stdout, /purchase/);
});
