/** Cookies: read once an activation, and written for the whole site. */

import { beforeEach, describe, expect, test, vi } from "vitest";
import { pageView } from "../../src/pageView/pageView";
import { cookieValue, idCookie, writeCookie, writeIdCookie } from "../../src/visitor/cookies";
import { forgetMemory, memory, recall } from "../../src/visitor/memory";

const refuse = (): never => {
  throw new DOMException("refused", "SecurityError");
};

/** All that is written, as it is written. */
const writes = (): string[] => {
  const written: string[] = [];
  Object.defineProperty(document, "cookie", { get: () => "", set: (text: string) => written.push(text), configurable: true });
  return written;
};

beforeEach(() => {
  pageView.cookies = undefined;
  forgetMemory();
});

describe("a cookie", () => {
  test.each([
    ["a=1", "1"],
    ["a=x%20y", "x y"],
    ["a=100%", "100%"],
    ["a=b=c", "b=c"],
  ])("that stands as %s is %j", (cookie, value) => {
    document.cookie = cookie + "; path=/";

    expect(cookieValue("a")).toBe(value);
    document.cookie = "a=; path=/; max-age=0";
  });

  test("that is not there is none", () => {
    expect(cookieValue("a")).toBeUndefined();
  });

  test("is none where the browser refuses them", () => {
    Object.defineProperty(document, "cookie", { get: refuse, set: refuse, configurable: true });

    expect(cookieValue("a")).toBeUndefined();
    expect(() => writeCookie("a", "1", "")).not.toThrow();
  });

  test("is read once for all that ask, until one is written", () => {
    const read = vi.fn(() => "a=1; b=2");
    Object.defineProperty(document, "cookie", { get: read, set: () => undefined, configurable: true });

    expect([cookieValue("a"), cookieValue("b"), cookieValue("c")]).toStrictEqual(["1", "2", undefined]);
    expect(read).toHaveBeenCalledTimes(1);
    writeCookie("a", "2", "");
    read.mockClear();
    cookieValue("a");

    expect(read).toHaveBeenCalledTimes(1);
  });

  test("is written for the whole site, safe from other sites and from open networks", () => {
    const written = writes();

    writeCookie("a", "x y", "; max-age=60");

    expect(written).toStrictEqual(["a=x%20y; path=/; SameSite=Lax; Secure; max-age=60"]);
  });
});

describe("the visitor's cookie", () => {
  test("is on the shortest domain that takes it, which is remembered", () => {
    writeIdCookie("ada");

    expect(idCookie()).toBe("ada");
    expect(recall("domain")).toBe("shop.test");
  });

  test("is written at once where its domain is known", () => {
    memory.domain = "www.shop.test";
    const written = writes();

    writeIdCookie("ada");

    expect(written[0]).toContain("; domain=www.shop.test");
  });

  test.each(["evil.com", "https://shop.test", "test"])("is where it would be without a domain that the page does not belong to: %s", (domain) => {
    memory.domain = domain;

    writeIdCookie("ada");

    expect([idCookie(), recall("domain")]).toStrictEqual(["ada", "shop.test"]);
  });

  test("is taken away with an empty value", () => {
    writeIdCookie("ada");

    writeIdCookie("");

    expect(idCookie()).toBe("");
  });

  test("lives for 400 days", () => {
    const written = writes();

    writeIdCookie("ada");

    expect(written[0]).toContain("; max-age=34560000");
  });
});
