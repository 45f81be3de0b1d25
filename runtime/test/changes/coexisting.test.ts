/** Changes that share elements with each other, and with an app that goes on counting on what it rendered. */

import { beforeEach, describe, expect, test, vi } from "vitest";
import { ChangeKind } from "../../src/project/config";
import type { ChangeConfig, PageConfig } from "../../src/project/config";
import { frame } from "../support/frame";
import { openPage } from "../support/openPage";
import { abTest, everybodyGets, everywhere, home } from "../support/project";
import { unmarked } from "../support/unmarked";

const body = "<h1>Hello</h1><ul><li>1</li><li>2</li><li>3</li><li>4</li></ul>";
const observedAttributes = ["class", "style"];

const open = (...changes: ChangeConfig[]) => openPage({ pages: [home], campaigns: [everybodyGets(...changes)], observedAttributes }, { body });

const find = (selector: string): HTMLElement => document.querySelector<HTMLElement>(selector) ?? document.createElement("i");
const items = (): string => [...find("ul").children].map((item) => item.textContent).join("");

const tick = async (): Promise<void> => {
  document.body.append(".");
  await frame();
};

let warn = vi.spyOn(console, "warn");
beforeEach(() => {
  warn = vi.spyOn(console, "warn").mockReturnValue();
});

describe("an element chosen by its place", () => {
  test.each<[string, ChangeConfig, string]>([
    ["removed from the middle", [ChangeKind.Remove, "li:nth-child(2)"], "134"],
    ["removed from the end", [ChangeKind.Remove, "li:last-child"], "123"],
    ["removed as the neighbour of another", [ChangeKind.Remove, "li:first-child + li"], "134"],
    ["moved to the end", [ChangeKind.Move, "li:first-child", "ul", "append"], "2341"],
    ["moved up", [ChangeKind.Move, "li:nth-child(2)", "li:nth-child(1)", "before"], "2134"],
    ["moved to the front", [ChangeKind.Move, "li:last-child", "ul", "prepend"], "4123"],
  ])("is not followed by the next one that comes to stand there: %s", async (_, change, expected) => {
    await open(change);
    for (let times = 0; times < 5; times++) {
      await tick();
    }

    expect(items()).toBe(expected);
  });

  test("keeps its change where others are inserted or moved before it", async () => {
    await open(
      [ChangeKind.Text, "li:nth-child(2)", "two"],
      [ChangeKind.Insert, "li:nth-child(1)", "<li>0</li>", "before"],
      [ChangeKind.Move, "li:nth-child(5)", "ul", "prepend"],
    );
    await tick();
    await tick();

    expect(items()).toBe("401two3");
  });

  test("is another one once the page renders the list anew", async () => {
    await open([ChangeKind.Move, "li:nth-child(2)", "li:nth-child(1)", "before"]);

    find("ul").innerHTML = "<li>a</li><li>b</li><li>c</li>";
    await tick();

    expect(items()).toBe("bac");
  });

  test("leaves other elements their places", async () => {
    await open([ChangeKind.Remove, "li:first-child"], [ChangeKind.Text, "li:nth-child(3)", "three"]);

    expect(items()).toBe("2three4");
  });
});

