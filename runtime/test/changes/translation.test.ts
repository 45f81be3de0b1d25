/** A translator of the browser, which wraps the texts of a page. */

import { describe, expect, test } from "vitest";
import { ChangeKind } from "../../src/project/config";
import type { ChangeConfig } from "../../src/project/config";
import { frame } from "../support/frame";
import { find, openApp, shown } from "../support/openApp";

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
    const { leave } = await openApp("<h1>Old</h1>", () => 0, change);

    translate();
    await frame();
    expect(shown()).toBe(translated);

    leave();
    expect(shown()).toBe("Old");
  });

  test("is not meant where the page has a font of its own", async () => {
    await openApp("<h1><font color=red>Sale</font></h1>", () => 0, text);

    find("h1").innerHTML = "<font color=red>Sale 2</font>";
    await frame();

    expect(shown()).toBe("New");
  });

  test("leaves no reason to show what the page adds beside a text that was replaced", async () => {
    await openApp("<h1>Old</h1>", () => 0, text);
    translate();

    find("h1").append("more");
    await frame();

    expect(shown()).toBe("New");
  });
});
