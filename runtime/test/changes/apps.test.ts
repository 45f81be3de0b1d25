/** Apps that go on with what changes took out or moved. What a framework does then is done here by hand. */

import { describe, expect, test, vi } from "vitest";
import { ChangeKind } from "../../src/project/config";
import type { ChangeConfig, PageConfig } from "../../src/project/config";
import { frame } from "../support/frame";
import { openPage } from "../support/openPage";
import { everybodyGets, everywhere } from "../support/project";

const undone: PageConfig = [2001, "page", "Page", everywhere, 0, 0, 0, 0, 0, 3];

/** Opens a page; `app` gets hold of what it has rendered, before changes are made. */
const open = async <App>(body: string, app: () => App, ...changes: ChangeConfig[]) => {
  let held: App | undefined;
  const { api } = await openPage({ pages: [undone], campaigns: [everybodyGets(...changes)], observedAttributes: ["href", "style"], projectJavascript: () => (held = app()) }, { body });
  return { held: held as App, leave: () => api.push({ type: "page", pageName: "page", isActive: false }) };
};

const find = (selector: string): HTMLElement => document.querySelector(selector) as HTMLElement;

const item = (text: string): HTMLElement => Object.assign(document.createElement("li"), { className: text, textContent: text });

const shown = (): string => document.body.textContent ?? "";

