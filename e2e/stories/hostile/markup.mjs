/** Documents of other days and other sizes. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { assertShown, BODY, fullShop, shopPage, showsAllOn } from "../../site/fullShop.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

for (const [kind, page] of Object.entries({
  "in quirks mode": { doctype: "" },
  "of 1998": { doctype: `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">` },
  "whose links start elsewhere": { before: `<base href="https://elsewhere.test/">`, snippet: `<script src="http://www.shop.test/snippet.js"></script>` },
  "with elements named like what scripts read": {
    snippet: "",
    body: `<form id="experimentation"></form><img name="cookie"><img name="referrer"><img name="title"><a id="navigation"></a>
      <a id="trustedTypes"></a><a id="history"></a><form name="location"></form>${BODY}<script src="/snippet.js"></script>`,
  },
  "that is a thousand elements deep": { body: "<div>".repeat(1000) + BODY + "</div>".repeat(1000) },
})) {
  test(`a document ${kind}`, () =>
    stage.visit(async (site) => {
      await site.publish(fullShop());
      await showsAllOn(site, shopPage(page));
    }));
}

test("an XHTML document", () =>
  stage.visit(async (site) => {
    await site.publish(fullShop());
    const page = shopPage({ doctype: "" }).replace("<html>", `<html xmlns="http://www.w3.org/1999/xhtml">`);
    await showsAllOn(site, page, { "content-type": "application/xhtml+xml" });
  }));

/** A megabyte of text in two of markup, as long lists of products have it. */
const ROW = `<li class="product"><a href="/p/1"><img alt=""><span class="name">Something to buy</span><b class="price">12 euros</b></a></li>`;
const ROWS = `<ul>${ROW.repeat((2 << 20) / ROW.length)}</ul>`;

/** A frame, at 60 of them a second. What was heard is that elements become visible a little later than this at worst. */
const FRAME_MS = 1000 / 60;

test("two megabytes of document: no task of ours takes as long as a frame", () =>
  stage.visit(async (site) => {
    await site.publish(fullShop());
    site.write("/", shopPage({ body: ROWS + BODY + ROWS }));
    await site.page.context().browser().startTracing(site.page, { categories: ["devtools.timeline", "v8"] });
    await site.open();
    const trace = JSON.parse(String(await site.page.context().browser().stopTracing()));

    await assertShown(site);
    const ours = trace.traceEvents.filter(({ args, tdur }) => tdur && /snippet\.js/.test(JSON.stringify(args)));
    assert.ok(ours.some(({ name }) => name === "EvaluateScript"), "the trace must tell of the snippet");
    assert.ok(ours.some(({ name }) => name === "FunctionCall"), "the trace must tell of the observer");
    // The processor's time, not the clock's: what else the machine does is no matter.
    const longest = Math.max(...ours.map(({ tdur }) => tdur / 1000));
    assert.ok(longest < FRAME_MS, `${longest} ms`);
  }));
