/** What each kind of change does to the page, early, late, again and for whom. */

import { describe, expect, test, vi } from "vitest";
import { ChangeKind } from "../../src/project/config";
import type { ChangeConfig } from "../../src/project/config";
import { frame } from "../support/frame";
import { openPage } from "../support/openPage";
import { abTest, everybodyGets, home, manualPage } from "../support/project";
import { unmarked } from "../support/unmarked";

const body = `<main><h1 class="old" title="t" style="color: red">Hello</h1><p id="a">A</p><p id="b">B</p></main>`;

const open = (...changes: ChangeConfig[]) =>
  openPage({ pages: [home], campaigns: [everybodyGets(...changes)], observedAttributes: ["class", "style", "title"] }, { body });

const html = (): string => unmarked(document.querySelector("main")?.innerHTML);

const h1 = (): HTMLElement => document.querySelector("h1") ?? document.createElement("h1");

describe("a change", () => {
  test.each<[string, ChangeConfig, string]>([
    ["of text", [ChangeKind.Text, "p", "<C>"], `<p id="a">&lt;C&gt;</p><p id="b">&lt;C&gt;</p>`],
    ["of HTML", [ChangeKind.Html, "#a", "<b>C</b>"], `<p id="a"><b>C</b></p><p id="b">B</p>`],
    ["of a class", [ChangeKind.Class, "#a", " x  y "], `<p id="a" class="x y">A</p><p id="b">B</p>`],
    ["of a style", [ChangeKind.Style, "#a", "blue !important", "color"], `<p id="a" style="color: blue !important;">A</p><p id="b">B</p>`],
    ["of an attribute", [ChangeKind.Attribute, "#a", "/x", "href"], `<p id="a" href="/x">A</p><p id="b">B</p>`],
    ["that inserts before", [ChangeKind.Insert, "#b", "<i>1</i>2", "before"], `<p id="a">A</p><i>1</i><span>2</span><p id="b">B</p>`],
    ["that inserts after", [ChangeKind.Insert, "#a", "<i></i>", "after"], `<p id="a">A</p><i></i><p id="b">B</p>`],
    ["that inserts first", [ChangeKind.Insert, "#a", "<i></i>", "prepend"], `<p id="a"><i></i>A</p><p id="b">B</p>`],
    ["that inserts last", [ChangeKind.Insert, "#a", "<i></i>", "append"], `<p id="a">A<i></i></p><p id="b">B</p>`],
    ["that moves", [ChangeKind.Move, "#b", "#a", "before"], `<p id="b">B</p><p id="a">A</p>`],
    ["that removes", [ChangeKind.Remove, "#a"], `<p id="b">B</p>`],
  ])("%s is there when the snippet is done", async (_, change, expected) => {
    await open(change);

    expect(html()).toContain(expected);
  });

  test("with null removes an attribute and a style", async () => {
    await open([ChangeKind.Attribute, "h1", null, "title"], [ChangeKind.Style, "h1", null, "color"]);

    expect(h1().hasAttribute("title")).toBe(false);
    expect(h1().style.color).toBe("");
  });

  test("keeps the rest of an element out that the parser adds in the task of DOMContentLoaded", async () => {
    await open([ChangeKind.Html, "#a", "<b>C</b>"]);

    document.querySelector("#a")?.append("A");
    document.dispatchEvent(new Event("DOMContentLoaded"));
    await frame();

    expect(html()).toContain(`<p id="a"><b>C</b></p>`);
  });

  test("that inserts beside many neighbours looks for copies once", async () => {
    await open([ChangeKind.Insert, "p", "<i></i>", "after"]);
    const searches = vi.spyOn(Element.prototype, "querySelectorAll");

    document.querySelector("main")?.insertAdjacentHTML("beforeend", "<p></p>".repeat(50));
    await frame();

    expect(document.querySelectorAll("p + i")).toHaveLength(52);
    expect(searches.mock.calls.length).toBeLessThan(10);
  });

  test("of CSS is added once, however often the page is activated", async () => {
    const { api } = await open([ChangeKind.Css, 0, "h1 { color: green }"]);
    api.push({ type: "activate" });

    const sheets = [...document.querySelectorAll("style")].filter((style) => style.textContent === "h1 { color: green }");
    expect(sheets).toHaveLength(1);
  });

  test("of code runs once in each activation", async () => {
    const code = vi.fn();
    const { api } = await open([ChangeKind.Javascript, 0, code]);
    expect(code).toHaveBeenCalledTimes(1);

    api.push({ type: "activate" });
    expect(code).toHaveBeenCalledTimes(2);
  });

  test("of code runs again when its page was left and is reached again", async () => {
    const code = vi.fn();
    const { api } = await open([ChangeKind.Javascript, 0, code]);

    api.push({ type: "page", pageName: "home" });
    expect(code).toHaveBeenCalledTimes(1);
    api.push({ type: "page", pageName: "home", isActive: false });
    api.push({ type: "page", pageName: "home" });

    expect(code).toHaveBeenCalledTimes(2);
  });

  test("that is async waits for a task of its own", async () => {
    await open([ChangeKind.Text, "h1", "Later", 0, 0, 0, 0, 1]);
    expect(h1().textContent).toBe("Hello");

    await frame();

    expect(h1().textContent).toBe("Later");
  });

  test("waits for the promise of the code it depends on", async () => {
    let finish: (() => void) | undefined;
    const work = () => new Promise<void>((resolve) => (finish = resolve));
    await open([ChangeKind.Javascript, 0, work, 0, 0, "first"], [ChangeKind.Text, "h1", "Second", 0, 0, 0, ["first"]]);
    await frame();
    expect(h1().textContent).toBe("Hello");

    finish?.();
    await frame();

    expect(h1().textContent).toBe("Second");
  });

  test("stays away when the promise it depends on fails, which is logged", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const fail = () => Promise.reject(new Error("mine"));
    await open([ChangeKind.Javascript, 0, fail, 0, 0, "first"], [ChangeKind.Text, "h1", "Second", 0, 0, 0, ["first"]]);

    await frame();

    expect(h1().textContent).toBe("Hello");
    expect(warn).toHaveBeenCalledWith("experimentation:", expect.objectContaining({ message: "mine" }));
  });

  test("that fails is logged, and the others are applied", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const fail = () => {
      throw new Error("mine");
    };

    await open([ChangeKind.Javascript, 0, fail], [ChangeKind.Text, "!!", "x"], [ChangeKind.Text, "h1", "Changed"]);

    expect(h1().textContent).toBe("Changed");
    expect(warn).toHaveBeenCalledTimes(2);
    expect(warn).toHaveBeenCalledWith("experimentation:", expect.any(Error));
  });

  test("waits for the changes it depends on", async () => {
    const code = vi.fn();
    await open([ChangeKind.Javascript, 0, code, 0, 0, 0, ["late"]], [ChangeKind.Text, ".late", "x", 0, 0, "late"]);
    expect(code).not.toHaveBeenCalled();

    h1().classList.add("late");
    document.querySelector("main")?.append(document.createElement("i"));
    await frame();

    expect(code).toHaveBeenCalledTimes(1);
  });

  test("is not applied for a visitor who is held back", async () => {
    const changes: ChangeConfig[] = [[ChangeKind.Text, "h1", "Changed"]];
    const campaign = abTest({ ends: [0, 10000], changes: [0, changes], shared: changes, holdback: 10000 });

    await openPage({ pages: [home], campaigns: [campaign] }, { body });

    expect(h1().textContent).toBe("Hello");
  });

  test("shared by all variations is applied for each", async () => {
    await openPage({ pages: [home], campaigns: [abTest({ ends: [10000, 10000], shared: [[ChangeKind.Text, "h1", "Changed"]] })] }, { body });

    expect(h1().textContent).toBe("Changed");
  });

  test("limited to a page waits for that page", async () => {
    const change: ChangeConfig = [ChangeKind.Text, "h1", "Changed", 0, 2];
    const campaign = abTest({ pages: [0, 1], ends: [0, 10000], changes: [0, [change]] });
    const { api } = await openPage({ pages: [home, manualPage], campaigns: [campaign] }, { body });
    expect(h1().textContent).toBe("Hello");

    api.push({ type: "page", pageName: "manual" });

    expect(h1().textContent).toBe("Changed");
  });
});

