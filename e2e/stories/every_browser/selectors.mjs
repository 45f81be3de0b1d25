/**
 * In each browser: it takes the selectors that `spec/selectors.json` says it takes, and throws for the others. `assay check` relies
 * on that. With UPDATE_VECTORS=1 the file gets the browsers' answers.
 */

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { after, test } from "node:test";

import { BROWSERS } from "../../browsers/browsers.mjs";

const FILE = new URL("../../../spec/selectors.json", import.meta.url);

/** The pages of these stories are empty, and ask for nothing. */
const NO_PROXY = "127.0.0.1:9";

const { about, vectors } = JSON.parse(await readFile(FILE, "utf8"));

/** Runs in the page: of some selectors, those that the browser takes. */
const taken = (selectors) =>
  selectors.filter((selector) => {
    try {
      document.querySelectorAll(selector);
      return true;
    } catch (error) {
      if (error.name === "SyntaxError") return false;
      throw error;
    }
  });

const answers = new Map();

for (const [name, open] of Object.entries(BROWSERS)) {
  test(`${name} takes the selectors that it is said to take, and no others`, async () => {
    const browser = await open();
    try {
      const tab = await browser.newTab(NO_PROXY);
      const selectors = JSON.stringify(vectors.map(({ selector }) => selector));
      const answer = new Set(await tab.evaluate(`(${taken})(${selectors})`));
      answers.set(name, answer);

      const changed = vectors.filter(({ selector, parses }) => answer.has(selector) !== parses.includes(name));
      if (!process.env.UPDATE_VECTORS) assert.deepEqual(changed, []);
    } finally {
      await browser.close();
    }
  });
}

after(async () => {
  if (!process.env.UPDATE_VECTORS || answers.size < Object.keys(BROWSERS).length) return;
  const lines = (list) => list.map((each) => `    ${each}`).join(",\n");
  const answered = vectors.map(({ selector }) => {
    const names = Object.keys(BROWSERS).filter((name) => answers.get(name).has(selector));
    return `{"selector": ${inAscii(selector)}, "parses": [${names.map((name) => JSON.stringify(name)).join(", ")}]}`;
  });
  const text = `{\n  "about": [\n${lines(about.map((line) => JSON.stringify(line)))}\n  ],\n  "vectors": [\n${lines(answered)}\n  ]\n}\n`;
  await writeFile(FILE, text);
});

const inAscii = (text) =>
  JSON.stringify(text).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
