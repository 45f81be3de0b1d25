/**
 * What `assay decide` says is what the page does: random projects, random visitors, each page view played in a browser and asked about.
 *
 * `SEED=…` plays the projects and visitors of an earlier run again, `BATCHES=…` more or fewer of them.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import fc from "fast-check";

import { compare } from "../random/equivalence.mjs";
import { projects } from "../random/projects.mjs";
import { ORIGINS } from "../random/texts.mjs";
import { visitors } from "../random/visits.mjs";
import { openBrowser } from "../site/browser.mjs";

/** Page views that have to be compared for the run to prove anything. */
const CASES_MIN = 2_000;
const VISITORS_MAX = 120;
/** A failure that is shown to a person should be small, but not tomorrow. */
const SHRINKING_MS_MAX = 60_000;

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const batches = Number(process.env.BATCHES ?? 24);

/** Visitors come first: a failure is made small field by field, and with a single visitor each try is quick. */
const randomBatches = fc.record({
  visitors: fc.array(visitors, { minLength: 1, maxLength: VISITORS_MAX, size: "max" }),
  origin: fc.constantFrom(...ORIGINS),
  before: projects,
  now: projects,
});

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {import("playwright-core").Page} */
let tab;

before(async () => {
  browser = await openBrowser();
  const context = await browser.newContext({ timezoneId: "Europe/Berlin" });
  await context.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><h1>Shop</h1>" }));
  tab = await context.newPage();
});

after(() => browser?.close());

/** In a document that no earlier batch has touched. */
const compareAnew = async (batch) => {
  await tab.context().clearCookies();
  await tab.goto(batch.origin);
  return compare(tab, batch);
};

test("the explanation agrees with what the page does", async (context) => {
  context.diagnostic(`SEED=${seed} BATCHES=${batches}`);
  let count = 0;
  const property = fc.asyncProperty(randomBatches, async (batch) => {
    const result = await compareAnew(batch);
    count += result.count;
    return result.difference === undefined;
  });

  const found = await fc.check(property, { seed, numRuns: batches, endOnFailure: true });

  if (found.failed) assert.fail(await told(property, found));
  context.diagnostic(`${count} page views compared`);
  assert.ok(count >= Math.min(CASES_MIN, batches * 50), `only ${count} page views compared`);
});

/** All that is needed to see the difference without the test: of as small a batch as can be found in a minute. */
const told = async (property, { counterexamplePath, counterexample }) => {
  const { counterexample: smaller } = await fc.check(property, {
    seed,
    path: counterexamplePath,
    interruptAfterTimeLimit: SHRINKING_MS_MAX,
  });
  const { difference } = await compareAnew((smaller ?? counterexample)[0]);
  if (!difference) return `SEED=${seed}: the page differed from \`assay decide\` once, and not again: ${JSON.stringify(counterexample)}`;
  const { project, visit, page, answer, campaigns } = difference;
  return [
    `SEED=${seed}: the page does not do what \`assay decide\` says`,
    `project: ${JSON.stringify(project)}`,
    `visit: ${JSON.stringify(visit)}`,
    `explained: ${JSON.stringify(campaigns, null, 1)}`,
    `+ the page, - assay decide\n${messageOf(() => assert.deepStrictEqual(page, answer))}`,
  ].join("\n\n");
};

const messageOf = (act) => {
  try {
    act();
    return "";
  } catch ({ message }) {
    return message;
  }
};