describe("keeping up", () => {
  test("changes elements that come late", async () => {
    await open([ChangeKind.Text, ".late", "Changed"]);

    const late = document.createElement("p");
    late.className = "late";
    document.querySelector("main")?.append(late);
    await frame();

    expect(late.textContent).toBe("Changed");
  });

  test.each<[string, ChangeConfig, () => void]>([
    ["text", [ChangeKind.Text, "h1", "Changed"], () => (h1().textContent = "Hello")],
    ["class", [ChangeKind.Class, "h1", "new"], () => h1().classList.remove("new")],
    ["attribute", [ChangeKind.Attribute, "h1", "x", "title"], () => (h1().title = "t")],
    ["style", [ChangeKind.Style, "h1", "blue", "color"], () => (h1().style.color = "red")],
    ["inserted content", [ChangeKind.Insert, "h1", "<i></i>", "append"], () => h1().querySelector("i")?.remove()],
    ["an element built anew", [ChangeKind.Insert, "h1", "<i></i>", "after"], () => h1().replaceWith(h1().cloneNode(true))],
  ])("does %s again after the page took it back", async (_, change, takeBack) => {
    await open(change);
    const changed = html();

    takeBack();
    await frame();

    expect(html()).toBe(changed);
  });

  test("leaves what it put into an element there while the page has the element out", async () => {
    const { api } = await open([ChangeKind.Html, "h1", "<input>"]);
    const form = h1();
    const field = form.querySelector("input") as HTMLInputElement;
    field.value = "typed";

    form.remove();
    await frame();
    api.push({ type: "disable" });
    document.body.append(form);
    await frame();

    expect(form.querySelector("input")).toBe(field);
    expect(field.value).toBe("typed");
  });

  test("moves an element once there is somewhere to put it", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    await open([ChangeKind.Move, "h1", ".late", "append"]);
    for (let times = 0; times < 12; times++) {
      document.body.append("busy");
      await frame();
    }

    const late = document.createElement("p");
    late.className = "late";
    document.body.append(late);
    await frame();

    expect(late.innerHTML).toContain("Hello");
    expect(console.warn).not.toHaveBeenCalled();
  });

  test("does not insert inside of what it inserted", async () => {
    await open([ChangeKind.Insert, "p", "<p>New</p>", "after"]);
    document.querySelector("main")?.append("more");
    await frame();

    expect(document.querySelectorAll("p")).toHaveLength(4);
  });

  test.each<[string, ChangeConfig, string]>([
    ["HTML", [ChangeKind.Html, "main", "<b>New</b>Text"], "<b>New</b>Text"],
    ["no HTML", [ChangeKind.Html, "main", ""], ""],
    ["HTML at its end", [ChangeKind.Insert, "main", "<b>New</b>", "append"], "Hello, <i>world</i><b>New</b>"],
    ["HTML at its start", [ChangeKind.Insert, "main", "<b>New</b>", "prepend"], "<b>New</b>Hello, <i>world</i>"],
  ])("of an element in which the parser still is: %s", async (_, change, expected) => {
    const state = vi.spyOn(document, "readyState", "get").mockReturnValue("loading");
    await openPage({ pages: [home], campaigns: [everybodyGets(change)] }, { body: "<main>Hel</main>" });
    const main = document.querySelector("main");
    // It goes on in the last text, and behind it.
    if (main?.lastChild?.nodeType === Node.TEXT_NODE) {
      (main.lastChild as Text).appendData("lo, ");
    } else {
      main?.append("lo, ");
    }
    await frame();
    main?.append(Object.assign(document.createElement("i"), { textContent: "world" }));
    await frame();
    state.mockReturnValue("interactive");
    document.body.append("the rest");
    await frame();
    main?.append(document.createComment("the page's own"));
    await frame();

    expect(html()).toBe(expected + "<!--the page's own-->");
    state.mockRestore();
  });

  test("gives up on an element that is reverted all the time, and says so", async () => {
    const warn = vi.spyOn(console, "warn");
    const gaveUp = new Promise<void>((resolve) => warn.mockImplementation(() => resolve()));
    vi.spyOn(window, "requestAnimationFrame").mockImplementation((callback) => (setTimeout(() => callback(0)), 0));
    await open([ChangeKind.Text, "h1", "Changed"]);
    let reverted = 0;
    const app = new MutationObserver(() => {
      if (h1().textContent === "Changed") {
        reverted++;
        h1().textContent = "Hello";
      }
    });
    app.observe(document, { childList: true, subtree: true });

    h1().textContent = "Hello";
    await gaveUp;
    app.disconnect();

    expect(h1().textContent).toBe("Hello");
    expect(reverted).toBeLessThanOrEqual(10);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test("ends when the page is deactivated", async () => {
    const { api } = await open([ChangeKind.Text, "h1", "Changed"]);
    api.push({ type: "page", pageName: "home", isActive: false });

    h1().textContent = "Hello";
    await frame();

    expect(h1().textContent).toBe("Hello");
  });

  test("observes nothing where there is nothing to keep up", async () => {
    const observe = vi.spyOn(MutationObserver.prototype, "observe");

    await open([ChangeKind.Javascript, 0, () => undefined]);

    expect(observe).not.toHaveBeenCalled();
  });
});
