/** Several tabs of one visitor: what one stores, and what another has stored meanwhile. */

import { beforeEach, describe, expect, test, vi } from "vitest";
import { openPage } from "../support/openPage";
import { abTest, home } from "../support/project";

const KEY = "experimentation:1000";
const project = {
  pages: [home],
  campaigns: [abTest()],
  attributes: [
    [7001, "plan", "Plan"],
    [7002, "city", "City"],
  ],
} as const;

type Page = Awaited<ReturnType<typeof openPage>>;

const entry = (texts: string, id = "ada"): string => `2|${id}|${texts}|`;
const stored = (): string[] => (localStorage.getItem(KEY) ?? "").split("|");
const pairs = (): Record<string, string> => {
  const [, , texts = ""] = stored();
  const parts = texts.split(",");
  return Object.fromEntries(parts.flatMap((key, at) => (at % 2 ? [] : [[key, parts[at + 1]]])));
};
/** As the browser tells the tabs that did not write. */
const tellOtherTabs = (key: string | null = KEY): boolean => window.dispatchEvent(new StorageEvent("storage", { key }));
const tell = ({ api }: Page, attributes: object): unknown => api.push({ type: "user", attributes } as never);
const open = (): Promise<Page> => openPage(project as unknown as Parameters<typeof openPage>[0]);

beforeEach(() => {
  document.cookie = "experimentation_id=ada; path=/; domain=shop.test";
});

describe("an attribute", () => {
  test("that another tab has added stays when this one adds another", async () => {
    const page = await open();
    localStorage.setItem(KEY, entry("day,20000,a7002,=Oslo"));

    tell(page, { plan: "gold" });

    expect(pairs()).toMatchObject({ a7001: "=gold", a7002: "=Oslo" });
  });

  test("is what was told last, in whichever tab", async () => {
    const page = await open();
    tell(page, { plan: "gold" });
    localStorage.setItem(KEY, entry("a7001,=silver"));
    tellOtherTabs();

    tell(page, { city: "Oslo" });

    expect(pairs()).toMatchObject({ a7001: "=silver", a7002: "=Oslo" });
  });

  test("that another tab has forgotten is forgotten here", async () => {
    const page = await open();
    tell(page, { plan: "gold" });
    localStorage.setItem(KEY, entry("day,20000"));

    tell(page, { city: "Oslo" });

    expect(pairs()).not.toHaveProperty("a7001");
    expect(pairs()).toHaveProperty("a7002", "=Oslo");
  });

  test("that is forgotten here is forgotten, though another tab has it still", async () => {
    const page = await open();
    tell(page, { plan: "gold" });
    localStorage.setItem(KEY, entry("a7001,=gold,a7002,=Oslo"));

    tell(page, { plan: null });

    expect(pairs()).not.toHaveProperty("a7001");
    expect(pairs()).toHaveProperty("a7002", "=Oslo");
  });
});

describe("a variation", () => {
  const of = (page: Page): string | undefined => page.state.getVariationMap()["4001"]?.id;

  test("that another tab gave first is the visitor's", async () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    const page = await open();
    const own = of(page);
    const other = own === "5001" ? "5002.1" : "5001.0";
    vi.restoreAllMocks();
    localStorage.setItem(KEY, entry(`day,20000,-4001,${other}`));

    tell(page, { plan: "gold" });

    expect(pairs()).toMatchObject({ "-4001": other, a7001: "=gold" });
  });

  test("that the site chose here wins over another tab's", async () => {
    const page = await open();
    localStorage.setItem(KEY, entry("day,20000,-4001,5001.0"));

    page.api.push({ type: "bucketVisitor", experimentId: "4001", variationIndex: 1 } as never);

    expect(pairs()).toHaveProperty("-4001", "5002.1");
  });

  test("of an experiment that this tab does not know stays", async () => {
    const page = await open();
    localStorage.setItem(KEY, entry("day,20000,-4009,5009.2"));

    tell(page, { plan: "gold" });

    expect(pairs()).toHaveProperty("-4009", "5009.2");
    expect(page.state.getVariationMap()["4009"]).toStrictEqual({ id: "5009", name: null, index: 2 });
  });
});

describe("what is stored", () => {
  test("of another visitor is not this one's", async () => {
    const page = await open();
    localStorage.setItem(KEY, entry("a7002,=Oslo,-4009,5009.2", "bob"));

    tell(page, { plan: "gold" });

    expect(stored()[1]).toBe("ada");
    expect(pairs()).not.toHaveProperty("a7002");
    expect(page.state.getVariationMap()).not.toHaveProperty("4009");
  });

  test("is read when another tab has written, and at no other key of the site", async () => {
    const page = await open();
    const reads = vi.spyOn(Storage.prototype, "getItem");

    tellOtherTabs("basket");
    expect(reads).not.toHaveBeenCalled();
    localStorage.setItem(KEY, entry("day,20000,-4009,5009.2"));
    tellOtherTabs();

    expect(reads).toHaveBeenCalledTimes(1);
    expect(page.state.getVariationMap()).toHaveProperty("4009");
  });

  test("is not written again where nothing is new", async () => {
    const page = await open();
    tell(page, { plan: "gold" });
    const writes = vi.spyOn(Storage.prototype, "setItem");

    tell(page, { plan: "gold" });

    expect(writes).not.toHaveBeenCalled();
  });
});

describe("a refusal in another tab", () => {
  const isOff = ({ state }: Page): boolean => state.getActivationId() === "0";

  test("ends this one as soon as it would store something", async () => {
    const page = await open();
    document.cookie = "experimentation_id=-; path=/; domain=shop.test";
    localStorage.removeItem(KEY);

    tell(page, { plan: "gold" });

    expect(isOff(page)).toBe(true);
    expect(localStorage.getItem(KEY)).toBeNull();
  });

  test("ends this one when it is told of it", async () => {
    const page = await open();
    document.cookie = "experimentation_id=-; path=/; domain=shop.test";

    tellOtherTabs(null);

    expect(isOff(page)).toBe(true);
    expect(page.state.getVariationMap()).toStrictEqual({});
    expect(page.api.get("visitor").visitorId).toBe("");
  });

  test("ends this one when the browser shows it again, before anything asks", async () => {
    const page = await open();
    document.cookie = "experimentation_id=-; path=/; domain=shop.test";

    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));

    expect(page.api.get("visitor").visitorId).toBe("");
  });

  test("after which another visitor began ends this one: its decisions are not theirs", async () => {
    const page = await open();
    const theirs = "2|theirs||";
    document.cookie = "experimentation_id=theirs; path=/; domain=shop.test";
    localStorage.setItem(KEY, theirs);

    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));

    expect(isOff(page)).toBe(true);
    expect(localStorage.getItem(KEY)).toBe(theirs);
  });

  test("is not what a page does that empties its storage", async () => {
    const page = await open();
    localStorage.clear();

    tell(page, { plan: "gold" });

    expect(isOff(page)).toBe(false);
    expect(pairs()).toHaveProperty("a7001", "=gold");
  });

  test("is what a visitor does who takes away cookie and entry", async () => {
    const page = await open();
    document.cookie = "experimentation_id=; path=/; domain=shop.test; max-age=0";
    localStorage.clear();

    tell(page, { plan: "gold" });

    expect(isOff(page)).toBe(true);
    expect(localStorage.getItem(KEY)).toBeNull();
  });
});
