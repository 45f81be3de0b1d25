/** Without campaigns: who the visitor is stays known, and what an earlier revision gave them. */

import { describe, expect, test, vi } from "vitest";
import { openPage } from "../support/openPage";

const KEY = "experimentation:1000";
const project = { pages: [], campaigns: [], revision: "a" };
const stored = (): string => localStorage.getItem(KEY) ?? "";

describe("without campaigns", () => {
  test("the visitor keeps the id, and nothing is written again on the same day", async () => {
    const first = (await openPage(project)).api.get("visitor").visitorId;
    const writes = vi.spyOn(Storage.prototype, "setItem");

    expect((await openPage(project)).api.get("visitor").visitorId).toBe(first);
    expect(writes).not.toHaveBeenCalled();
    expect(document.cookie).toContain(`experimentation_id=${first}`);
  });

  test("the next day renews what is stored, and loses nothing", async () => {
    await openPage(project);
    localStorage.setItem(KEY, stored().replace(/day,\d+/, "day,1,-4001,5002.1"));

    const { state } = await openPage(project);

    expect(stored()).toMatch(/^2\|\d+\|day,\d{5},-4001,5002\.1(,[a-z]+,[\w.]+)*\|$/);
    expect(state.getVariationMap()).toStrictEqual({ "4001": { id: "5002", name: null, index: 1 } });
  });

  test("a domain that the page says first is stored beside the rest", async () => {
    await openPage(project);
    localStorage.setItem(KEY, stored().replace("day,", "-4001,5002.1,day,"));

    await openPage(project, { before: [{ type: "cookieDomain", cookieDomain: "www.shop.test" }] });

    expect(stored()).toContain("domain,www.shop.test");
    expect(stored()).toContain("-4001,5002.1");
  });

  test("there are the same commands, and none of them breaks anything", async () => {
    const { api } = await openPage(project);
    const types = ["activate", "page", "tags", "user", "bucketVisitor", "event", "holdEvents", "sendEvents", "addListener", "removeListener", "optOut"];

    expect(types.map((type) => api.push({ type, tags: { a: 1 } } as never))).toStrictEqual(types.map(() => true));
    expect(api.push({ type: "unknown" } as never)).toBe(false);
  });

  test("the visitor who opts out has no id", async () => {
    const { api, state } = await openPage(project);

    api.push({ type: "optOut" });

    expect(api.get("visitor").visitorId).toBe("");
    expect(state.getActivationId()).toBe("0");
    expect(stored()).toBe("");
    expect((await openPage(project)).api.get("visitor").visitorId).toBe("");
  });
});
