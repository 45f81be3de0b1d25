/** In each browser: what a visitor was given and did is told once, though they leave at once, come back, or the server is busy. */

import assert from "node:assert/strict";
import { once } from "node:events";

import { abTest, everywhere, project } from "../../site/projects.mjs";
import { pageText } from "../../site/proxyServer.mjs";
import { setRealStage } from "../../site/realStage.mjs";
import { HOME } from "../../site/routedSite.mjs";

const { inEachBrowser } = setRealStage();

const SHOP = project({
  pages: [everywhere()],
  events: [{ id: "7001", key: "leave", type: "click", selector: "a" }],
  campaigns: [abTest({ pages: ["everywhere"], weights: [0, 10000], changes: [undefined, [{ type: "text", selector: "h1", value: "Changed" }]] })],
});
SHOP.project.results = "on";

/** What was told, each once and in order of its time, as soon as it is so much. */
const told = async ({ web }, number) => {
  const distinct = () => [...new Map(web.told.map((event) => [event.id, event])).values()];
  while (distinct().length < number) await once(web, "told");
  return distinct()
    .sort((one, other) => one.time - other.time)
    .map(({ type, name, variation }) => name ?? `${type} ${variation}`);
};

inEachBrowser("a click that leads away is told, also on a page to which the visitor came back", async (site) => {
  await site.publish(SHOP);
  await site.open();
  await site.follow("/other");
  await site.goBackTo(HOME);
  await site.follow("/third");

  assert.deepEqual(await told(site, 3), ["exposure 324001", "leave", "leave"]);
});

inEachBrowser("a click that leads away is told though the page never got all that it waits for", async (site) => {
  const leave = `addEventListener("DOMContentLoaded", () => setTimeout(() => document.querySelector("a").click()))`;
  site.web.hold("/never.png");
  site.web.writePage("/endless", pageText({ after: leave, body: `<h1>Hello</h1><img src="/never.png"><a href="/other">Other</a>` }));
  await site.publish(SHOP);
  await site.open();
  await site.follow("/endless", "/other");

  assert.deepEqual(await told(site, 3), ["exposure 324001", "leave", "leave"]);
});

inEachBrowser("what a busy server does not take is told by the next page", async (site) => {
  site.web.refusal = 503;
  const refused = once(site.web, "told");
  await site.publish(SHOP);
  await site.open();
  await refused;
  await site.until(() => /[|,]u,[^,|]/.test(localStorage.getItem("experimentation:1000")));
  site.web.refusal = 0;
  await site.follow("/other");

  assert.deepEqual(await told(site, 2), ["exposure 324001", "leave"]);
});
