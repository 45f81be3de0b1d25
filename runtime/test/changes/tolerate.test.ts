/** Apps that still count on nodes which changes took out: React and Vue keep their own list of what they rendered. */

import { beforeEach, describe, expect, test } from "vitest";
import { noteOf } from "../../src/changes/notes";
import { tolerate } from "../../src/changes/tolerate";

let list: HTMLElement;
let first: Element;
let last: Element;

const names = (): string[] => [...list.children].map(({ id }) => id);

const item = (id: string): Element => {
  const element = document.createElement("li");
  element.id = id;
  return element;
};

/** As a change takes a node out: something may stand there since. */
const take = (node: Element, mark: ChildNode | null = null): void => {
  tolerate(list);
  noteOf(node).replacement_ = mark;
  if (mark) {
    node.before(mark);
  }
  node.remove();
};

beforeEach(() => {
  document.body.innerHTML = "<ul><li id=a></li><li id=b></li></ul>";
  list = document.querySelector("ul") as HTMLElement;
  [first, last] = list.children;
});

describe("an app that removes a node", () => {
  test("has it removed where a change has done so already", () => {
    take(first);

    expect(list.removeChild(first)).toBe(first);

    expect(names()).toStrictEqual(["b"]);
  });

  test("has the mark removed, too, that stands there since", () => {
    take(first, item("mark"));

    list.removeChild(first);

    expect(names()).toStrictEqual(["b"]);
  });

  test("has it removed from where a change has moved it", () => {
    document.body.append(document.createElement("ol"));
    take(first, item("mark"));
    document.querySelector("ol")?.append(first);

    list.removeChild(first);

    expect(first.parentNode).toBeNull();
  });

  test("has any other removed as ever", () => {
    take(first);

    expect(list.removeChild(last)).toBe(last);

    expect(names()).toStrictEqual([]);
  });

  test("hears as ever of a node that it never had there", () => {
    take(first);

    expect(() => list.removeChild(item("c"))).toThrow("not a child");
  });

  test("hears of it the second time: then the node is gone for both", () => {
    take(first);
    list.removeChild(first);

    expect(() => list.removeChild(first)).toThrow();
  });
});

describe("an app that inserts before a node", () => {
  test("has it at the end where a change has taken that node out", () => {
    take(first);

    list.insertBefore(item("c"), first);

    expect(names()).toStrictEqual(["b", "c"]);
  });

  test("has it before the mark that stands there since", () => {
    take(first, item("mark"));

    list.insertBefore(item("c"), first);

    expect(names()).toStrictEqual(["c", "mark", "b"]);
  });

  test("has it at the end where the mark is gone as well", () => {
    const mark = item("mark");
    take(first, mark);
    mark.remove();

    list.insertBefore(item("c"), first);

    expect(names()).toStrictEqual(["b", "c"]);
  });

  test("has it there as ever where the node is, or none is named", () => {
    take(first);

    list.insertBefore(item("c"), last);
    list.insertBefore(item("d"), null);

    expect(names()).toStrictEqual(["c", "b", "d"]);
  });
});

describe("an element", () => {
  test("is made tolerant once, however many changes it has", () => {
    tolerate(list);
    const { removeChild } = list;

    tolerate(list);

    expect(list.removeChild).toBe(removeChild);
  });

  test("alone is made so, not all of its kind", () => {
    tolerate(list);

    expect(Object.keys(document.createElement("ul"))).not.toContain("removeChild");
  });
});
