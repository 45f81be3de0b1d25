/**
 * Measures in Chromium how long our snippet takes to decide everything, beside a hand-written floor and an empty script, and prints
 * JSON: one row for each size and visit, in milliseconds. `cargo xtask measure page-speed` runs it, and makes a table of it.
 *
 *     node main.mjs SIZE=SNIPPET… following=SNIPPET   # 10=a.js 100=b.js following=c.js
 *
 * `following` is a project of 100 experiments whose page follows the address, for the route change of a single-page app.
 */

import { openBrowser } from "../../e2e/site/browser.mjs";
import { checkDecisions } from "./checkDecisions.mjs";
import { CANDIDATES, scriptsFor } from "./scripts.mjs";
import { browserArguments, openSite } from "./site.mjs";
import { summary } from "./summary.mjs";
import { timeActivations } from "./timeActivations.mjs";
import { timeLoads } from "./timeLoads.mjs";
import { timeRouteChanges } from "./timeRouteChanges.mjs";
import { timeStates } from "./timeStates.mjs";

const RUNS = 25;

/** The size of the budget for deciding all again, and of the project that follows the address. */
const AGAIN_SIZE = 100;

/** That for reading all states. */
const READ_SIZE = 1000;

const scripts = {};
const sizes = [];
for (const [name, snippet] of process.argv.slice(2).map((argument) => argument.split("="))) {
  const size = name === "following" ? AGAIN_SIZE : Number(name);
  sizes.push(...(name === "following" ? [] : [size]));
  for (const [candidate, script] of Object.entries(await scriptsFor(size, snippet))) {
    scripts[`${candidate}-${name}`] = script;
  }
}

const rows = new Map();
const note = (experiments, visit, candidate, ...times) => {
  const row = rows.get(`${experiments} ${visit}`) ?? { experiments, visit, empty: [], floor: [], ours: [] };
  row[candidate].push(...times);
  rows.set(`${experiments} ${visit}`, row);
};

const server = await openSite(scripts);
const browser = await openBrowser(browserArguments(server));
for (const size of sizes) {
  await checkDecisions(browser, size);
}
// One after the other, again and again: what else the machine does meets all alike.
for (let run = 0; run < RUNS; run++) {
  for (const size of sizes) {
    for (const candidate of CANDIDATES) {
      const { cold, warm } = await timeLoads(browser, `${candidate}-${size}`);
      note(size, "cold", candidate, cold);
      note(size, "warm", candidate, warm);
    }
  }
  for (const candidate of CANDIDATES) {
    const { states, map } = await timeStates(browser, `${candidate}-${READ_SIZE}`);
    note(READ_SIZE, "experiment states", candidate, states);
    note(READ_SIZE, "variation map", candidate, map);
  }
}
for (const candidate of CANDIDATES) {
  note(AGAIN_SIZE, "activated again", candidate, ...(await timeActivations(browser, `${candidate}-${AGAIN_SIZE}`)));
  note(AGAIN_SIZE, "route change", candidate, ...(await timeRouteChanges(browser, `${candidate}-following`)));
}
await browser.close();
server.close();
console.log(JSON.stringify([...rows.values()].map(summary), null, 1));
