/** Apps that render anew where an element was moved away or inserted. What a framework does then is done here by hand. */

import { describe, expect, test, vi } from "vitest";
import { ChangeKind } from "../../src/project/config";
import { frame } from "../support/frame";
import { find, openApp, shown } from "../support/openApp";

describe("an element that was moved", () => {
  const body = `<main><section><button>Buy</button></section></main><div id="bar">bar </div>`;
  const openMoved = () => openApp(body, () => [find("section"), find("button")] as const, [ChangeKind.Move, "button", "#bar", "append"]);

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
    const { leave } = await openApp(`<main><section><button id="buy">Buy 0 </button></section></main><div id="bar"></div>`, () => 0, [ChangeKind.Move, "button", "#bar", "append"]);

    for (let times = 1; times < 5; times++) {
      fill(`<button id="buy">Buy ${times} </button>`);
      await frame();
    }
    expect(shown().trim()).toBe("Buy 4");

    leave();
    expect([find("section").textContent?.trim(), find("#bar").textContent]).toStrictEqual(["Buy 4", ""]);
  });

  test("stays where it was moved to while its list gets others, be they the same", async () => {
    await openApp(`<ul><li class="item">New</li></ul><div id="bar"></div>`, () => 0, [ChangeKind.Move, ".item", "#bar", "append"]);

    for (let times = 0; times < 3; times++) {
      find("ul").innerHTML += `<li class="item">New</li>`;
      await frame();
    }

    expect(document.querySelectorAll("#bar .item")).toHaveLength(4);
  });

  test("stays where it was moved to while the page fills anew what another of its id left", async () => {
    const card = (text: string): string => `<button id="buy">${text}</button>`;
    await openApp(`<p>${card("A")}</p><p>${card("B")}</p><div id="bar"></div>`, () => 0, [ChangeKind.Move, "button", "#bar", "append"]);

    document.body.normalize();
    find("p:nth-of-type(2)").innerHTML = card("B2");
    await frame();

    expect(find("#bar").textContent).toBe("AB2");
  });

  test("stays where the page has put it since", async () => {
    await openApp(`<section><button id="buy">Buy</button></section><dialog></dialog><div id="bar"></div>`, () => 0, [ChangeKind.Move, "section button", "#bar", "append"]);
    find("dialog").append(find("button"));

    find("section").innerHTML = `<button id="buy">Again</button>`;
    await frame();

    expect([find("dialog").textContent, find("#bar").textContent]).toStrictEqual(["Buy", "Again"]);
  });

  test("is left where the page puts it once it has rendered it anew ten times within a second", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await openApp(`<section><button id="buy">0</button></section><div id="bar"></div>`, () => 0, [ChangeKind.Move, "section button", "#bar", "append"]);

    for (let times = 1; times < 15; times++) {
      find("section").innerHTML = `<button id="buy">${times}</button>`;
      await frame();
    }

    expect([find("section").textContent, find("#bar").textContent]).toStrictEqual(["14", ""]);
  });

  test("comes back beside the text that the page has made of the mark", async () => {
    const { leave } = await openApp("<section><button>Buy</button></section><div id=bar></div>", () => 0, [ChangeKind.Move, "button", "#bar", "append"]);

    (find("section").firstChild as Text).data = "Only 3 left";
    leave();

    expect(find("section").textContent).toBe("BuyOnly 3 left");
  });

  test("is not lost by undoing where there was no target", async () => {
    const { leave } = await openApp(body, () => 0, [ChangeKind.Move, "button", "#nowhere", "append"]);

    leave();

    expect(shown()).toBe("Buybar ");
  });

  test("by two changes is not lost by undoing both", async () => {
    const { leave } = await openApp(body, () => 0, [ChangeKind.Move, "button", "#bar", "append"], [ChangeKind.Move, "button", "main", "append"]);

    leave();

    expect(document.querySelectorAll("button")).toHaveLength(1);
  });

  test("and removed by another change stays removed", async () => {
    await openApp(body, () => 0, [ChangeKind.Move, "button", "#bar", "append"], [ChangeKind.Remove, "button"]);
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
    const { leave } = await openApp(body, () => 0, [ChangeKind.Move, "button", "#bar", "append"], [ChangeKind.Html, "main", "<h1>New </h1>"]);
    find("main").append("more ");
    await frame();
    expect(shown()).toBe("New bar Buy");

    leave();
    expect(find("main").textContent).toBe("Buymore ");
  });
});

describe("an element that was inserted", () => {
  const list = "<ul><li>a</li><li>b</li></ul>";
  const openList = () => openApp(list, () => 0, [ChangeKind.Insert, "ul", "<li>ad</li>", "append"]);
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
    const { leave } = await openApp("<ul></ul>", () => 0, [ChangeKind.Insert, "ul", `<li><a href="/ad">More</a></li>`, "append"]);
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
