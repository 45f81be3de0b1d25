/** Where a visitor's id comes from. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pageView } from "../../src/pageView/pageView";
import { randomId, namedVisitorId } from "../../src/visitor/visitorId";

beforeEach(() => {
  pageView.cookies = undefined;
});

afterEach(() => {
  Reflect.deleteProperty(window, "user");
  vi.unstubAllGlobals();
});

describe("the id from a cookie", () => {
  test("is its value, decoded", () => {
    document.cookie = "customer=a%20b; path=/";

    expect(namedVisitorId(["cookie", "customer"])).toBe("a b");
  });

  test("is none without the cookie", () => {
    expect(namedVisitorId(["cookie", "customer"])).toBe("");
  });
});

describe("the id from the address", () => {
  test.each([
    ["?customer=c%2F1", "c/1"],
    ["?customer=", ""],
    ["?other=1", ""],
  ])("of %s is %j", (search, id) => {
    history.replaceState(null, "", "/" + search);

    expect(namedVisitorId(["query", "customer"])).toBe(id);
  });
});

describe("the id from local storage", () => {
  test("is what stands there", () => {
    localStorage.setItem("customer", "c1");

    expect(namedVisitorId(["local_storage", "customer"])).toBe("c1");
    expect(namedVisitorId(["local_storage", "other"])).toBe("");
  });

  test("is none where the browser refuses storage", () => {
    vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
      throw new DOMException("refused", "SecurityError");
    });

    expect(namedVisitorId(["local_storage", "customer"])).toBe("");
  });
});

describe("the id from a global of the page", () => {
  test.each<[string, unknown, string, string]>([
    ["is its text", "c1", "user", "c1"],
    ["is its number", 17, "user", "17"],
    ["is a property's", { id: "c1" }, "user.id", "c1"],
    ["is a property's of a property", { account: { id: 17 } }, "user.account.id", "17"],
    ["is none where the property is missing", {}, "user.id", ""],
    ["is none where there is no such way", {}, "user.account.id", ""],
    ["is none of an object", { id: {} }, "user.id", ""],
    ["is none of a truth", true, "user", ""],
    ["is none of nothing", null, "user.id", ""],
  ])("%s", (_, user, path, id) => {
    Reflect.set(window, "user", user);

    expect(namedVisitorId(["javascript", path])).toBe(id);
  });

  test("is none where the page's getter throws", () => {
    Reflect.set(window, "user", {
      get id() {
        throw new Error("not yet");
      },
    });

    expect(namedVisitorId(["javascript", "user.id"])).toBe("");
  });

  test("is not the text of an element with that id", () => {
    document.body.innerHTML = "<form id=user><input name=id></form>";

    expect(namedVisitorId(["javascript", "user.id"])).toBe("");
  });
});

describe("an id of ours", () => {
  test("is another one each time, of digits alone", () => {
    const ids = new Set(Array.from({ length: 100 }, randomId));

    expect(ids.size).toBe(100);
    expect([...ids].every((id) => /^\d{3,}$/.test(id))).toBe(true);
  });

  test("is made without `crypto`, too", () => {
    vi.stubGlobal("crypto", undefined);

    expect(randomId()).toMatch(/^\d+$/);
  });
});
