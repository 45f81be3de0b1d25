/** The snippet of a preview link: when it takes the place of the live one, and how it lasts for the tab. */

import { afterEach, describe, expect, test, vi } from "vitest";
import { keepPreview, loadPreview } from "../../src/preview/preview";

const KEY = "experimentation_preview";
const OURS = "https://assay.test/js/1000.js";

/** The element that runs us, with something behind it. */
const run = (src: string, more: Partial<HTMLScriptElement> = {}): HTMLScriptElement => {
  const script = document.createElement("script");
  // One of another kind is not fetched, here as little as in a browser.
  script.type = "text/plain";
  script.src = src;
  Object.assign(script, more);
  document.body.replaceChildren(script, document.createElement("p"));
  vi.spyOn(Document.prototype, "currentScript", "get").mockReturnValue(script);
  return script;
};

const loaded = (): HTMLScriptElement[] => [...document.querySelectorAll<HTMLScriptElement>("head script")];

const at = (search: string): void => history.replaceState(null, "", "/" + search);

afterEach(() => {
  loaded().forEach((script) => script.remove());
});

describe("a preview", () => {
  test("that the address asks for is loaded from where we came from", () => {
    at("?experimentation_preview=a.b-c_1");
    run(OURS, { async: true });

    expect(loadPreview(vi.fn())).toBe(true);

    expect(loaded().map(({ src }) => src)).toStrictEqual([OURS + "?preview=a.b-c_1"]);
  });

  test("that the tab was asked for earlier is loaded, too", () => {
    sessionStorage.setItem(KEY, "token");
    run(OURS, { async: true });

    expect(loadPreview(vi.fn())).toBe(true);

    expect(loaded()[0].src).toBe(OURS + "?preview=token");
  });

  test("of the address counts before the tab's", () => {
    sessionStorage.setItem(KEY, "old");
    at("?experimentation_preview=new");
    run(OURS, { async: true });

    loadPreview(vi.fn());

    expect(loaded()[0].src).toBe(OURS + "?preview=new");
  });

  test("takes the place of our own query and fragment", () => {
    at("?experimentation_preview=token");
    run(OURS + "?v=1#x", { async: true });

    loadPreview(vi.fn());

    expect(loaded()[0].src).toBe(OURS + "?preview=token");
  });

  test("has our nonce", () => {
    at("?experimentation_preview=token");
    run(OURS, { async: true, nonce: "n1" });

    loadPreview(vi.fn());

    expect(loaded()[0].nonce).toBe("n1");
  });

  test("is written where the page waits for us, so that it waits for the preview as well", () => {
    const write = vi.spyOn(Document.prototype, "write").mockImplementation(() => undefined);
    at("?experimentation_preview=token");
    run(OURS, { async: false, nonce: "n1" });

    loadPreview(vi.fn());

    expect(write).toHaveBeenCalledWith(`<script src="${OURS}?preview=token" nonce="n1"></script>`);
  });

  test("lets us begin once it came, and where it does not come", () => {
    at("?experimentation_preview=token");
    run(OURS, { async: true });
    const begin = vi.fn();

    loadPreview(begin);
    expect(begin).not.toHaveBeenCalled();
    loaded()[0].dispatchEvent(new Event("load"));
    loaded()[0].dispatchEvent(new Event("error"));

    expect(begin).toHaveBeenCalledTimes(2);
  });
});

describe("no preview is loaded", () => {
  test.each([
    ["where none is asked for", "", OURS],
    ["where an empty one ends it", "?experimentation_preview=", OURS],
    ["for what is no token", "?experimentation_preview=a%22b", OURS],
    ["where we are the preview already", "?experimentation_preview=token", OURS + "?preview=token"],
    ["for a script of another project", "?experimentation_preview=token", "https://assay.test/js/1001.js"],
    ["for a bundle that holds us", "?experimentation_preview=token", "https://shop.test/bundle.js"],
    ["for an address that only ends like ours", "?experimentation_preview=token", "https://evil.test/?/js/1000.js"],
  ])("%s", (_, search, src) => {
    at(search);
    run(src, { async: true });

    expect(loadPreview(vi.fn())).toBe(false);

    expect(loaded()).toHaveLength(0);
  });

  test("from where an image named like the running script says", () => {
    at("?experimentation_preview=token");
    run(OURS, { async: true });
    const image = document.createElement("img");
    image.src = "https://evil.test/js/1000.js";
    vi.spyOn(Document.prototype, "currentScript", "get").mockReturnValue(image as unknown as HTMLScriptElement);

    expect(loadPreview(vi.fn())).toBe(false);
  });
});

describe("an immutable address", () => {
  test("is ours as well", () => {
    at("?experimentation_preview=token");
    run("https://assay.test/js/1000/4f2a.js", { async: true });

    expect(loadPreview(vi.fn())).toBe(true);
  });
});

describe("the snippet of a preview link", () => {
  test("keeps its token for the tab", () => {
    run(OURS + "?preview=token");

    keepPreview();

    expect(sessionStorage.getItem(KEY)).toBe("token");
  });

  test.each([OURS, OURS + "?v=preview", "https://shop.test/bundle.js?preview=token"])("keeps nothing when it is %s", (src) => {
    run(src);

    keepPreview();

    expect(sessionStorage.getItem(KEY)).toBeNull();
  });

  test("goes on where the browser refuses to keep it", () => {
    run(OURS + "?preview=token");
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("refused", "SecurityError");
    });

    expect(keepPreview).not.toThrow();
  });
});
