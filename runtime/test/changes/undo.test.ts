/** Changes that are taken back when their pages end. */

import { describe, expect, test } from "vitest";
import { ChangeKind } from "../../src/project/config";
import type { ChangeConfig, PageConfig } from "../../src/project/config";
import { frame } from "../support/frame";
import { openPage } from "../support/openPage";
import { abTest, everybodyGets, everywhere } from "../support/project";

const body = `<main><h1 class="old" title="t" style="color: red;">Hello</h1><p id="a">A</p><p id="b">B</p></main>`;
const undone: PageConfig = [2001, "page", "Page", everywhere, 0, 0, 0, 0, 0, 3];
const left: PageConfig = [2001, "page", "Page", everywhere, 0, 0, 0, 0, 0, 1];

const main = (): string => document.querySelector("main")?.innerHTML ?? "";

/** Whatever the order of attributes. */
const isAsItWas = (): boolean => {
  const before = document.createElement("div");
  before.innerHTML = body;
  return before.firstElementChild?.isEqualNode(document.querySelector("main")) ?? false;
};

const leave = { type: "page", pageName: "page", isActive: false } as const;

const changes: [string, ChangeConfig][] = [
  ["text", [ChangeKind.Text, "h1", "New"]],
  ["HTML", [ChangeKind.Html, "#a", "<b>New</b>"]],
  ["style", [ChangeKind.Style, "h1", "blue !important", "color"]],
  ["removed style", [ChangeKind.Style, "h1", null, "color"]],
  ["class", [ChangeKind.Class, "h1", "old new"]],
  ["attribute", [ChangeKind.Attribute, "h1", "/x", "title"]],
  ["removed attribute", [ChangeKind.Attribute, "h1", null, "title"]],
  ["insertion", [ChangeKind.Insert, "#a", "<i>1</i>2", "after"]],
  ["move", [ChangeKind.Move, "#b", "h1", "before"]],
  ["removal", [ChangeKind.Remove, "#a"]],
];

