/** The selector of a change finds exactly its element, by what its authors named. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chooseSelector, countMatches } from "../../src/editor/selector";
import { isStableClass, isStableName } from "../../src/editor/stableNames";

const choose = (html: string, mark = "[x]"): string => {
  document.body.innerHTML = html;
  const element = document.querySelector(mark);
  if (!element) {
    throw new Error("no element is marked");
  }
  element.removeAttribute("x");
  return chooseSelector(element);
};

describe("names by the authors of a page come first", () => {
  for (const [html, selector] of [
    [`<h1 id="headline" x>A</h1>`, "#headline"],
    [`<h1 x>A</h1>`, "h1"],
    [`<p id="css-1x2y3z" data-testid="intro" x>A</p>`, `[data-testid="intro"]`],
    [`<a class="buy" x>A</a><a>B</a>`, "a.buy"],
    [`<nav><a x>A</a></nav><a>B</a>`, "nav a"],
    [`<section id="hero"><div><p x>A</p></div></section><p>B</p>`, "#hero p"],
    [`<form name="search"><input name="q" x></form><input>`, `input[name="q"]`],
    [`<div class="Card_root__a1B2c" data-product-id="shirt" x></div><div></div>`, `div[data-product-id="shirt"]`],
    [`<main><p>A</p><p x>B</p></main>`, "main > p:nth-of-type(2)"],
    [`<p id="1st:q" x>A</p>`, "body > p"],
    [`<a href="/cart" x>A</a><a href="/">B</a>`, `a[href="/cart"]`],
  ] as const) {
    test(html, () => {
      expect(choose(html)).toBe(selector);
      expect(countMatches(selector)).toBe(1);
    });
  }
});

test("a selector uses no class that the variation itself has set", () => {
  document.body.innerHTML = `<p class="lead sale">A</p><p>B</p>`;
  const element = document.querySelector("p.sale");

  expect(element && chooseSelector(element, { classes: ["lead"], attributes: [] })).toBe("p.sale");
});

const TAGS = ["div", "p", "a", "section", "main", "nav", "ul", "li", "span", "button", "svg"];
const HASHED = ["css-1x2y3z", "sc-bdVaJa", "jss42", "a8f3e9c", "Card_root__a1B2c", "ember123", "x1lliihq", "svelte-1tf2q", "_3fKzW", "btn-7f9ac1"];
const NAMED = ["hero", "buy-button", "price", "product-title", "cta", "we\"ird", "5th", "ü", "a:b", "-", "--x", "step-2"];

interface Tree {
  tag: string;
  attributes: readonly (readonly [string, string])[];
  children: readonly Tree[];
}

const attribute = fc.tuple(fc.constantFrom("id", "class", "data-testid", "data-kind", "name", "href", "aria-label"), fc.constantFrom(...HASHED, ...NAMED));

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.record({
    tag: fc.constantFrom(...TAGS),
    attributes: fc.array(attribute, { maxLength: 3 }),
    children: fc.oneof({ depthSize: "small" }, fc.constant([]), fc.array(tie("tree"), { maxLength: 4 })),
  }),
}));

const build = ({ tag, attributes, children }: Tree): Element => {
  const element = document.createElement(tag);
  attributes.forEach(([name, value]) => element.setAttribute(name, value));
  element.append(...children.map(build));
  return element;
};

test("in any page, each element's selector finds it and nothing else, and rests on no generated class or id", () => {
  fc.assert(
    fc.property(fc.array(tree, { minLength: 1, maxLength: 4 }), (trees) => {
      document.body.replaceChildren(...trees.map(build));
      for (const element of document.body.querySelectorAll("*")) {
        const selector = chooseSelector(element);
        expect([...document.querySelectorAll(selector)]).toEqual([element]);
        const byName = selector.replace(/\[[^\]]*\]/g, "");
        HASHED.forEach((name) => expect(byName).not.toContain(name));
      }
    }),
    { numRuns: 150 },
  );
});

test("names that a build or a script made are told from names that people wrote", () => {
  HASHED.forEach((name) => expect(isStableName(name), name).toBe(false));
  for (const name of ["hero", "buy-button", "productTitle", "site_header", "step-2", "h1", "main-nav", "col2", "primaryCallToAction", "btn"]) {
    expect(isStableName(name), name).toBe(true);
  }
  for (const name of ["mt-4", "md:flex", "text-2xl", "is-open", "active", "w-[3px]", "d-flex"]) {
    expect(isStableClass(name), name).toBe(false);
  }
});
