/** In each browser: `assay check` calls hardly a style property unknown that the browser knows. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { BROWSERS } from "../../browsers/browsers.mjs";

const FILE = new URL("../../../crates/domain/src/document/css_properties.txt", import.meta.url);

/** The page of this story is empty, and asks for nothing. */
const NO_PROXY = "127.0.0.1:9";

/** A browser may be newer than the list: so many of its properties are one that may not be in it yet. */
const NEWER = 20;

const known = new Set((await readFile(FILE, "utf8")).split("\n"));

for (const [name, open] of Object.entries(BROWSERS)) {
  test(`${name} knows hardly a style property that is called unknown`, async () => {
    const browser = await open();
    try {
      const tab = await browser.newTab(NO_PROXY);
      const properties = await tab.evaluate(`[...getComputedStyle(document.documentElement)]`);

      assert.ok(properties.length > 100, `${properties.length} properties`);
      const unknown = properties.filter((property) => !property.startsWith("-") && !known.has(property));
      assert.ok(unknown.length <= properties.length / NEWER, unknown.join(", "));
    } finally {
      await browser.close();
    }
  });
}
