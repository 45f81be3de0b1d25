/** The list of changes: what a new change takes the place of, and what it leaves. */

import { expect, test } from "vitest";
import type * as Config from "../../src/project/config";
import type { PageConfig } from "../../src/project/config";
import type { DocumentChange } from "../../src/project/editing";
import { openPage } from "../support/openPage";
import { everybodyGets, home, urlContains } from "../support/project";

const EDITING = { variation: 5002, title: "Short", console: "https://console.test", site: "https://www.shop.test", nonce: "n", mayWriteCode: true };

/** A page that is not active here. */
const cart: PageConfig = [2003, "cart", "Cart", urlContains("/cart")];

const opened = async (...changes: DocumentChange[]) => {
  const project = { pages: [home, cart], campaigns: [everybodyGets()], observedAttributes: ["class"], editing: { ...EDITING, changes } };
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

const textChange = (value: string, page?: string): DocumentChange => ({ type: "text", selector: "h1", value, ...(page && { page }) });

test("a change limited to another page stays as it is, and keeps its say there", async () => {
  const { put, list } = await opened(textChange("Cart", "2003"));

  put(textChange("N"));
  put(textChange("New"));

  expect(list()).toEqual([textChange("New"), textChange("Cart", "2003")]);
  expect(document.querySelector("h1")?.textContent).toBe("New");
});

test("of the changes that are in force here, the last one is changed, and stays limited to its page", async () => {
  const { put, list } = await opened(textChange("All"), textChange("Home", "2001"));

  put(textChange("New"));

  expect(list()).toEqual([textChange("All"), textChange("New", "2001")]);
  expect(document.querySelector("h1")?.textContent).toBe("New");
});
