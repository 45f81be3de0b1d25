/** What ends with the page view: once the snippet is switched off, what was changed stays, and nothing else is. */

import { describe, expect, test, vi } from "vitest";
import type { ChangeConfig } from "../../src/project/config";
import { ChangeKind } from "../../src/project/config";
import { frame } from "../support/frame";
import { openPage } from "../support/openPage";
import { abTest, everybodyGets, home } from "../support/project";

const project = (...changes: ChangeConfig[]) => ({ pages: [home], campaigns: [everybodyGets(...changes)] });
const short: ChangeConfig = [ChangeKind.Text, "h1", "Short"];
const code = (run: () => unknown): ChangeConfig => [ChangeKind.Javascript, 0, run];
const titles = (): (string | null)[] => [...document.querySelectorAll("h1")].map((title) => title.textContent);
const disable = (): unknown => window.experimentation.push({ type: "disable" });

describe("a snippet that is switched off", () => {
  test("leaves alone what comes later", async () => {
    const { api } = await openPage(project(short));

    api.push({ type: "disable" });
    document.body.insertAdjacentHTML("beforeend", "<h1>Late</h1>");
    await frame();

    expect(titles()).toStrictEqual(["Short", "Late"]);
  });

  test("leaves alone what the page writes anew", async () => {
    const { api } = await openPage(project(short));

    api.push({ type: "disable" });
    document.body.innerHTML = "<h1>Again</h1>";
    await frame();

    expect(titles()).toStrictEqual(["Again"]);
  });

  test("looks at the document once more at most", async () => {
    const { api } = await openPage(project(short));
    api.push({ type: "disable" });
    document.body.insertAdjacentHTML("beforeend", "<p>1</p>");
    await frame();
    const look = vi.spyOn(Document.prototype, "querySelectorAll");
    const observe = vi.spyOn(MutationObserver.prototype, "observe");

    document.body.insertAdjacentHTML("beforeend", "<p>2</p>");
    await frame();

    expect(look).not.toHaveBeenCalled();
    expect(observe).not.toHaveBeenCalled();
  });

  test("by the code of a change is off for the changes after it", async () => {
    const later = vi.fn();

    await openPage(project([ChangeKind.Attribute, "h1", "yes", "data-a"], code(disable), code(later), short));
    await frame();

    expect(document.querySelector("h1")?.outerHTML).toBe('<h1 data-a="yes">Hello</h1>');
    expect(later).not.toHaveBeenCalled();
  });

  test("does not apply what was to wait for a task of its own", async () => {
    vi.useFakeTimers();
    const asynchronous: ChangeConfig = [ChangeKind.Text, "h1", "Short", 0 as never, 0, 0, 0, 1];
    const { api } = await openPage(project(asynchronous));

    api.push({ type: "disable" });
    vi.runAllTimers();

    expect(titles()).toStrictEqual(["Hello"]);
  });

  test("does not apply what waited for a promise", async () => {
    let settle = (): void => undefined;
    const promise = new Promise<void>((resolve) => (settle = resolve));
    const first: ChangeConfig = [ChangeKind.Javascript, 0, () => promise, 0 as never, 0, "first"];
    const second: ChangeConfig = [ChangeKind.Text, "h1", "Short", 0 as never, 0, "second", ["first"]];
    const { api } = await openPage(project(first, second));

    api.push({ type: "disable" });
    settle();
    await frame();

    expect(titles()).toStrictEqual(["Hello"]);
  });

  test("still finds elements that the page's own code waits for", async () => {
    const { api } = await openPage({ pages: [home], campaigns: [abTest()] });
    const seen = vi.fn();
    const stop = api.get("utils").observeSelector("h2", seen);

    api.push({ type: "disable" });
    document.body.insertAdjacentHTML("beforeend", "<h2>Late</h2>");
    await frame();
    stop();

    expect(seen).toHaveBeenCalledTimes(1);
  });
});
