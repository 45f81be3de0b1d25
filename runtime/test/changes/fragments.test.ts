/** HTML and text of the member as nodes of the page. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

type Fragments = typeof import("../../src/changes/fragments");

const SVG = "http://www.w3.org/2000/svg";

let fragments: Fragments;

const written = (fragment: DocumentFragment): string => {
  const place = document.createElement("div");
  place.append(fragment.cloneNode(true));
  return place.innerHTML;
};

const place = (html: string, selector: string): Element => {
  document.body.innerHTML = html;
  return document.querySelector(selector) as Element;
};

// The policy of Trusted Types is made once a page view.
beforeEach(async () => {
  vi.resetModules();
  fragments = await import("../../src/changes/fragments");
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("HTML", () => {
  test.each(["<b>1</b><i>2</i>", "text", "a <b>b</b> c", "<!--a--><p>b</p>", "<svg><path></path></svg>", ""])("%j is nodes in its order", (html) => {
    expect(written(fragments.fragmentOf(html, document.body))).toBe(html);
  });

  test("may be rows of a table", () => {
    const body = place("<table><tbody></tbody></table>", "tbody");

    const fragment = fragments.fragmentOf("<tr><td>1</td></tr>", body);

    expect(fragment.firstElementChild?.localName).toBe("tr");
  });

  test("belongs to the page, so that its own elements come to life", () => {
    const { firstChild } = fragments.fragmentOf("<b></b>", document.body);

    expect(firstChild?.ownerDocument).toBe(document);
  });

  test("of a drawing is drawn", () => {
    const svg = place("<svg><g></g></svg>", "g");

    const fragment = fragments.fragmentOf("<path/><circle/>", svg);

    expect([...fragment.children].map(({ localName, namespaceURI }) => [localName, namespaceURI])).toStrictEqual([
      ["path", SVG],
      ["circle", SVG],
    ]);
  });

  test("in a drawing's place for HTML is HTML", () => {
    const html = place("<svg><foreignObject></foreignObject></svg>", "foreignObject");

    const fragment = fragments.fragmentOf("<p>1</p>", html);

    expect(fragment.firstElementChild?.namespaceURI).toBe("http://www.w3.org/1999/xhtml");
  });

  test("runs nothing while it is parsed", () => {
    const run = vi.fn();
    vi.stubGlobal("run", run);

    fragments.fragmentOf("<img src=x onerror='run()'><script>run()</script>", document.body);

    expect(run).not.toHaveBeenCalled();
  });
});

describe("Trusted Types", () => {
  test("are told that we vouch for the member's HTML, by one policy", () => {
    const createPolicy = vi.fn((_name: string, rules: object) => rules);
    vi.stubGlobal("trustedTypes", { createPolicy });

    fragments.fragmentOf("<b></b>", document.body);
    fragments.fragmentOf("<i></i>", document.body);

    expect(createPolicy).toHaveBeenCalledTimes(1);
    expect(createPolicy).toHaveBeenCalledWith("experimentation", expect.anything());
  });

  test("that refuse our policy leave the text as it is, which may pass", () => {
    vi.stubGlobal("trustedTypes", {
      createPolicy: () => {
        throw new TypeError("no such policy is allowed");
      },
    });

    expect(written(fragments.fragmentOf("<b>1</b>", document.body))).toBe("<b>1</b>");
  });
});

test("an element for a formula is an element of MathML", () => {
  document.body.innerHTML = "<math></math>";

  const { firstElementChild: sign } = fragments.fragmentOf("<mo>=</mo>", document.querySelector("math") as Element);

  expect([sign?.localName, sign?.namespaceURI]).toStrictEqual(["mo", "http://www.w3.org/1998/Math/MathML"]);
});

describe("text", () => {
  test("is one node, whatever it looks like", () => {
    const { childNodes } = fragments.fragmentWith(["<b>1</b> & 2"]);

    expect([...childNodes].map((node) => node.nodeValue)).toStrictEqual(["<b>1</b> & 2"]);
  });
});
