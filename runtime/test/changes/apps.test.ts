/** Apps that go on with what changes took out. What a framework does then is done here by hand. */

import { describe, expect, test, vi } from "vitest";
import { ChangeKind } from "../../src/project/config";
import type { ChangeConfig } from "../../src/project/config";
import { frame } from "../support/frame";
import { find, item, openApp, shown } from "../support/openApp";

describe("an element that was removed", () => {
  const list = "<ul><li class=a>a</li><li class=b>b</li><li class=c>c</li></ul>";
  const openList = () => openApp(list, () => find(".b"), [ChangeKind.Remove, ".b"]);

  test("has beside it what an app puts there", async () => {
    const { held: b, leave } = await openList();
    expect(shown()).toBe("ac");

    b.before(item("1"));
    b.after(item("2"));
    await frame();
    expect(shown()).toBe("a12c");

    leave();
    expect(shown()).toBe("a12bc");
  });

  test("does not come back once the app has taken it out", async () => {
    const { held: b, leave } = await openList();

    b.parentNode?.removeChild(b);
    leave();

    expect(shown()).toBe("ac");
    expect(find("ul").childNodes).toHaveLength(2);
  });

  test("gives its place to what an app renders instead", async () => {
    const { held: b, leave } = await openList();

    b.parentNode?.insertBefore(item("other"), b);
    b.remove();
    await frame();
    expect(shown()).toBe("aotherc");

    leave();
    expect(shown()).toBe("aotherc");
  });

  test("is removed again where the app puts it elsewhere, and undone there", async () => {
    const { held: b, leave } = await openList();

    find("ul").prepend(b);
    await frame();
    expect(shown()).toBe("ac");

    leave();
    expect(shown()).toBe("bac");
  });

  test("is the only one that comes back of those the app rendered in turn", async () => {
    const { held: b, leave } = await openList();

    for (let times = 0, last: Element = b; times < 3; times++) {
      last.remove();
      await frame();
      last = item("b");
      find(".a").after(last);
      await frame();
    }
    expect(shown()).toBe("ac");

    leave();
    expect(shown()).toBe("abc");
    expect(find("ul").childNodes).toHaveLength(3);
  });
});

describe("content that was replaced", () => {
  test("stays together, so that an app finds a text beside its marker", async () => {
    const { held: marker } = await openApp("<h1>Hello <!--0-->1</h1>", () => find("h1").childNodes[1], [ChangeKind.Text, "h1", "New"]);

    (marker?.nextSibling as Text).data = "2";

    expect(marker?.parentNode?.textContent).toBe("Hello 2");
    expect(shown()).toBe("New");
  });

  test("is undone to what the app has made of it meanwhile", async () => {
    const { held: marker, leave } = await openApp("<h1>Hello <!--0-->1</h1>", () => find("h1").childNodes[1] as Comment, [ChangeKind.Text, "h1", "New"]);

    (marker.nextSibling as Text).data = "2";
    marker.before("dear ");
    marker.previousSibling?.previousSibling?.remove();
    leave();

    expect(shown()).toBe("dear 2");
  });

  test("goes on with what the app sorts, adds and takes out there", async () => {
    const { held: [ul, a, b], leave } = await openApp("<ul><li>a</li><li>b</li></ul>", () => [find("ul"), ...find("ul").children] as [HTMLElement, HTMLElement, HTMLElement], [ChangeKind.Html, "ul", "<li>New</li>"]);
    const [c, d] = [item("c"), item("d")];

    ul.insertBefore(c, b);
    ul.insertBefore(d, c);
    ul.insertBefore(b, d);
    ul.removeChild(a);
    await frame();
    expect(shown()).toBe("New");

    ul.removeChild(d);
    leave();

    expect(shown()).toBe("bc");
  });

  test("is what the app has last written into our text", async () => {
    const { leave } = await openApp("<h1>Items: 0</h1>", () => 0, [ChangeKind.Text, "h1", "Cart"]);

    (find("h1").firstChild as Text).nodeValue = "Items: 5";
    await frame();
    expect(shown()).toBe("Cart");

    leave();
    expect(shown()).toBe("Items: 5");
  });
});

test.each([
  ["an attribute", [ChangeKind.Attribute, "a", "/sale", "href"], `<a href="/1"></a>`, `<a href="/2"></a>`],
  ["a style", [ChangeKind.Style, "a", "red", "color"], `<a style="color: blue;"></a>`, `<a style="color: green;"></a>`],
] satisfies [string, ChangeConfig, string, string][])("%s is undone to what the app has last set", async (_, change, before, after) => {
  const { leave } = await openApp(before, () => 0, change);
  const app = document.createElement("div");
  app.innerHTML = after;
  for (const { name, value } of (app.firstElementChild as Element).attributes) {
    find("a").setAttribute(name, value);
  }
  await frame();
  expect(find("a").outerHTML).not.toBe(after);

  leave();

  expect(find("a").outerHTML).toBe(after);
});

