/** Changes that wait, in projects without `utils`: these have no code that waits for elements. */

import { expect, test } from "vitest";
import type { ChangeConfig } from "../../src/project/config";
import { ChangeKind } from "../../src/project/config";
import { frame } from "../support/frame";
import { openPage } from "../support/openPage";
import { everybodyGets, home } from "../support/project";

const short: ChangeConfig = [ChangeKind.Text, "h1", "Short"];

test.each([
  ["an async change", [ChangeKind.Text, "p", "New", 0, 0, "", [], 1]],
  ["code that returns a promise", [ChangeKind.Javascript, 0, () => Promise.resolve()]],
] satisfies [string, ChangeConfig][])("the others are kept up beside %s", async (_, waiting) => {
  await openPage({ pages: [home], campaigns: [everybodyGets(waiting, short)] });
  await frame();

  document.body.innerHTML = "<h1>Again</h1>";
  await frame();

  expect(document.querySelector("h1")?.textContent).toBe("Short");
});
