/**
 * Regular expressions that `assay check` accepts, and the nastiest addresses that we can think of for each: the browser is done before a
 * visitor notices. Which ones are refused is proved in crates/decide; here, that what is accepted is quick where it runs.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { openBrowser } from "../site/browser.mjs";
import { compiled } from "../site/commands.mjs";
import { home, project } from "../site/projects.mjs";

/** What nobody notices. The fastest of some tries counts: others may keep the machine busy. */
const MILLISECONDS_MAX = 50;
const TRIES = 4;

/** As much of a text as the runtime compares: see runtime/src/conditions/text.ts. */
const LENGTH = 2048;

/** Patterns that people write. */
const ORDINARY = [
  "^https?://[^/]+/shop/.*$", "/shop/.*/item/.*", "/shop/.*/item/.*x", "^https://.*/shop/.*\\?.*id=\\d+", "^https://.*/shop/.*\\?id=\\d+",
  "(foo|bar)+/", "shop.*cart", "shop.*cart.*pay", "^[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+$", "^/([^/]+/)*[^/]*$", "[?&]utm_(source|medium)=([^&#]*)",
  "\\d{1,3}(\\.\\d{1,3}){3}", "^[a-z0-9]+(?:-[a-z0-9]+)*$", "(ab|a)*c", ".*\\.html$", "\\s+$", "(?:utm_[a-z]+=[^&]*&?)+$", "(\\w+\\.)?(\\w+\\.)?shop\\.example",
];

/** And those that pieces make: each with each, behind an anchor or not. */
const PIECES = ["/shop/", ".*", "[^/]*", "\\w+", "(?:/[a-z]+)+", "(.*,)?"];
const GENERATED = PIECES.flatMap((one) => PIECES.flatMap((two) => PIECES.flatMap((three) => [`${one}${two}${three}x$`, `^${one}${two}${three}!`])));

/** Texts that are said again and again. */
const WORDS = ["a", "ab", "/", "/shop/", "/item/", "/shop/item/", "shop", "cart", "shopcart", "/a", "1", "1.", "a.", "a-", "a,", "?", "id=", "/shop/?", "https://a/shop/?id", "utm_a=b&", "utm_a=", "foo", " ", "aab", "/a/shop/"];
const ENDS = ["", "#!"];

/** What addresses begin with: patterns made of pieces know nothing of it. */
const START = "https://a/shop/";

const texts = WORDS.flatMap((word) =>
  ENDS.flatMap((end) => ["", START].map((start) => (start + word.repeat(LENGTH)).slice(0, LENGTH - end.length) + end)),
);

/** Whether `assay check` takes the pattern. Asked of many at once: those that are refused are named. */
const accepted = async (patterns) => {
  const page = (value, place) => ({ ...home, id: String(5000 + place), key: `p${place}`, conditions: ["or", { type: "url", match: "regex", value }] });
  const document = { ...project(), pages: patterns.map(page) };
  const complaint = await compiled(document).then(() => "", String);
  const refused = new Set([...complaint.matchAll(/pages\[(\d+)\]/g)].map(([, place]) => Number(place)));
  assert.equal(complaint === "", refused.size === 0, complaint);
  return patterns.filter((_, place) => !refused.has(place));
};

/** @type {import("playwright-core").Browser} */
let browser;

before(async () => {
  browser = await openBrowser();
});

after(() => browser?.close());

/** The slowest search of each pattern, in milliseconds. */
const slowest = ([patterns, addresses, tries]) =>
  patterns.map((pattern) => {
    const took = (text) => {
      const expression = new RegExp(pattern);
      const start = performance.now();
      expression.test(text);
      return performance.now() - start;
    };
    const fastest = (text) => Math.min(...Array.from({ length: tries }, () => took(text)));
    return [pattern, Math.max(...addresses.map((text) => (took(text) > 5 ? fastest(text) : 0)))];
  });

test("no pattern that is accepted keeps a browser busy", async (context) => {
  const [ordinary, generated] = [await accepted(ORDINARY), await accepted(GENERATED)];
  const patterns = [...ordinary, ...generated];
  const page = await browser.newPage();

  const timesOf = (some, tried) => page.evaluate(slowest, [some, tried, TRIES]);
  const times = [...(await timesOf(ordinary, texts)), ...(await timesOf(generated, texts.filter((text) => !text.startsWith(START))))];

  const [worst] = times.toSorted((one, other) => other[1] - one[1]);
  context.diagnostic(`${patterns.length} of ${ORDINARY.length + GENERATED.length} accepted; the slowest: ${worst[0]} took ${worst[1].toFixed(1)} ms`);
  assert.deepEqual(times.filter(([, milliseconds]) => milliseconds > MILLISECONDS_MAX), []);
  assert.ok(patterns.includes("/shop/.*/item/.*") && patterns.includes("^https?://[^/]+/shop/.*$"));
});