describe("an element that was removed", () => {
  const list = "<ul><li class=a>a</li><li class=b>b</li><li class=c>c</li></ul>";
  const openList = () => open(list, () => find(".b"), [ChangeKind.Remove, ".b"]);

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

describe("an element that was moved", () => {
  const body = `<main><section><button>Buy</button></section></main><div id="bar">bar </div>`;
  const openMoved = () => open(body, () => [find("section"), find("button")] as const, [ChangeKind.Move, "button", "#bar", "append"]);

  test("goes with its place when the app drops that, and is moved again where the app renders it anew", async () => {
    const { held: [section], leave } = await openMoved();
    expect(shown()).toBe("bar Buy");

    section.remove();
    await frame();
    expect(shown()).toBe("bar ");

    find("main").innerHTML = "<section><button>Buy</button></section>";
    await frame();
    expect(shown()).toBe("bar Buy");

    leave();
    expect(find("main").textContent).toBe("Buy");
  });

  test("is moved again when its place comes back as it was", async () => {
    const { held: [section, button] } = await openMoved();

    section.remove();
    await frame();
    find("main").append(section);
    await frame();

    expect([button.parentElement, find("main").textContent]).toStrictEqual([find("#bar"), ""]);
  });

  test.each([
    ["writes its HTML anew", () => (find("section").innerHTML += "<p>more</p>")],
    ["joins its texts", () => document.body.normalize()],
    ["sorts its elements", () => find("section").replaceChildren(...find("section").children)],
  ])("stays where it is when the page loses only the mark: %s", async (_, act) => {
    const { held: [, button] } = await openMoved();

    act();
    await frame();

    expect(button.parentElement).toBe(find("#bar"));
  });

  test.each([
    ["from its HTML", (html: string) => (find("section").innerHTML = html)],
    ["from nodes", (html: string) => find("section").replaceChildren(document.createRange().createContextualFragment(html))],
    ["by comparing, with the text in the place of the mark", (html: string) => {
      const mark = find("section").lastChild as Text;
      find("section").insertAdjacentHTML("beforeend", html);
      mark.data = " ";
    }],
  ])("stands once where it was moved to when the page fills its place anew %s", async (_, fill) => {
    const { leave } = await open(`<main><section><button id="buy">Buy 0 </button></section></main><div id="bar"></div>`, () => 0, [ChangeKind.Move, "button", "#bar", "append"]);

    for (let times = 1; times < 5; times++) {
      fill(`<button id="buy">Buy ${times} </button>`);
      await frame();
    }
    expect(shown().trim()).toBe("Buy 4");

    leave();
    expect([find("section").textContent?.trim(), find("#bar").textContent]).toStrictEqual(["Buy 4", ""]);
  });

  test("stays where it was moved to while its list gets others, be they the same", async () => {
    await open(`<ul><li class="item">New</li></ul><div id="bar"></div>`, () => 0, [ChangeKind.Move, ".item", "#bar", "append"]);

    for (let times = 0; times < 3; times++) {
      find("ul").innerHTML += `<li class="item">New</li>`;
      await frame();
    }

    expect(document.querySelectorAll("#bar .item")).toHaveLength(4);
  });

  test("stays where it was moved to while the page fills anew what another of its id left", async () => {
    const card = (text: string): string => `<button id="buy">${text}</button>`;
    await open(`<p>${card("A")}</p><p>${card("B")}</p><div id="bar"></div>`, () => 0, [ChangeKind.Move, "button", "#bar", "append"]);

    document.body.normalize();
    find("p:nth-of-type(2)").innerHTML = card("B2");
    await frame();

    expect(find("#bar").textContent).toBe("AB2");
  });

  test("stays where the page has put it since", async () => {
    await open(`<section><button id="buy">Buy</button></section><dialog></dialog><div id="bar"></div>`, () => 0, [ChangeKind.Move, "section button", "#bar", "append"]);
    find("dialog").append(find("button"));

    find("section").innerHTML = `<button id="buy">Again</button>`;
    await frame();

    expect([find("dialog").textContent, find("#bar").textContent]).toStrictEqual(["Buy", "Again"]);
  });

  test("is left where the page puts it once it has rendered it anew ten times within a second", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await open(`<section><button id="buy">0</button></section><div id="bar"></div>`, () => 0, [ChangeKind.Move, "section button", "#bar", "append"]);

    for (let times = 1; times < 15; times++) {
      find("section").innerHTML = `<button id="buy">${times}</button>`;
      await frame();
    }

    expect([find("section").textContent, find("#bar").textContent]).toStrictEqual(["14", ""]);
  });

  test("comes back beside the text that the page has made of the mark", async () => {
    const { leave } = await open("<section><button>Buy</button></section><div id=bar></div>", () => 0, [ChangeKind.Move, "button", "#bar", "append"]);

    (find("section").firstChild as Text).data = "Only 3 left";
    leave();

    expect(find("section").textContent).toBe("BuyOnly 3 left");
  });

  test("is not lost by undoing where there was no target", async () => {
    const { leave } = await open(body, () => 0, [ChangeKind.Move, "button", "#nowhere", "append"]);

    leave();

    expect(shown()).toBe("Buybar ");
  });

  test("by two changes is not lost by undoing both", async () => {
    const { leave } = await open(body, () => 0, [ChangeKind.Move, "button", "#bar", "append"], [ChangeKind.Move, "button", "main", "append"]);

    leave();

    expect(document.querySelectorAll("button")).toHaveLength(1);
  });

  test("and removed by another change stays removed", async () => {
    await open(body, () => 0, [ChangeKind.Move, "button", "#bar", "append"], [ChangeKind.Remove, "button"]);
    for (let times = 0; times < 14; times++) {
      find("main").append("+");
      await frame();
    }

    expect(document.querySelector("button")).toBeNull();
  });

  test("is moved to the target that the app has built anew, or waits in its place", async () => {
    const { held: [, button], leave } = await openMoved();

    find("#bar").remove();
    await frame();
    expect(find("main").textContent).toBe("Buy");

    document.body.insertAdjacentHTML("beforeend", `<div id="bar">new </div>`);
    await frame();
    expect(shown()).toBe("new Buy");

    leave();
    expect(button.parentElement).toBe(find("section"));
  });

  test("does not come back once the app has taken it out of where it is", async () => {
    const { held: [, button], leave } = await openMoved();

    button.parentNode?.removeChild(button);
    leave();

    expect(shown()).toBe("bar ");
  });

  test("stays where it was moved to while other content is in the place that it left", async () => {
    const { leave } = await open(body, () => 0, [ChangeKind.Move, "button", "#bar", "append"], [ChangeKind.Html, "main", "<h1>New </h1>"]);
    find("main").append("more ");
    await frame();
    expect(shown()).toBe("New bar Buy");

    leave();
    expect(find("main").textContent).toBe("Buymore ");
  });
});

describe("an element that was inserted", () => {
  const list = "<ul><li>a</li><li>b</li></ul>";
  const openList = () => open(list, () => 0, [ChangeKind.Insert, "ul", "<li>ad</li>", "append"]);
  /** What morphing does with an element that stands where another is to stand. */
  const makeTheSites = (text: string): void => {
    const ad = find("li:last-child");
    ad.removeAttribute("data-experimentation");
    ad.textContent = text;
  };

  test("and that the page has made one of its own is the page's, and is inserted once more", async () => {
    const { leave } = await openList();

    makeTheSites("c");
    await frame();
    expect(shown()).toBe("abcad");

    leave();
    expect(shown()).toBe("abc");
  });

  test("and that the page has made one of its own stays when the change is undone at once", async () => {
    const { leave } = await openList();

    makeTheSites("c");
    leave();

    expect(shown()).toBe("abc");
  });

  test("and that the page has made one of its own with the same words is the page's", async () => {
    const { leave } = await open("<ul></ul>", () => 0, [ChangeKind.Insert, "ul", `<li><a href="/ad">More</a></li>`, "append"]);
    const ad = find("li");
    ad.removeAttribute("data-experimentation");
    find("a").setAttribute("href", "/site");

    leave();

    expect(ad.isConnected).toBe(true);
  });

  test("is inserted once where the page only takes its mark away", async () => {
    const { leave } = await openList();

    find("li:last-child").removeAttribute("data-experimentation");
    find("ul").append("+");
    await frame();
    expect(shown()).toBe("abad+");

    leave();
    expect(shown()).toBe("ab+");
  });
});

describe("a translator of the browser", () => {
  const text: ChangeConfig = [ChangeKind.Text, "h1", "New"];
  const html: ChangeConfig = [ChangeKind.Html, "h1", "<b>Very</b> new"];
  /** It wraps each text of the page in two elements. */
  const translate = (): void => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: Node[] = [];
    while (texts.nextNode()) {
      found.push(texts.currentNode);
    }
    for (const node of found) {
      const inner = document.createElement("font");
      const outer = document.createElement("font");
      inner.append(`[de] ${String(node.nodeValue)}`);
      outer.append(inner);
      (node as Text).replaceWith(outer);
    }
  };

  test.each([
    ["text", text, "[de] New"],
    ["HTML", html, "[de] Very[de]  new"],
  ])("has its way with the %s of a change, which is undone all the same", async (_, change, translated) => {
    const { leave } = await open("<h1>Old</h1>", () => 0, change);

    translate();
    await frame();
    expect(shown()).toBe(translated);

    leave();
    expect(shown()).toBe("Old");
  });

  test("is not meant where the page has a font of its own", async () => {
    await open("<h1><font color=red>Sale</font></h1>", () => 0, text);

    find("h1").innerHTML = "<font color=red>Sale 2</font>";
    await frame();

    expect(shown()).toBe("New");
  });

  test("leaves no reason to show what the page adds beside a text that was replaced", async () => {
    await open("<h1>Old</h1>", () => 0, text);
    translate();

    find("h1").append("more");
    await frame();

    expect(shown()).toBe("New");
  });
});

