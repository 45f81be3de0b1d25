/** Pages that write themselves anew from their own HTML, clone what they show, or bring back what they kept: of ours there is one of each. */

import { describe, expect, test } from "vitest";
import { ChangeKind } from "../../src/project/config";
import type { ChangeConfig, PageConfig } from "../../src/project/config";
import { frame } from "../support/frame";
import { openPage } from "../support/openPage";
import { everybodyGets, home } from "../support/project";

const undone: PageConfig = [2001, "home", "Home", [], 0, 0, 0, 0, 0, 2];

const body = `<main><ul><li class="item">A</li><li class="item">B</li></ul><h1>Hello</h1></main>`;

const open = (...changes: ChangeConfig[]) => openPage({ pages: [undone], campaigns: [everybodyGets(...changes)] }, { body });

const main = (): Element => document.querySelector("main") ?? document.body;

const count = (selector: string): number => document.querySelectorAll(selector).length;

/** What pages do with what they show. */
const habits: [string, (times: number) => unknown][] = [
  ["adds to its own HTML", () => (main().innerHTML += "<i></i>")],
  ["takes its own HTML anew", () => (document.body.innerHTML = document.body.innerHTML)],
  ["brings back a clone of its body", () => document.body.replaceWith(document.body.cloneNode(true))],
  ["brings back a clone of a part", () => main().replaceWith(main().cloneNode(true))],
];

/** As often as a page may do it within a second without being left alone, and then some. */
const TIMES = 12;

const insertions: [string, ChangeConfig, number][] = [
  ["before an element", [ChangeKind.Insert, "h1", "<b>New</b>", "before"], 1],
  ["after an element", [ChangeKind.Insert, "h1", "<b>New</b>", "after"], 1],
  ["at the start of an element", [ChangeKind.Insert, "main", "<b>New</b>", "prepend"], 1],
  ["at the end of an element", [ChangeKind.Insert, "main", "<b>New</b>", "append"], 1],
  ["after each of several elements", [ChangeKind.Insert, ".item", "<b>New</b>", "after"], 2],
  ["before each of several elements", [ChangeKind.Insert, ".item", "<b>New</b>", "before"], 2],
  ["in each of several elements", [ChangeKind.Insert, ".item", "<b>New</b>", "append"], 2],
  ["and matches its own selector", [ChangeKind.Insert, "h1, b", "<b>New</b>", "after"], 1],
];

describe.each(habits)("a page that %s", (_, act) => {
  test.each(insertions)("has what was inserted %s once in each place", async (_where, change, expected) => {
    await open(change);
    expect(count("b")).toBe(expected);

    for (let times = 0; times < TIMES; times++) {
      act(times);
      await frame();
    }

    expect(count("b")).toBe(expected);
  });

  test.each<[string, ChangeConfig, string]>([
    ["a text that was inserted", [ChangeKind.Insert, "h1", "New", "after"], "ABHelloNew"],
    ["a text that was inserted in an element", [ChangeKind.Insert, "h1", " New", "append"], "ABHello New"],
    ["a text in the place of another", [ChangeKind.Text, "h1", "New"], "ABNew"],
    ["HTML in the place of another", [ChangeKind.Html, "h1", "<b>N</b>ew"], "ABNew"],
    ["a list item that was moved", [ChangeKind.Move, ".item:first-child", "h1", "after"], "BHelloA"],
    ["a list item that was removed", [ChangeKind.Remove, ".item:first-child"], "BHello"],
  ])("has %s once", async (_what, change, expected) => {
    await open(change);
    const elements = count("main *");

    for (let times = 0; times < TIMES; times++) {
      act(times);
      await frame();
    }

    expect(main().textContent).toBe(expected);
    expect(count("main *:not(i)")).toBe(elements);
  });

  test("gives all of it back", async () => {
    const { api } = await open([ChangeKind.Insert, "h1", "<b>New</b>", "after"], [ChangeKind.Insert, ".item", "New", "append"]);
    for (let times = 0; times < TIMES; times++) {
      act(times);
      await frame();
    }

    api.push({ type: "page", pageName: "home", isActive: false });

    expect(main().textContent).toBe("ABHello");
    expect(count("[data-experimentation]")).toBe(0);
  });
});

test("two changes that insert at one place stand once each, in their order", async () => {
  await open([ChangeKind.Insert, "h1", "<b>1</b>", "after"], [ChangeKind.Insert, "h1", "<b>2</b>", "after"]);
  const before = main().textContent;

  for (let times = 0; times < TIMES; times++) {
    main().innerHTML += "<i></i>";
    await frame();
  }

  expect(main().textContent).toBe(before);
});

test("a carousel's clones have what was inserted in their slides, and no more of it", async () => {
  await open([ChangeKind.Insert, ".item", "<b>New</b>", "append"]);
  const list = document.querySelector("ul") as Element;

  for (let times = 0; times < 3; times++) {
    list.append((list.firstElementChild as Element).cloneNode(true));
    list.prepend((list.lastElementChild as Element).cloneNode(true));
    await frame();
  }

  expect([...list.children].map((item) => item.querySelectorAll("b").length)).toStrictEqual([1, 1, 1, 1, 1, 1, 1, 1]);
});

test("copies that were left alone somewhere go with the change", async () => {
  const { api } = await open([ChangeKind.Insert, "h1", "<b>New</b>", "after"]);
  main().append((document.querySelector("b") as Element).cloneNode(true));

  api.push({ type: "page", pageName: "home", isActive: false });

  expect(count("b")).toBe(0);
});

test("without undoing, too, a page has what was inserted once", async () => {
  await openPage({ pages: [home], campaigns: [everybodyGets([ChangeKind.Insert, "h1", "<b>New</b>", "after"])] }, { body });

  for (let times = 0; times < TIMES; times++) {
    main().innerHTML += "<i></i>";
    await frame();
  }

  expect(count("b")).toBe(1);
});
