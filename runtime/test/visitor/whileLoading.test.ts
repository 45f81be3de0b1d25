/** What the page waits for while its document is still to come, and what comes later: each look at cookies asks another process. */

import { beforeEach, describe, expect, test, vi } from "vitest";
import { ChangeKind } from "../../src/project/config";
import { openPage } from "../support/openPage";
import { abTest, everybodyGets, home } from "../support/project";

const KEY = "experimentation:1000";
const project = { pages: [home], campaigns: [abTest()], attributes: [[7001, "plan", "Plan"]] } as unknown as Parameters<typeof openPage>[0];

type Page = Awaited<ReturnType<typeof openPage>>;

let state: DocumentReadyState;

const open = (options?: Parameters<typeof openPage>[1]): Promise<Page> => openPage(project, options);
const loaded = (): unknown => {
  state = "interactive";
  return document.dispatchEvent(new Event("DOMContentLoaded", { bubbles: true }));
};
const visitorId = ({ api }: Page): string => api.get("visitor").visitorId;
const stored = (): string => localStorage.getItem(KEY) ?? "";

beforeEach(() => {
  state = "loading";
  vi.spyOn(document, "readyState", "get").mockImplementation(() => state);
});

const counted = () => {
  const calls = {
    cookieReads: vi.spyOn(document, "cookie", "get"),
    cookieWrites: vi.spyOn(document, "cookie", "set"),
    reads: vi.spyOn(Storage.prototype, "getItem"),
    writes: vi.spyOn(Storage.prototype, "setItem"),
  };
  return () => Object.fromEntries(Object.entries(calls).map(([name, { mock }]) => [name, mock.calls.length]));
};

describe("before the document is there", () => {
  test("a new visitor costs one look at the cookies, one at storage, and one cookie written", async () => {
    const counts = counted();

    const page = await open();

    expect(page.state.getActiveExperimentIds()).toStrictEqual(["4001"]);
    expect(counts()).toStrictEqual({ cookieReads: 1, cookieWrites: 1, reads: 1, writes: 0 });
  });

  test("a visitor who comes back costs two looks and nothing written, also where the cookie is a day old", async () => {
    await open();
    loaded();
    localStorage.setItem(KEY, stored().replace(/day,\d+/, "day,20000"));
    state = "loading";
    const counts = counted();

    await open();

    expect(counts()).toStrictEqual({ cookieReads: 1, cookieWrites: 0, reads: 1, writes: 0 });
  });

  test("attributes that the site gave before cost no more, and are kept with all that is decided", async () => {
    const counts = counted();

    const page = await open({ before: [{ type: "user", attributes: { plan: "gold" } }] });

    expect(page.state.getActiveExperimentIds()).toStrictEqual(["4001"]);
    expect(counts()).toStrictEqual({ cookieReads: 1, cookieWrites: 1, reads: 1, writes: 0 });
    window.dispatchEvent(new Event("pagehide"));
    expect(stored()).toContain("a7001,=gold");
    expect(stored()).toContain("-4001,");
  });

  test("half a second keeps all: a browser may not tell that a tab was closed, nor that the page dropped our listeners", async () => {
    vi.useFakeTimers();
    await open();

    vi.advanceTimersByTime(499);
    const before = stored();
    vi.advanceTimersByTime(1);

    expect(before).toBe("");
    expect(stored()).toContain("-4001,");
    vi.useRealTimers();
  });

  test("all is kept at once where the browser tells us of nothing later", async () => {
    vi.spyOn(window, "addEventListener").mockImplementation(() => {
      throw new TypeError("replaced");
    });

    await open();

    expect(stored()).toContain("-4001,");
  });

  test("a page that redirects has kept all", async () => {
    const { left } = await openPage({ ...project, campaigns: [everybodyGets([ChangeKind.Redirect, 0, "https://www.shop.test/new", 0])] });

    expect(left).toStrictEqual(["https://www.shop.test/new"]);
    expect(stored()).toContain("-4001,5002.1");
  });
});

describe("once it is there, or left", () => {
  test.each(["DOMContentLoaded", "pagehide"])("%s has all kept, once", async (type) => {
    const page = await open();
    const writes = vi.spyOn(Storage.prototype, "setItem");
    expect(stored()).toBe("");

    window.dispatchEvent(new Event(type));
    window.dispatchEvent(new Event("pagehide"));

    expect(stored()).toMatch(/^2\|\d+\|ses,.*,domain,shop\.test,.*-4001,500[12]\.[01]\|$/);
    expect(stored()).toContain(visitorId(page));
    expect(writes).toHaveBeenCalledTimes(1);
  });

  test("the visitor is the one that another tab has made of them meanwhile", async () => {
    const page = await open();
    document.cookie = "experimentation_id=bob; path=/; domain=shop.test";

    loaded();

    expect(visitorId(page)).toBe("bob");
    expect(document.cookie).toContain("experimentation_id=bob");
    expect(stored()).toMatch(/^2\|bob\|/);
  });

  test("a visitor who has opted out meanwhile in another tab is forgotten", async () => {
    const page = await open();
    document.cookie = "experimentation_id=-; path=/; domain=shop.test";

    loaded();

    expect(page.state.getActivationId()).toBe("0");
    expect([stored(), document.cookie]).toStrictEqual(["", "experimentation_id=-"]);
  });

  test("a cookie that another tab took away is not brought back with its day", async () => {
    await open();
    loaded();
    localStorage.setItem(KEY, stored().replace(/day,\d+/, "day,20000"));
    state = "loading";
    await open();
    document.cookie = "experimentation_id=; path=/; domain=shop.test; max-age=0";

    loaded();

    expect(document.cookie).toBe("");
  });

  test("a cookie that the likeliest domain did not take stands where it can", async () => {
    const page = await open({ url: "https://www.shop.co.uk/" });
    expect(document.cookie).toBe("");

    loaded();

    expect(document.cookie).toBe(`experimentation_id=${visitorId(page)}`);
    expect(stored()).toContain("domain,shop.co.uk");
    document.cookie = "experimentation_id=; path=/; max-age=0; domain=shop.co.uk";
  });

  test("nothing is kept of who refused meanwhile", async () => {
    const { api } = await open();
    api.push({ type: "optOut" });

    loaded();

    expect(stored()).toBe("");
  });
});