describe("content that was replaced", () => {
  test("stays together, so that an app finds a text beside its marker", async () => {
    const { held: marker } = await open("<h1>Hello <!--0-->1</h1>", () => find("h1").childNodes[1], [ChangeKind.Text, "h1", "New"]);

    (marker?.nextSibling as Text).data = "2";

    expect(marker?.parentNode?.textContent).toBe("Hello 2");
    expect(shown()).toBe("New");
  });

  test("is undone to what the app has made of it meanwhile", async () => {
    const { held: marker, leave } = await open("<h1>Hello <!--0-->1</h1>", () => find("h1").childNodes[1] as Comment, [ChangeKind.Text, "h1", "New"]);

    (marker.nextSibling as Text).data = "2";
    marker.before("dear ");
    marker.previousSibling?.previousSibling?.remove();
    leave();

    expect(shown()).toBe("dear 2");
  });

  test("goes on with what the app sorts, adds and takes out there", async () => {
    const { held: [ul, a, b], leave } = await open("<ul><li>a</li><li>b</li></ul>", () => [find("ul"), ...find("ul").children] as [HTMLElement, HTMLElement, HTMLElement], [ChangeKind.Html, "ul", "<li>New</li>"]);
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
    const { leave } = await open("<h1>Items: 0</h1>", () => 0, [ChangeKind.Text, "h1", "Cart"]);

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
  const { leave } = await open(before, () => 0, change);
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
  const { leave } = await open(`<a href="/1"></a>`, () => 0, change);

  act();
  await frame();
  leave();

  expect([find("a").getAttribute("href"), find("a").style.marginLeft]).toStrictEqual(["/1", ""]);
});

test("an element that HTML has emptied is undone", async () => {
  const { leave } = await open("<h1>Hello</h1>", () => 0, [ChangeKind.Html, "h1", ""]);

  leave();

  expect(shown()).toBe("Hello");
});

test("of two changes of the same attribute, the first remembers what the page had", async () => {
  const { leave } = await open(`<a href="/1"></a>`, () => 0, [ChangeKind.Attribute, "a", "/2", "href"], [ChangeKind.Attribute, "a", "/3", "href"]);
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
    await open("<ul><li class=a>a</li><li class=b>b</li><li class=c>c</li></ul>", () => 0, [ChangeKind.Insert, ".b", "2", position]);
    expect(shown()).toBe(first);

    find("ul").prepend(find(".b"));
    await frame();

    expect(shown()).toBe(then);
  });

  test("keeps its nodes, and what is typed in them, when it follows", async () => {
    await open("<p>a</p>", () => 0, [ChangeKind.Insert, "p", "<input>", "before"]);
    const field = find("input");

    find("p").before("between");
    await frame();

    expect([find("input"), field.nextSibling]).toStrictEqual([field, find("p")]);
  });

  test("does not fight a page that wants something else there for ever", async () => {
    await open("<p>a</p>", () => 0, [ChangeKind.Insert, "p", "I", "before"]);
    for (let times = 0; times < 14; times++) {
      find("p").before(item("x"));
      await frame();
    }

    expect(shown()).toMatch(/^x+Ix+a$/);
  });

  test("of an element that another change removes stays in its place", async () => {
    const { leave } = await open("<ul><li class=a>a</li><li class=b>b</li></ul>", () => 0, [ChangeKind.Insert, ".b", "2", "before"], [ChangeKind.Remove, ".b"]);
    find("ul").append(item("c"));
    await frame();
    expect(shown()).toBe("a2c");

    leave();
    expect(shown()).toBe("abc");
  });

  test("stays there while another change moves the next one beside the element", async () => {
    await open("<p class=a>a</p><p class=b>b</p>", () => 0, [ChangeKind.Insert, ".a", "I", "after"], [ChangeKind.Move, ".b", ".a", "after"]);
    const before = shown();
    document.body.append("!");
    await frame();

    expect(shown()).toBe(before + "!");
  });

  test("that is nothing is not looked for", async () => {
    const warned = vi.spyOn(console, "warn");
    await open("<p>a</p>", () => 0, [ChangeKind.Insert, "p", "", "before"]);
    for (let times = 0; times < 14; times++) {
      document.body.append("+");
      await frame();
    }

    expect(warned).not.toHaveBeenCalled();
  });

  test("by several changes stands there for all of them, however often the page changes", async () => {
    const inserted = ["1", "2", "3"].flatMap((value): ChangeConfig[] => [[ChangeKind.Insert, ".b", value, "before"], [ChangeKind.Insert, ".b", value, "after"]]);
    await open("<ul><li class=b>b</li></ul>", () => 0, ...inserted);
    const nodes = [...find("ul").childNodes];
    find("ul").append(item("c"));
    await frame();

    expect([...find("ul").childNodes].slice(0, -1)).toStrictEqual(nodes);
    expect(shown()).toBe("123b321c");
  });
});
