/** A page that is activated later is decided by what the site has said meanwhile. */

import { expect, test } from "vitest";
import type { Condition } from "../../src/project/config";
import { asking, isIn } from "../support/asking";
import { openPage } from "../support/openPage";
import { abTest, home, manualPage } from "../support/project";

const plan = { type: "custom_attribute", name: "plan", match: "exact", value: "pro" } as const;
const later = (condition: Condition) => ({
  ...asking(["or", condition]),
  pages: [home, manualPage],
  // The second one asked for the same audience when the page was opened.
  campaigns: [abTest({ audiences: ["or", 0], pages: 1 }), abTest({ id: 3010, audiences: ["or", 0] })],
});

test("an attribute that is pushed after the start counts for it", async () => {
  const page = await openPage(later(plan));

  page.api.push({ type: "user", attributes: { plan: "pro" } });
  page.api.push({ type: "page", pageName: "manual" });

  expect(isIn(page)).toBe(true);
  expect(page.state.getActiveExperimentIds(), "what was decided stays").toStrictEqual(["4001"]);
});

test("a page that is active again is decided with what is known then", async () => {
  const page = await openPage(later(plan));
  page.api.push({ type: "user", attributes: { plan: "pro" } });

  page.api.push({ type: "page", pageName: "home", isActive: false });
  page.api.push({ type: "page", pageName: "home" });

  expect(page.state.getActiveExperimentIds()).toStrictEqual(["4010"]);
});
