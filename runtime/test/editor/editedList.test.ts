/** The list of changes: what a new change takes the place of, and what it leaves. */

import { expect, test } from "vitest";
import type * as Config from "../../src/project/config";
import type { DocumentChange } from "../../src/project/editing";
import { openPage } from "../support/openPage";
import { everybodyGets, home } from "../support/project";

const EDITING = { variation: 5002, title: "Short", console: "https://console.test", site: "https://www.shop.test", nonce: "n", mayWriteCode: true };

const opened = async (...changes: DocumentChange[]) => {
  const project = { pages: [home], campaigns: [everybodyGets()], observedAttributes: ["class"], editing: { ...EDITING, changes } };
  await openPage(project as Partial<typeof Config>);
  const { openList } = await import("../../src/editor/editedList");
  return openList(() => {});
};

const classChange = (value: string): DocumentChange => ({ type: "class", selector: "h1", value });

test("a second class is added to the first, and the same one only once", async () => {
  const { put, list } = await opened();

  put(classChange("wide"));
  put(classChange("red"));
  put(classChange("wide"));

  expect(list()).toEqual([classChange("wide"), classChange("red")]);
  expect(document.querySelector("h1")?.className).toBe("wide red");
});
