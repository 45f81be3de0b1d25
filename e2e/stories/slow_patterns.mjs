/**
 * Regular expressions that `assay check` accepts, and the nastiest addresses that we can think of for each: the browser is done before a
 * visitor notices. Which ones are refused is proved in crates/decide; here, that what is accepted is quick where it runs.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { openBrowser } from "../site/browser.mjs";
import { compiled } from "../site/commands.mjs";
import { home, project } from "../site/projects.mjs";

/** What a visitor does not notice, in processor time: others may keep the machine busy, which also is why the fastest of some tries counts. */
const MILLISECONDS_MAX = 50;
const TRIES = 4;

/** What took less on the clock took less of the processor, too, and is not measured again. */
const QUICK_MILLISECONDS = 5;

/** As much of a text as the runtime compares: see runtime/src/conditions/text.ts. */
const LENGTH = 2048;

/** Patterns that people write. */
const ORDINARY = [
  "^https?://[^/]+/shop/.*$", "/shop/.*/item/.*", "/shop/.*/item/.*x", "^https://.*/shop/.*\\?.*id=\\d+", "^https://.*/shop/.*\\?id=\\d+",
  "(foo|bar)+/", "shop.*cart", "shop.*cart.*pay", "^[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+$", "^/([^/]+/)*[^/]*$", "[?&]utm_(source|medium)=([^&#]*)",
  "\\d{1,3}(\\.\\d{1,3}){3}", "^[a-z0-9]+(?:-[a-z0-9]+)*$", "(ab|a)*c", ".*\\.html$", "\\s+$", "(?:utm_[a-z]+=[^&]*&?)+$", "(\\w+\\.)?(\\w+\\.)?shop\\.example",
];

/** And those that pieces make: each with each, behind an anchor or before one by turns. */
const PIECES = ["/shop/", ".*", "[^/]*", "\\w+", "(?:/[a-z]+)+", "(.*,)?"];
const GENERATED = PIECES.flatMap((one, row) =>
  PIECES.flatMap((two, column) =>
    PIECES.map((three, place) => ((row + column + place) % 2 ? `${one}${two}${three}x$` : `^${one}${two}${three}!`)),
  ),
);

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

/** The searches that may have been slow, as pairs of a pattern and an address. */
const slowSearches = ([patterns, addresses, quick]) =>
  patterns.flatMap((pattern) =>
    addresses.flatMap((address) => {
      const expression = new RegExp(pattern);
      const start = performance.now();
      expression.test(address);
      return performance.now() - start > quick ? [[pattern, address]] : [];
    }),
  );

const search = ([pattern, address]) => void new RegExp(pattern).test(address);

/** The milliseconds of its processor that a page spends on what it is asked. */
const processorTime = async (page) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "ThreadTime").value;
  };
  return async (asked) => {
    const before = await spent();
    await page.evaluate(...asked);
    return (await spent()) - before;
  };
};

test("no pattern that is accepted keeps a browser busy", async (context) => {
  const [ordinary, generated] = [await accepted(ORDINARY), await accepted(GENERATED)];
  const page = await browser.newPage();
  const took = await processorTime(page);

  const slow = [
    ...(await page.evaluate(slowSearches, [ordinary, texts, QUICK_MILLISECONDS])),
    ...(await page.evaluate(slowSearches, [generated, texts.filter((text) => !text.startsWith(START)), QUICK_MILLISECONDS])),
  ];
  const times = [];
  for (const pair of slow) {
    const tries = [];
    while (tries.length < TRIES) tries.push(await took([search, pair]));
    times.push([pair[0], Math.min(...tries)]);
  }

  const [worst] = times.toSorted((one, other) => other[1] - one[1]);
  const counts = `${ordinary.length + generated.length} of ${ORDINARY.length + GENERATED.length} accepted, ${slow.length} searches measured`;
  context.diagnostic(worst ? `${counts}; the slowest: ${worst[0]} took ${worst[1].toFixed(1)} ms` : counts);
  assert.deepEqual(times.filter(([, milliseconds]) => milliseconds > MILLISECONDS_MAX), []);
  assert.ok(ordinary.includes("/shop/.*/item/.*") && ordinary.includes("^https?://[^/]+/shop/.*$"));
});
