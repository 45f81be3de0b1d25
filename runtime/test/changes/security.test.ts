/** Pages with a content security policy: style sheets without inline styles, HTML under Trusted Types. */

import { afterEach, expect, test, vi } from "vitest";
import { ChangeKind } from "../../src/project/config";
import { openPage } from "../support/openPage";
import { everybodyGets, home } from "../support/project";
import { unmarked } from "../support/unmarked";

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(Object.getPrototypeOf(document) as object, "adoptedStyleSheets");
});

/** Gives documents the property, as browsers have it. */
const adopt = (sheets: unknown[]): void => {
  Object.defineProperty(Object.getPrototypeOf(document), "adoptedStyleSheets", {
    configurable: true,
    get: () => sheets,
    set: (given: unknown[]) => (sheets = given),
  });
};

class FakeStyleSheet {
  text = "";
  replaceSync(text: string): void {
    this.text = text;
  }
}

test("a style sheet is adopted where the browser can, behind those of the page", async () => {
  const own = new FakeStyleSheet();
  vi.stubGlobal("CSSStyleSheet", FakeStyleSheet);
  adopt([own]);
  const elements = document.querySelectorAll("style").length;

  await openPage({ pages: [home], campaigns: [everybodyGets([ChangeKind.Css, 0, "h1 { color: teal }"])] });

  const sheets = Reflect.get(document, "adoptedStyleSheets") as unknown as FakeStyleSheet[];
  expect(sheets.map(({ text }) => text)).toStrictEqual(["", "h1 { color: teal }"]);
  expect(document.querySelectorAll("style")).toHaveLength(elements);
});

test("a style sheet that imports another is an element", async () => {
  vi.stubGlobal("CSSStyleSheet", FakeStyleSheet);
  adopt([]);
  const css = '@import "more.css"; h1 { color: navy }';

  await openPage({ pages: [home], campaigns: [everybodyGets([ChangeKind.Css, 0, css])] });

  expect(Reflect.get(document, "adoptedStyleSheets")).toStrictEqual([]);
  expect([...document.querySelectorAll("style")].map(({ textContent }) => textContent)).toContain(css);
});

test("HTML is put in as a text where a policy of ours is refused: it may pass", async () => {
  const createPolicy = vi.fn(() => {
    throw new TypeError("refused");
  });
  vi.stubGlobal("trustedTypes", { createPolicy });

  await openPage({ pages: [home], campaigns: [everybodyGets([ChangeKind.Html, "h1", "<b>1</b>"])] });

  expect(document.body.innerHTML).toBe("<h1><b>1</b></h1>");
});

test("HTML goes through one policy where Trusted Types are", async () => {
  const createHTML = vi.fn((html: string) => html);
  const createPolicy = vi.fn(() => ({ createHTML }));
  vi.stubGlobal("trustedTypes", { createPolicy });
  const campaigns = [everybodyGets([ChangeKind.Html, "h1", "<b>1</b>"], [ChangeKind.Insert, "h1", "<i>2</i>", "after"])];

  await openPage({ pages: [home], campaigns });

  expect(createPolicy).toHaveBeenCalledTimes(1);
  expect(createHTML.mock.calls).toStrictEqual([["<b>1</b>"], ["<i>2</i>"]]);
  expect(unmarked(document.body.innerHTML)).toBe("<h1><b>1</b></h1><i>2</i>");
});

test("a text does not become code: scripts keep theirs", async () => {
  const body = '<h1>1</h1><script type="text/plain">1</script><svg><script type="text/plain">1</script></svg>';

  await openPage({ pages: [home], campaigns: [everybodyGets([ChangeKind.Text, "h1, script", "2"])] }, { body });

  const texts = [...document.querySelectorAll("h1, script")].map(({ textContent }) => textContent);
  expect(texts).toStrictEqual(["2", "1", "1"]);
});