describe("when its page ends", () => {
  test.each(changes)("a change is undone, and made again when the page is back: %s", async (_, change) => {
    const { api } = await openPage({ pages: [undone], campaigns: [everybodyGets(change)] }, { body });
    expect(isAsItWas()).toBe(false);

    api.push(leave);
    expect(isAsItWas()).toBe(true);

    api.push({ type: "page", pageName: "page" });
    expect(isAsItWas()).toBe(false);
  });

  test("a style sheet is taken away, and added again when the page is back", async () => {
    const css = "h1 { color: green }";
    const { api } = await openPage({ pages: [undone], campaigns: [everybodyGets([ChangeKind.Css, 0, css])] }, { body });
    const count = () => [...document.querySelectorAll("style")].filter((style) => style.textContent === css).length;
    const before = count();
    expect(before).toBeGreaterThan(0);

    api.push(leave);
    expect(count()).toBe(before - 1);

    api.push({ type: "page", pageName: "page" });
    expect(count()).toBe(before);
  });

  test.each(changes)("an element that stays keeps nothing of a change that comes and goes: %s", async (_, change) => {
    const { api } = await openPage({ pages: [undone], campaigns: [everybodyGets(change)] }, { body });
    const { noteOf } = await import("../../src/changes/notes");
    api.push(leave);
    const element = document.querySelector(String(change[1])) as Element;
    for (let times = 0; times < 5; times++) {
      api.push({ type: "page", pageName: "page" });
      api.push(leave);
    }
    api.push({ type: "page", pageName: "page" });
    expect(noteOf(element).traces_).toHaveLength(1);

    api.push(leave);

    expect(noteOf(element).traces_).toHaveLength(0);
  });

  test.each(changes)("what an app keeps out of the page meanwhile is as it was, and is changed anew: %s", async (_, change) => {
    const { api } = await openPage({ pages: [undone], campaigns: [everybodyGets(change)] }, { body });
    const kept = document.querySelector("main") as Element;
    for (let times = 0; times < 2; times++) {
      kept.remove();
      await frame();
      document.body.append(kept);
      await frame();
    }
    kept.remove();
    await frame();

    api.push(leave);
    document.body.append(kept);
    expect(isAsItWas()).toBe(true);

    api.push({ type: "page", pageName: "page" });
    expect(isAsItWas()).toBe(false);
    api.push(leave);
    expect(isAsItWas()).toBe(true);
  });

  describe.each<[string, (text: string) => ChangeConfig]>([
    ["text", (text) => [ChangeKind.Text, "h1", text]],
    ["HTML", (text) => [ChangeKind.Html, "h1", `<b>${text}</b>`]],
    ["attribute", (text) => [ChangeKind.Attribute, "h1", text, "title"]],
    ["style", (text) => [ChangeKind.Style, "h1", text, "color"]],
  ])("two campaigns' changes of one element leave it as it was: %s", (_, change) => {
    const pageOf = (id: number, key: string): PageConfig => [id, key, key, everywhere, 0, 0, 0, "manual", 0, 3];
    const campaignOf = (pages: number, text: string) => abTest({ id: 3010 + pages, pages, ends: [0, 10000], changes: [0, [change(text)]] });

    test.each(["one two -one -two", "one two -two -one", "two one -one -two", "two one -two -one", "two one -two two -one -two", "one two -one one -two -one"])(
      "%s",
      async (steps) => {
        const project = { pages: [pageOf(2001, "one"), pageOf(2002, "two")], campaigns: [campaignOf(0, "blue"), campaignOf(1, "green")] };
        const { api } = await openPage(project, { body });
        for (const step of steps.split(" ")) {
          api.push({ type: "page", pageName: step.replace("-", ""), isActive: step[0] !== "-" });
          await frame();
        }

        expect(isAsItWas()).toBe(true);
      },
    );
  });

  test("several changes of one element are undone from the last to the first", async () => {
    const twice = everybodyGets([ChangeKind.Text, "h1", "One"], [ChangeKind.Html, "h1", "<b>Two</b>"]);
    const { api } = await openPage({ pages: [undone], campaigns: [twice] }, { body });

    api.push(leave);

    expect(isAsItWas()).toBe(true);
  });

  test("a change that the page made itself meanwhile stays", async () => {
    const { api } = await openPage({ pages: [undone], campaigns: [everybodyGets([ChangeKind.Attribute, "h1", "ours", "title"])] }, { body });
    document.querySelector("h1")?.setAttribute("title", "theirs");

    api.push(leave);
    await frame();

    expect(document.querySelector("h1")?.title).toBe("theirs");
  });

  // What the parser does with the rest of an element: it goes on in the last text, and behind it.
  test.each([
    ["text", [ChangeKind.Text, "h1", "New"]],
    ["HTML", [ChangeKind.Html, "h1", "<b>New</b>Text"]],
  ] satisfies [string, ChangeConfig][])("content that arrived after the change comes back with the rest: %s", async (_, change) => {
    const { api } = await openPage({ pages: [undone], campaigns: [everybodyGets(change)] }, { body: "<main><h1>Hel</h1></main>" });
    const headline = document.querySelector("h1");
    (headline?.lastChild as Text).appendData("lo, ");
    headline?.append(Object.assign(document.createElement("i"), { textContent: "world" }));
    await frame();

    api.push(leave);

    expect(main()).toBe("<h1>Hello, <i>world</i></h1>");
  });

  test("an element that was moved as the last of its parent comes back before what arrived later", async () => {
    const project = { pages: [undone], campaigns: [everybodyGets([ChangeKind.Move, "#a", "h1", "before"])] };
    const { api } = await openPage(project, { body: `<main><h1>Hello</h1><p id="a">A</p></main>` });
    document.querySelector("main")?.append(Object.assign(document.createElement("p"), { textContent: "B" }));

    api.push(leave);

    expect(main()).toBe(`<h1>Hello</h1><p id="a">A</p><p>B</p>`);
  });

  test("by a new activation, changes are undone as well", async () => {
    const pages = [[2001, "page", "Page", [{ type: "url", match: "substring", value: "/start" }], 0, 0, 0, 0, 0, 3]] as const;
    const project = { pages, campaigns: [everybodyGets([ChangeKind.Text, "h1", "New"])] };
    const { api } = await openPage(project, { body, url: "https://www.shop.test/start" });
    expect(main()).toContain("New");

    history.pushState(null, "", "/next");
    api.push({ type: "activate" });

    expect(isAsItWas()).toBe(true);
  });

  test.each(changes.filter(([what]) => !/move|removal/.test(what)))("a change is undone although the page took the element out for a while: %s", async (_, change) => {
    const { api } = await openPage({ pages: [undone], campaigns: [everybodyGets(change)] }, { body });
    const whole = document.querySelector("main") as Element;
    whole.remove();
    await frame();
    document.body.append(whole);
    await frame();
    expect(isAsItWas()).toBe(false);

    api.push(leave);

    expect(isAsItWas()).toBe(true);
  });

  test("an insertion is gone, and comes once, where the page had the element out meanwhile", async () => {
    const { api } = await openPage({ pages: [undone], campaigns: [everybodyGets([ChangeKind.Insert, "#a", "<i></i>", "append"])] }, { body });
    const whole = document.querySelector("main") as Element;
    whole.remove();
    await frame();
    api.push(leave);
    document.body.append(whole);
    await frame();
    expect(isAsItWas()).toBe(true);

    api.push({ type: "page", pageName: "page" });

    expect(document.querySelectorAll("#a > i")).toHaveLength(1);
  });

  test("changes stay where the project does not ask for it", async () => {
    const { api } = await openPage({ pages: [left], campaigns: [everybodyGets([ChangeKind.Text, "h1", "New"])] }, { body });

    api.push(leave);

    expect(main()).toContain("New");
  });
});
