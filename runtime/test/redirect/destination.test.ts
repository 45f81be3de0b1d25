/** Where redirects lead, and whether one may have led here. */

import { describe, expect, test, vi } from "vitest";
import type { ChangeConfig, ExperimentConfig } from "../../src/project/config";
import { ChangeKind, RedirectFlag } from "../../src/project/config";
import { destinationOf, leadsHere } from "../../src/redirect/destination";
import { takeAddressNote } from "../../src/redirect/note";
import { abTest } from "../support/project";

const to = (destination: string | (() => unknown), flags = 0): ChangeConfig => [ChangeKind.Redirect, 0, destination, flags];

const at = (path: string): void => history.replaceState(null, "", path);

describe("a destination", () => {
  test.each([
    ["https://blog.test/a", "https://blog.test/a"],
    ["/story", "https://www.shop.test/story"],
    ["story?a=1#b", "https://www.shop.test/mugs/story?a=1#b"],
    ["?v=b", "https://www.shop.test/mugs/red?v=b"],
    ["#b", "https://www.shop.test/mugs/red?c=1#b"],
    ["", "https://www.shop.test/mugs/red?c=1"],
  ])("written %j is seen from the page", (written, href) => {
    at("/mugs/red?c=1");

    expect(destinationOf(to(written))?.href).toBe(href);
  });

  test("may be the answer of code", () => {
    expect(destinationOf(to(() => "/story"))?.href).toBe("https://www.shop.test/story");
    expect(destinationOf(to(() => new URL("https://blog.test/a")))?.href).toBe("https://blog.test/a");
  });

  test.each(["javascript:alert(1)", "data:text/html,a", "mailto:a@shop.test", "file:///etc/passwd"])("is no page for %s", (written) => {
    expect(destinationOf(to(written))).toBeUndefined();
  });

  test("is none where the address is none, or its code fails", () => {
    const log = vi.spyOn(console, "warn").mockImplementation(() => undefined);

    expect(destinationOf(to("https://"))).toBeUndefined();
    expect(
      destinationOf(
        to(() => {
          throw new Error("mine");
        }),
      ),
    ).toBeUndefined();

    expect(log).toHaveBeenCalledTimes(2);
  });

  test.each([
    ["/story", "?a=1&b=2", "/story?a=1&b=2"],
    ["/story?c=3", "?a=1", "/story?c=3&a=1"],
    ["/story?a=3", "?a=1&b=2", "/story?a=3&b=2"],
    ["/story#x", "?a=1", "/story?a=1#x"],
    ["/story", "", "/story"],
    ["/story", "?a=%20&b", "/story?a=%20&b"],
  ])("%s takes over %j of the page as %s where it says so", (written, search, path) => {
    at("/mugs" + search);

    expect(destinationOf(to(written, RedirectFlag.PreserveParameters))?.href).toBe("https://www.shop.test" + path);
    expect(destinationOf(to(written, RedirectFlag.AllowChain))?.href).toBe(new URL(written, "https://www.shop.test").href);
  });
});

describe("a redirect may have led here", () => {
  const ask = (change: ChangeConfig | 0, ends = [5000, 10000]): boolean | undefined => {
    const campaign = abTest({ ends, changes: [0, change ? [change] : 0] });
    return leadsHere(campaign, campaign[3][0] as ExperimentConfig, 1);
  };

  test.each([
    ["to this very page", "/story", true],
    ["to it in another spelling", "http://WWW.shop.test/Story/", true],
    ["to another part of it", "/story#x", true],
    ["to another page", "/mugs", false],
    ["to it with other parameters", "/story?a=1", false],
  ])("%s", (_, written, answer) => {
    at("/story");

    expect(ask(to(written))).toBe(answer);
  });

  test("or not, where only its code knew", () => {
    const code = vi.fn(() => "/story");

    expect(ask(to(code))).toBeUndefined();
    expect(code).not.toHaveBeenCalled();
  });

  test("but not where the variation has none", () => {
    expect(ask(0)).toBe(false);
    expect(ask([ChangeKind.Text, "h1", "a"])).toBe(false);
  });

  test("but not where no visitor is given the variation", () => {
    at("/story");

    expect(ask(to("/story"), [10000, 10000])).toBe(false);
    expect(ask(to("/story"), [0, 10000])).toBe(true);
  });
});

describe("the note in the address", () => {
  test.each([
    ["?experimentation_redirect=4001%3A5002", "4001:5002", ""],
    ["?a=1&experimentation_redirect=4001&b=2", "4001", "?a=1&b=2"],
    ["?experimentation_redirect=4001&b=2#c", "4001", "?b=2#c"],
    ["?a=1&experimentation_redirect=4001#c", "4001", "?a=1#c"],
    ["?a=1", "", "?a=1"],
    ["", "", ""],
  ])("of %j is %j, and leaves %j", (search, note, rest) => {
    at("/story" + search);

    expect(takeAddressNote()).toBe(note);

    expect(location.href).toBe("https://www.shop.test/story" + rest);
  });

  test("leaves the state of the page's history as it is", () => {
    history.replaceState({ step: 3 }, "", "/story?experimentation_redirect=4001");

    takeAddressNote();

    expect(history.state).toStrictEqual({ step: 3 });
  });
});
