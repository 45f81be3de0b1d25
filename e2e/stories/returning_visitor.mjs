/**
 * A visitor comes back after a publication: Chromium, which has compression dictionaries (RFC 9842), gets what is new alone. It uses them
 * over HTTPS with a certificate that it trusts, and over HTTP on its own machine, as here.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { startAssay } from "../site/assay.mjs";
import { openWholeBrowser } from "../site/browser.mjs";
import { frontedSite } from "../site/frontedSite.mjs";
import { abTest, everywhere, project } from "../site/projects.mjs";

/** What the body of a new revision may cost a returning visitor. */
const BODY_BYTES_AT_MOST = 200;

const shop = (text) =>
  project({
    pages: [everywhere({ key: "home", conditions: [] })],
    campaigns: [abTest({ weights: [0, 10000], changes: [undefined, [{ type: "text", selector: "h1", value: text }]] })],
  });

let browser, assay, site, context, page, network, answers;

before(async () => {
  browser = await openWholeBrowser();
});
beforeEach(async () => {
  assay = await startAssay({ project: shop("Ship fast") });
  site = await frontedSite(assay.url);
  context = await browser.newContext();
  page = await context.newPage();
  answers = [];
  await listen();
});
afterEach(async () => {
  await context?.close();
  await site?.stop();
  await assay?.stop();
});
after(() => browser?.close());

/** Notes each answer to a request for the snippet: its content coding, and how many bytes its body took on the wire. */
const listen = async () => {
  network = await context.newCDPSession(page);
  const asked = new Map();
  network.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (new URL(request.url).pathname.startsWith("/js/")) asked.set(requestId, {});
  });
  // What `responseReceivedExtraInfo` says may arrive after the page has loaded; this comes before the end of the body.
  network.on("Network.responseReceived", ({ requestId, response }) => {
    const lower = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]));
    if (asked.has(requestId)) Object.assign(asked.get(requestId), { coding: lower["content-encoding"], length: Number(lower["content-length"]) });
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (asked.has(requestId)) answers.push({ ...asked.get(requestId), transferred: encodedDataLength });
  });
  await network.send("Network.enable");
};

const open = () => page.goto(`http://localhost:${site.port}/`);
const headline = () => page.locator("h1").innerText();

/** A reload asks for the snippet though the browser has it, as a visitor does who comes back later. */
const comeBack = async () => {
  const loaded = page.waitForEvent("load");
  await network.send("Page.reload", { ignoreCache: true });
  await loaded;
};

/** Chromium keeps a dictionary a moment after the page has loaded; it names it when it asks again. Returns what the first visit cost. */
const untilKept = async () => {
  do await comeBack();
  while (answers.at(-1).coding === "br");
  return answers.splice(0)[0];
};

/** Brotli or Zstandard with a dictionary, whichever is shorter. */
const NEWS = /^dc[bz]$/;

/** The file is the truth: the server republishes it, and says when those who have the revision before get what is new. */
const publish = async (text) => {
  const file = join(dirname(assay.data), "project.json");
  const before = await (await fetch(`${assay.url}/js/1000.js`)).arrayBuffer();
  await writeFile(`${file}.new`, JSON.stringify(shop(text)));
  await rename(`${file}.new`, file);
  const name = `:${createHash("sha256").update(Buffer.from(before)).digest("base64")}:`;
  const headers = { "accept-encoding": "dcb", "available-dictionary": name };
  const etag = async () => (await fetch(`${assay.url}/js/1000.js`, { method: "HEAD", headers })).headers.get("etag");
  // Before the publication, that is the revision in terms of itself.
  const old = await etag();
  for (let now = old; now === old || !now.includes("-dcb-"); now = await etag()) await new Promise((resolve) => setImmediate(resolve));
};

test("a new revision costs a returning visitor next to nothing", async () => {
  await open();
  assert.equal(await headline(), "Ship fast");
  const first = await untilKept();
  assert.equal(first.coding, "br");

  await publish("Ship faster");
  await comeBack();

  assert.equal(await headline(), "Ship faster");
  const map = await page.evaluate(() => window.experimentation.get("state").getVariationMap());
  assert.deepEqual(Object.values(map).map(({ index }) => index), [1]);
  const { coding, length, transferred } = answers[0];
  assert.match(coding, NEWS);
  assert.ok(length <= BODY_BYTES_AT_MOST, `${length} bytes`);
  assert.ok(transferred < first.transferred / 8, `${transferred} bytes with the head of the answer`);
});

test("a snippet that came as a delta is the dictionary of the next delta", async () => {
  await open();
  await untilKept();
  for (const text of ["Ship faster", "Ship fastest"]) {
    await publish(text);
    await comeBack();

    assert.equal(await headline(), text);
  }

  assert.equal(answers.length, 2);
  for (const { coding } of answers) assert.match(coding, NEWS);
  assert.ok(answers[1].length <= BODY_BYTES_AT_MOST, `${answers[1].length} bytes`);
});
