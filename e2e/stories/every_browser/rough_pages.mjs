/** In each browser: pages that forbid nearly everything, did things to the browser's own, or come back out of the browser's cache. */

import assert from "node:assert/strict";

import { assertShown, fullShop, shopPage } from "../../site/fullShop.mjs";
import { setRealStage } from "../../site/realStage.mjs";

const { inEachBrowser } = setRealStage();

const REPORTER = `<script src="/reporter.js"></script>`;

/** Reports and the site's icon need a directive each. */
const STRICT = "default-src 'none'; connect-src 'self'; img-src 'self'; script-src 'self'; style-src 'self'; require-trusted-types-for 'script'";

inEachBrowser("under a policy of the site's own scripts and styles and of Trusted Types, everything works and nothing is refused", async (site) => {
  await site.publish(fullShop());
  site.web.writePage("/", shopPage({ before: REPORTER }), { "content-security-policy": STRICT });
  await site.open();

  await assertShown(site, site);
});

const DEEDS = {
  "froze the prototypes": `
    for (const each of [Object, Array, Function, String, Number, Promise, Map, Set, RegExp, Element, Node, Document, Storage, History,
      EventTarget, MutationObserver]) Object.freeze(each.prototype), Object.freeze(each);
    for (const each of [JSON, Math, history, navigator]) Object.freeze(each);`,
  "gave all objects properties with names of ours": `
    for (const name of ["type", "name", "match", "page", "async", "id", "dependsOn", "filter", "token", "code", "isOff", "experimentation",
      "experiment", "variation", "holds", "decision", "isHeldBack", "campaignId", "tags", "isActive", "cookies", "count", "source"])
      Object.prototype[name] = "broken";`,
};

for (const [name, deed] of Object.entries(DEEDS)) {
  inEachBrowser(`a page that ${name}`, async (site) => {
    await site.publish(fullShop());
    site.web.writePage("/", shopPage({ before: `${REPORTER}<script>{${deed}}</script>` }));
    await site.open();

    await assertShown(site, site);
  });
}

inEachBrowser("a page that comes back as it was left is as it was left", async (site) => {
  await site.publish(fullShop());
  site.web.writePage("/", shopPage({ before: REPORTER }));
  await site.open();
  const left = await site.state();
  await site.evaluate(() => addEventListener("pageshow", ({ persisted }) => void (window.isBack = persisted)));

  await site.follow("/later");
  await site.goBackTo("/");

  assert.equal(await site.evaluate(() => window.isBack), true, "the browser has kept the page");
  await assertShown(site, site);
  assert.deepEqual(await site.state(), left);
});
