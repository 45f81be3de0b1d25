/** A page whose address changes while it stays, by whichever way. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { PageConfig } from "../../src/project/config";
import { openPage } from "../support/openPage";
import { urlContains } from "../support/project";

const shop: PageConfig = [2001, "shop", "Shop", urlContains("/shop"), 0, 0, 0, "url_changed", 0, 1];
const { pushState } = History.prototype;

const open = () => openPage({ pages: [shop] });
type Page = Awaited<ReturnType<typeof open>>;

const isOnShop = ({ state }: Page): boolean => state.getPageStates()["2001"].isActive;
/** Until what waits for the call that changed the address is through. */
const settle = (): Promise<void> => Promise.resolve();

beforeEach(() => {
  history.replaceState(null, "", "/");
});

afterEach(() => {
  Reflect.deleteProperty(history, "pushState");
  Reflect.deleteProperty(history, "replaceState");
  Reflect.deleteProperty(window, "navigation");
});

describe("where the browser has no `navigation`", () => {
  test.each(["pushState", "replaceState"] as const)("an address by %s is noticed", async (method) => {
    const page = await open();
    expect(isOnShop(page)).toBe(false);

    history[method](null, "", "/shop");
    await settle();
    expect(isOnShop(page)).toBe(true);
    history[method](null, "", "/about");
    await settle();

    expect(isOnShop(page)).toBe(false);
  });

  test("it is noticed once the call has returned, not before", async () => {
    const page = await open();

    history.pushState(null, "", "/shop");

    expect(isOnShop(page)).toBe(false);
    await settle();
    expect(isOnShop(page)).toBe(true);
  });

  test.each(["popstate", "hashchange"])("a step that the browser tells by %s is noticed", async (event) => {
    const page = await open();
    pushState.call(history, null, "", "/shop");

    window.dispatchEvent(new Event(event));
    await settle();

    expect(isOnShop(page)).toBe(true);
  });

  test("the page's own call has its answer and its failure", async () => {
    await open();

    expect(history.pushState({ a: 1 }, "", "/shop")).toBeUndefined();
    expect(history.state).toStrictEqual({ a: 1 });
    expect(() => history.pushState(null, "", "https://other.test/")).toThrow();
  });

  test("the methods of all histories stay as they are", async () => {
    await open();

    expect(History.prototype.pushState).toBe(pushState);
  });

  test("a wrapper that another program puts around the browser's method later is called, too", async () => {
    await open();
    const heard = vi.fn();
    History.prototype.pushState = function (...args) {
      heard();
      return pushState.apply(this, args);
    };

    history.pushState(null, "", "/shop");
    History.prototype.pushState = pushState;

    expect(heard).toHaveBeenCalledOnce();
    expect(location.pathname).toBe("/shop");
  });

  test("a wrapper of the prototype's method that calls this history's ends", async () => {
    await open();
    const heard = vi.fn();
    const { pushState: found } = history;
    History.prototype.pushState = function (...args) {
      heard();
      return found.apply(this, args);
    };

    expect(() => history.pushState(null, "", "https://other.test/")).toThrow();
    history.pushState(null, "", "/shop");
    History.prototype.pushState = pushState;

    expect(heard).toHaveBeenCalledTimes(2);
    expect(location.pathname).toBe("/shop");
  });

  test.each([true, false])("what a program has put before it on this history stays there (enumerable: %s)", async (enumerable) => {
    const heard = vi.fn();
    const value = function (this: History, ...args: Parameters<typeof pushState>): void {
      heard();
      pushState.apply(this, args);
    };
    Object.defineProperty(history, "pushState", { value, enumerable, configurable: true, writable: true });
    const page = await open();

    history.pushState(null, "", "/shop");
    await settle();

    expect(heard).toHaveBeenCalledOnce();
    expect(isOnShop(page)).toBe(true);
  });

  test("the same address again is no news", async () => {
    const page = await open();
    const deactivated = vi.fn();
    history.pushState(null, "", "/shop");
    await settle();
    page.api.push({ type: "addListener", filter: { name: "pageDeactivated" }, handler: deactivated } as never);

    history.replaceState({ step: 2 }, "", "/shop");
    await settle();

    expect(isOnShop(page)).toBe(true);
    expect(deactivated).not.toHaveBeenCalled();
  });
});

describe("where the browser has `navigation`", () => {
  const withNavigation = () => {
    const navigation = Object.assign(new EventTarget(), { currentEntry: {} as object | null });
    Reflect.set(window, "navigation", navigation);
    return navigation;
  };

  test("it tells of every address", async () => {
    const navigation = withNavigation();
    const page = await open();
    pushState.call(history, null, "", "/shop");

    navigation.dispatchEvent(new Event("currententrychange"));
    await settle();

    expect(isOnShop(page)).toBe(true);
  });

  test("the page's history is left alone", async () => {
    withNavigation();

    await open();

    expect(Object.keys(history)).not.toContain("pushState");
  });

  test("one of the page's own, which is nowhere, is not relied on", async () => {
    Reflect.set(window, "navigation", { open: true });
    const page = await open();

    history.pushState(null, "", "/shop");
    await settle();

    expect(isOnShop(page)).toBe(true);
  });

  test("one without an origin, which tells nothing, is not relied on", async () => {
    withNavigation().currentEntry = null;
    const page = await open();

    history.pushState(null, "", "/shop");
    await settle();

    expect(isOnShop(page)).toBe(true);
  });
});