test.each([
  ["an attribute to which the app adds", [ChangeKind.Attribute, "a", "/sale", "href"], () => find("a").setAttribute("href", find("a").getAttribute("href") + "?gl=1")],
  ["a style of which the app sets a part", [ChangeKind.Style, "a", "10px", "margin"], () => find("a").style.setProperty("margin-top", "5px")],
] satisfies [string, ChangeConfig, () => void][])("%s is undone to what was before", async (_, change, act) => {
  const { leave } = await openApp(`<a href="/1"></a>`, () => 0, change);

  act();
  await frame();
  leave();

  expect([find("a").getAttribute("href"), find("a").style.marginLeft]).toStrictEqual(["/1", ""]);
});

test("an element that HTML has emptied is undone", async () => {
  const { leave } = await openApp("<h1>Hello</h1>", () => 0, [ChangeKind.Html, "h1", ""]);

  leave();

  expect(shown()).toBe("Hello");
});

test("of two changes of the same attribute, the first remembers what the page had", async () => {
  const { leave } = await openApp(`<a href="/1"></a>`, () => 0, [ChangeKind.Attribute, "a", "/2", "href"], [ChangeKind.Attribute, "a", "/3", "href"]);
  window.experimentation.push({ type: "activate" });
  await frame();

  leave();

  expect(find("a").getAttribute("href")).toBe("/1");
});

describe("what was inserted beside an element", () => {
  test.each([
    ["before", "a2bc", "2bac"],
    ["after", "ab2c", "b2ac"],
  ])("goes where the app moves the element: %s", async (position, first, then) => {
    await openApp("<ul><li class=a>a</li><li class=b>b</li><li class=c>c</li></ul>", () => 0, [ChangeKind.Insert, ".b", "2", position]);
    expect(shown()).toBe(first);

    find("ul").prepend(find(".b"));
    await frame();

    expect(shown()).toBe(then);
  });

  test("keeps its nodes, and what is typed in them, when it follows", async () => {
    await openApp("<p>a</p>", () => 0, [ChangeKind.Insert, "p", "<input>", "before"]);
    const field = find("input");

    find("p").before("between");
    await frame();

    expect([find("input"), field.nextSibling]).toStrictEqual([field, find("p")]);
  });

  test("does not fight a page that wants something else there for ever", async () => {
    await openApp("<p>a</p>", () => 0, [ChangeKind.Insert, "p", "I", "before"]);
    for (let times = 0; times < 14; times++) {
      find("p").before(item("x"));
      await frame();
    }

    expect(shown()).toMatch(/^x+Ix+a$/);
  });

  test("of an element that another change removes stays in its place", async () => {
    const { leave } = await openApp("<ul><li class=a>a</li><li class=b>b</li></ul>", () => 0, [ChangeKind.Insert, ".b", "2", "before"], [ChangeKind.Remove, ".b"]);
    find("ul").append(item("c"));
    await frame();
    expect(shown()).toBe("a2c");

    leave();
    expect(shown()).toBe("abc");
  });

  test("stays there while another change moves the next one beside the element", async () => {
    await openApp("<p class=a>a</p><p class=b>b</p>", () => 0, [ChangeKind.Insert, ".a", "I", "after"], [ChangeKind.Move, ".b", ".a", "after"]);
    const before = shown();
    document.body.append("!");
    await frame();

    expect(shown()).toBe(before + "!");
  });

  test("that is nothing is not looked for", async () => {
    const warned = vi.spyOn(console, "warn");
    await openApp("<p>a</p>", () => 0, [ChangeKind.Insert, "p", "", "before"]);
    for (let times = 0; times < 14; times++) {
      document.body.append("+");
      await frame();
    }

    expect(warned).not.toHaveBeenCalled();
  });

  test("by several changes stands there for all of them, however often the page changes", async () => {
    const inserted = ["1", "2", "3"].flatMap((value): ChangeConfig[] => [[ChangeKind.Insert, ".b", value, "before"], [ChangeKind.Insert, ".b", value, "after"]]);
    await openApp("<ul><li class=b>b</li></ul>", () => 0, ...inserted);
    const nodes = [...find("ul").childNodes];
    find("ul").append(item("c"));
    await frame();

    expect([...find("ul").childNodes].slice(0, -1)).toStrictEqual(nodes);
    expect(shown()).toBe("123b321c");
  });
});
