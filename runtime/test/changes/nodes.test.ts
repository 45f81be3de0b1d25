/** Nodes: those that changes have added, and those that the parser is not through with. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isArriving, isInserted, removeNodes } from "../../src/changes/nodes";
import { noteOf } from "../../src/changes/notes";
import type { ChangeConfig } from "../../src/project/config";
import { ChangeKind } from "../../src/project/config";

const find = (selector: string): Element => document.querySelector(selector) as Element;

/** As in a document whose end has not come yet. */
const load = (): void => {
  vi.spyOn(Document.prototype, "readyState", "get").mockReturnValue("loading");
};

beforeEach(() => {
  document.body.innerHTML = "<ul><li>1</li><li><b>2</b></li></ul>";
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe("the parser is in the midst of", () => {
  test.each([
    ["the body", "body", true],
    ["the last element", "ul", true],
    ["the last one in it", "li:last-child", true],
    ["the last one in that", "b", true],
    ["none with another behind it", "li:first-child", false],
    ["none that has its end behind it", "head", false],
  ])("%s", (_, selector, answer) => {
    load();

    expect(isArriving(find(selector))).toBe(answer);
  });

  test("nothing once the document is there", () => {
    expect(isArriving(find("b"))).toBe(false);
    expect(isArriving(document.body)).toBe(false);
  });

  test("nothing that is not in the page", () => {
    load();

    expect(isArriving(document.createElement("p"))).toBe(false);
  });

  test("a form whose field is named like its last child", () => {
    document.body.innerHTML = "<form><input></form>";
    const form = find("form");
    Object.defineProperty(form, "lastChild", { value: form, configurable: true });
    load();

    expect(isArriving(form)).toBe(true);
    expect(isArriving(find("input"))).toBe(true);
  });
});

describe("a node", () => {
  const by = (kind: ChangeKind): ChangeConfig => [kind, "li", "<i></i>"];

  test("is inserted where a change put it beside what is there", () => {
    const node = document.createTextNode("a");
    noteOf(node).addedBy_ = by(ChangeKind.Insert);

    expect(isInserted(node)).toBe(true);
  });

  test.each([ChangeKind.Text, ChangeKind.Html, ChangeKind.Move])("is not where a change of kind %i put it in the place of something", (kind) => {
    const node = document.createTextNode("a");
    noteOf(node).addedBy_ = by(kind);

    expect(isInserted(node)).toBe(false);
  });

  test("is not where it is the page's", () => {
    expect(isInserted(find("li"))).toBe(false);
  });
});

describe("nodes", () => {
  test("are taken out wherever they are", () => {
    const [first, second] = document.querySelectorAll("li");

    removeNodes([first, second.firstChild as ChildNode]);

    expect(document.body.innerHTML).toBe("<ul><li></li></ul>");
  });

  test("that are out already stay so; none are none", () => {
    const [first] = document.querySelectorAll("li");
    first.remove();

    removeNodes([first]);
    removeNodes();

    expect(document.querySelectorAll("li")).toHaveLength(1);
  });
});