describe("an app", () => {
  const app: [string, ChangeConfig, string][] = [
    ["text", [ChangeKind.Text, "ul", "New"], "New"],
    ["HTML", [ChangeKind.Html, "ul", "<li>New</li>"], "New"],
    ["a removal", [ChangeKind.Remove, "li:last-child"], "123+"],
    ["a move", [ChangeKind.Move, "li:last-child", "h1", "before"], "123+"],
  ];

  test.each(app)("may take out, and put in, what it counts on to be there: %s", async (_, change, shown) => {
    const rendered = () => [...find("ul").children] as HTMLElement[];
    let last = document.createElement("li");
    await openPage({
      pages: [home],
      campaigns: [everybodyGets(change)],
      projectJavascript: () => {
        last = rendered()[3] as HTMLLIElement;
      },
    }, { body });
    const list = find("ul");

    const other = Object.assign(document.createElement("li"), { textContent: "+" });
    expect(list.insertBefore(other, last)).toBe(other);
    expect(list.removeChild(last)).toBe(last);

    expect([last.isConnected, list.textContent]).toStrictEqual([false, shown]);
    expect(() => list.removeChild(document.createElement("b"))).toThrow();
  });

  test("that keeps making an element anew is not fought for ever", async () => {
    vi.spyOn(window.Date, "now").mockReturnValue(5000);
    await open([ChangeKind.Text, "h1", "Changed"]);
    let changed = 0;
    for (let times = 0; times < 15; times++) {
      find("h1").outerHTML = "<h1>Hello</h1>";
      await frame();
      changed += Number(find("h1").textContent === "Changed");
    }

    expect(changed).toBeLessThanOrEqual(10);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test("that throws all adopted or added style sheets away gets ours back", async () => {
    const css = "h1 { color: green }";
    const ours = () => [...document.querySelectorAll("style")].filter((style) => style.textContent === css);
    await open([ChangeKind.Css, 0, css]);

    ours().forEach((style) => style.remove());
    await frame();

    expect(ours()).toHaveLength(1);
  });
});

describe("two changes of one element", () => {
  test("stand both: a text, and what is inserted beside it", async () => {
    await open([ChangeKind.Insert, "h1", "<b>!</b>", "append"], [ChangeKind.Text, "h1", "New"]);
    const inserted = find("b");
    for (let times = 0; times < 15; times++) {
      await tick();
    }

    expect(unmarked(find("h1").innerHTML)).toBe("New<b>!</b>");
    expect(find("b")).toBe(inserted);
    expect(warn).not.toHaveBeenCalled();
  });

  test("are not made anew by each call that decides again", async () => {
    await open([ChangeKind.Text, "h1", "A"], [ChangeKind.Text, "h1", "B"]);
    const text = find("h1").firstChild;
    for (let times = 0; times < 15; times++) {
      window.experimentation.push({ type: "activate" });
      expect(find("h1").textContent).toBe("B");
    }

    expect(find("h1").firstChild).toBe(text);
    expect(warn).not.toHaveBeenCalled();
  });

  test("end with the later one in force, whichever page began last", async () => {
    const pageOf = (id: number, key: string): PageConfig => [id, key, key, everywhere, 0, 0, 0, "manual", 0, 1];
    const campaignOf = (page: number, text: string) => abTest({ id: 3010 + page, pages: page, ends: [0, 10000], changes: [0, [[ChangeKind.Text, "h1", text]]] });
    const { api } = await openPage({ pages: [pageOf(2001, "one"), pageOf(2002, "two")], campaigns: [campaignOf(0, "A"), campaignOf(1, "B")] }, { body });
    const turn = (pageName: string, isActive: boolean): string => {
      api.push({ type: "page", pageName, isActive });
      return find("h1").textContent;
    };

    expect(turn("two", true)).toBe("B");
    expect(turn("one", true)).toBe("B");
    expect(turn("two", false)).toBe("A");
    expect(turn("two", true)).toBe("B");
  });

  test.each<[string, ChangeConfig, ChangeConfig]>([
    ["a class", [ChangeKind.Text, "h1.new", "New"], [ChangeKind.Class, "h1", "new"]],
    ["an attribute", [ChangeKind.Text, "h1[data-new]", "New"], [ChangeKind.Attribute, "h1", "", "data-new"]],
    ["an insertion", [ChangeKind.Text, "b", "New"], [ChangeKind.Insert, "ul", "<b></b>", "after"]],
    ["HTML", [ChangeKind.Text, "h1 b", "New"], [ChangeKind.Html, "h1", "<b></b>"]],
    ["a move", [ChangeKind.Text, "ul h1", "New"], [ChangeKind.Move, "h1", "ul", "append"]],
  ])("are both made where the first is about what the second brings: %s", async (_, first, second) => {
    await open(first, second);
    await frame();

    expect(document.body.textContent).toContain("New");
  });

  test("may be about what code brings", async () => {
    await open([ChangeKind.Text, "b", "New"], [ChangeKind.Javascript, 0, () => document.body.append(document.createElement("b"))]);
    await frame();

    expect(find("b").textContent).toBe("New");
  });

  test.each<[string, ChangeConfig, ChangeConfig]>([
    ["insertions", [ChangeKind.Insert, "li", "<li>x</li>", "after"], [ChangeKind.Insert, "li", "<li>y</li>", "after"]],
    ["HTML", [ChangeKind.Html, ".a", "<i class=b></i>"], [ChangeKind.Html, ".b", "<i class=a></i>"]],
  ])("that find what the other brings come to an end: %s", async (_, first, second) => {
    await openPage({ pages: [home], campaigns: [everybodyGets(first, second)], observedAttributes }, { body: `${body}<p class="a"></p>` });
    await frame();
    await frame();
    const count = document.querySelectorAll("*").length;
    for (let times = 0; times < 10; times++) {
      await frame();
    }

    expect(document.querySelectorAll("*")).toHaveLength(count);
  });

  test.each<[string, ChangeConfig, ChangeConfig, string]>([
    ["texts", [ChangeKind.Text, "h1", "A"], [ChangeKind.Text, "h1", "B"], "<h1>B</h1>"],
    ["classes", [ChangeKind.Attribute, "h1", "a", "class"], [ChangeKind.Class, "h1", "b"], `<h1 class="a b">Hello</h1>`],
    ["HTML, and text in it", [ChangeKind.Html, "h1", "<i>x</i>"], [ChangeKind.Text, "i", "y"], "<h1><i>y</i></h1>"],
  ])("that exclude each other end with the later one: %s", async (_, first, second, expected) => {
    await open(first, second);
    for (let times = 0; times < 15; times++) {
      await tick();
    }

    expect(find("h1").outerHTML).toBe(expected);
    expect(warn).not.toHaveBeenCalled();
  });
});

test("code of one change may put others in force and out of it", async () => {
  const pageOf = (id: number, key: string): PageConfig => [id, key, key, everywhere, 0, 0, 0, "manual", 0, 1];
  const api = () => window.experimentation;
  const first = () => {
    api().push({ type: "page", pageName: "two" });
    api().push({ type: "page", pageName: "one", isActive: false });
  };
  const one = everybodyGets([ChangeKind.Javascript, 0, first], [ChangeKind.Text, ".late", "one"]);
  const two = abTest({ id: 3010, pages: 1, ends: [0, 10000], changes: [0, [[ChangeKind.Text, ".late", "two"]]] });
  await openPage({ pages: [pageOf(2001, "one"), pageOf(2002, "two")], campaigns: [one, two] }, { body });
  api().push({ type: "page", pageName: "one" });

  document.body.insertAdjacentHTML("beforeend", `<p class="late">late</p>`);
  await frame();

  expect(find(".late").textContent).toBe("two");
});

test("HTML in a drawing is drawn", async () => {
  const svg = `<svg><g id="a"></g></svg>`;
  await openPage({ pages: [home], campaigns: [everybodyGets([ChangeKind.Html, "#a", "<circle/>"], [ChangeKind.Insert, "#a", "<path/>", "after"])] }, { body: svg });

  expect(document.querySelector("#a > circle")?.namespaceURI).toBe("http://www.w3.org/2000/svg");
  expect(document.querySelector("#a + path")?.namespaceURI).toBe("http://www.w3.org/2000/svg");
});

test("thousands of elements are changed over several frames", async () => {
  let now = 1000;
  vi.spyOn(window.Date, "now").mockImplementation(() => (now += 10));
  await openPage({ pages: [home], campaigns: [everybodyGets([ChangeKind.Text, "p", "new"])] }, { body: "<p>old</p>".repeat(250) });
  const changed = () => [...document.querySelectorAll("p")].filter((each) => each.textContent === "new").length;

  expect(changed()).toBe(115);
  await new Promise(requestAnimationFrame);
  expect(changed()).toBe(223);
  await new Promise(requestAnimationFrame);
  expect(changed()).toBe(250);
});
