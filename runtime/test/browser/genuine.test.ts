/** Markup that stands before what a node has itself, and what is the page's own under a name. */

import { afterEach, describe, expect, test } from "vitest";
import { genuine, setGenuine } from "../../src/browser/genuine";
import { globalNamed, globalObject } from "../../src/browser/globals";

const put = (html: string): Element => {
  document.body.innerHTML = html;
  return document.body.firstElementChild as Element;
};

/** What a browser does that jsdom does not: a form has its fields as properties, whatever it has itself. */
const withField = (form: Element, name: string): Element => {
  Object.defineProperty(form, name, { value: document.createElement("input"), configurable: true });
  return form;
};

afterEach(() => {
  document.body.innerHTML = "";
});

describe("what a node has itself", () => {
  test.each(["parentNode", "lastChild", "firstChild", "parentElement", "childNodes"] as const)("is found behind a field named %s", (name) => {
    const plain = put("<form><b></b><i></i></form>");
    const own = plain[name];

    const form = withField(plain, name);

    expect(form[name]).not.toBe(own);
    expect(genuine(form, name)).toBe(own);
  });

  test.each(["before", "append", "remove", "setAttribute", "querySelector"] as const)("is a method behind a field named %s, bound to the node", (name) => {
    const form = withField(put("<form><b></b></form>"), name);

    const method = genuine(form, name);

    expect(typeof method).toBe("function");
  });

  test("does what it says when it is called alone", () => {
    const form = withField(withField(put("<form><b></b></form>"), "querySelector"), "setAttribute");

    genuine(form, "setAttribute")("class", "a");

    expect(form.getAttribute("class")).toBe("a");
    expect(genuine(form, "querySelector")("b")?.localName).toBe("b");
  });

  test("is text, number and truth as it is: markup makes none of these", () => {
    const form = put("<form id=a><b></b></form>");

    expect(genuine(form, "localName")).toBe("form");
    expect(genuine(form, "isConnected")).toBe(true);
    expect(genuine(form, "nodeType")).toBe(1);
  });

  test("is nothing where there is nothing", () => {
    const lone = document.createElement("p");

    expect(genuine(lone, "parentNode")).toBeNull();
    expect(genuine(lone, "lastChild")).toBeNull();
  });

  test("of the document is found behind an image named like it", () => {
    const { head } = document;
    Object.defineProperty(document, "head", { value: put("<img name=head>"), configurable: true });

    expect(genuine(document, "head")).toBe(head);

    Reflect.deleteProperty(document, "head");
  });
});

describe("what the document is given", () => {
  test("reaches it behind an image named like it", () => {
    Object.defineProperty(document, "title", { value: put("<img name=title>"), configurable: true });

    setGenuine("title", "Shop");

    Reflect.deleteProperty(document, "title");
    expect(document.title).toBe("Shop");
  });
});

describe("a global of the page's", () => {
  afterEach(() => {
    Reflect.deleteProperty(window, "shop");
  });

  test("is what the page has declared", () => {
    Reflect.set(window, "shop", { id: 1 });

    expect(globalNamed("shop")).toStrictEqual({ id: 1 });
  });

  test("is none where only the window's prototypes have it", () => {
    expect("addEventListener" in window).toBe(true);
    expect(globalNamed("hasOwnProperty")).toBe(false);
    expect(globalNamed("shop")).toBe(false);
  });

  test("is no element that answers under its id", () => {
    put("<form id=shop></form>");

    expect(globalNamed("shop")).toBe(false);
  });

  test("is made where a tool would look for it, once", () => {
    const first = globalObject("shop", (): string[] => []);
    first.push("a");

    const second = globalObject("shop", (): string[] => []);

    expect(second).toStrictEqual(["a"]);
    expect(Reflect.get(window, "shop")).toBe(first);
  });
});
