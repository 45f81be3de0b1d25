/** Documents of other days and other sizes. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { assertShown, BODY, fullShop, shopPage, showsAllOn } from "../../site/fullShop.mjs";
import { abTest, everywhere, project } from "../../site/projects.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

/** What a document has of its own: the name of an image stands before each. */
const NAMED = ["querySelectorAll", "querySelector", "addEventListener", "createElement", "createTextNode", "createDocumentFragment", "importNode", "head", "body", "readyState", "prerendering", "adoptedStyleSheets", "currentScript", "cookie", "implementation", "contentType", "activeElement", "createElementNS"]
  .map((name) => `<img name="${name}">`)
  .join("");

/** What elements have of their own: a form has its fields, also those outside of it, under their names. */
const FIELDS = ["parentNode", "parentElement", "childNodes", "firstChild", "nextSibling", "nodeType", "nodeValue", "textContent", "localName", "namespaceURI", "isConnected", "style", "classList", "remove", "before", "after", "append", "prepend", "insertBefore", "removeChild", "setAttribute", "getAttribute", "removeAttribute", "querySelectorAll", "closest", "contains", "replaceChildren", "isContentEditable"]
  .map((name) => `<input type="hidden" name="${name}">`)
  .join("");

/** The form is in a field of its own, so that it has it as its last child. */
const inForm = (body) => `<fieldset name="lastChild" form="f"><form id="f">${FIELDS}${body}</form></fieldset>`;

for (const [kind, page] of Object.entries({
  "in quirks mode": { doctype: "" },
  "of 1998": { doctype: `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">` },
  "whose links start elsewhere": { before: `<base href="https://elsewhere.test/">`, snippet: `<script src="http://www.shop.test/snippet.js"></script>` },
  "with elements named like what scripts read": {
    snippet: "",
    body: `<form id="experimentation"></form><img name="cookie"><img name="referrer"><img name="title"><a id="navigation"></a>
      <a id="trustedTypes"></a><a id="history"></a><form name="location"></form>${BODY}<script src="/snippet.js"></script>`,
  },
  "with elements named like what the document has": {
    snippet: "",
    body: `${NAMED}<iframe name="referrer"></iframe>${BODY}<script src="/snippet.js"></script>`,
  },
  "in a form whose fields are named like what elements have": { body: inForm(BODY) },
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

/**
 * No task of ours may take a larger part of what the browser takes to parse the same page: some 400 ms for two megabytes on a small
 * server, so that ours stay near a frame there. A ratio, since the processor itself is slower in some minutes.
 */
const PART_OF_PARSING = 1 / 10;

test("two megabytes of document: no task of ours takes a tenth of what parsing them takes", () =>
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
    const longest = Math.max(...ours.map(({ tdur }) => tdur));
    const parsing = trace.traceEvents.reduce((sum, { name, tdur }) => (name === "ParseHTML" ? sum + (tdur ?? 0) : sum), 0);
    assert.ok(longest < parsing * PART_OF_PARSING, `${longest} of ${parsing} µs`);
  }));

for (const [what, change, expected] of [
  ["a text", { type: "text", value: "New" }, ["New", 0]],
  ["HTML", { type: "html", value: "<b>New</b>" }, ["New", 0]],
  ["a style", { type: "style", name: "color", value: "rgb(1, 2, 3)" }, ["Old", 0]],
  ["a class", { type: "class", value: "new" }, ["Old", 0]],
  ["an attribute", { type: "attribute", name: "title", value: "New" }, ["Old", 0]],
  ["something inserted before", { type: "insert", value: "<b>New</b>", position: "before" }, ["Old", 1]],
  ["something inserted at the end", { type: "insert", value: "<b>New</b>", position: "append" }, ["OldNew", 0]],
  ["another place", { type: "move", to: "p", position: "after" }, ["Old", 1]],
  ["no place", { type: "remove" }, [undefined, 0]],
]) {
  test(`a form whose fields are named like what elements have gets ${what}, and nothing fails`, () =>
    stage.visit(async (site) => {
      const warnings = [];
      site.page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
      const page = everywhere({ undo_changes: true });
      const campaign = abTest({ pages: ["everywhere"], weights: [0, 10000], changes: [undefined, [{ selector: "form", ...change }]] });
      await site.publish(project({ pages: [page], campaigns: [campaign] }));
      site.write("/", `<!doctype html><title>Shop</title><script src="/snippet.js"></script><form>Old${FIELDS}</form>${FIELDS.replaceAll("<input", `<input form="f"`)}<p>after</p>`);
      await site.open();

      const look = () => {
        const form = document.querySelector("form");
        return [form ? form.innerText : undefined, [...document.body.children].filter((each) => /New/.test(each.innerText)).length];
      };
      assert.equal((await site.page.evaluate(look))[0], expected[0]);

      await site.push({ type: "page", pageName: "everywhere", isActive: false });
      assert.equal((await site.page.evaluate(look))[0], "Old");
      assert.deepEqual(warnings, []);
    }));
}
