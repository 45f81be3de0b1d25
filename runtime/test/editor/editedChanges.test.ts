/** What a member edits is in force at once, and gone when it is taken back: by the code that visitors have. */

import { expect, test, vi } from "vitest";
import { ChangeKind } from "../../src/project/config";
import type * as Config from "../../src/project/config";
import type { DocumentChange } from "../../src/project/editing";
import { openPage } from "../support/openPage";
import { abTest, everybodyGets, home } from "../support/project";

const BODY = `<h1>Hello</h1><ul><li>A</li><li>B</li></ul><img alt="old">`;

const opened = async (): Promise<(...changes: DocumentChange[]) => void> => {
  await openPage({ pages: [home], campaigns: [everybodyGets()], observedAttributes: ["style", "class", "alt"] } as Partial<typeof Config>, { body: BODY });
  const { showChanges } = await import("../../src/editor/editedChanges");
  return (...changes) => showChanges(5002, changes);
};

const text = (value: string): DocumentChange => ({ type: "text", selector: "h1", value });

test("each change is in the page, and without it the page is as it was", async () => {
  const show = await opened();
  const before = document.body.innerHTML;

  show(
    text("New"),
    { type: "style", selector: "h1", name: "color", value: "red" },
    { type: "class", selector: "ul", value: "wide" },
    { type: "attribute", selector: "img", name: "alt", value: "new" },
    { type: "move", selector: "li:nth-child(2)", to: "h1", position: "before" },
    { type: "remove", selector: "ul > li" },
  );
  expect(document.querySelector("h1")?.textContent).toBe("New");
  expect(document.querySelector("h1")?.style.color).toBe("red");
  expect(document.querySelector("ul")?.className).toBe("wide");
  expect(document.querySelector("img")?.alt).toBe("new");

  show();
  const clean = document.body.innerHTML.replace(/ (style|class)=""/g, "");
  expect(clean).toBe(before);
});

test("a text that is typed letter by letter ends as the last letter leaves it", async () => {
  const show = await opened();

  ["N", "Ne", "New", "New ", "New o", "New of", "New off", "New offe", "New offer", "New offer!", "New offer!!", "New offer!!!"].forEach((value) => show(text(value)));

  expect(document.querySelector("h1")?.textContent).toBe("New offer!!!");
});

test("a selector uses no class or attribute that other campaigns set", async () => {
  const promoted = abTest({
    id: 3010,
    ends: [0, 10000],
    changes: [0, [[ChangeKind.Class, "body", "promo wide"], [ChangeKind.Attribute, "a", "first", "data-place"], [ChangeKind.Attribute, "main + a", "promo", "class"]]],
  });
  await openPage({ pages: [home], campaigns: [everybodyGets(), promoted], observedAttributes: ["class"] }, { body: "<main><a>One</a></main><a>Two</a>" });
  const { ownNames } = await import("../../src/editor/editedChanges");
  const { chooseSelector } = await import("../../src/editor/selector");
  const element = document.querySelector("body > a") as Element;
  expect(document.body.className).toBe("promo wide");

  const selector = chooseSelector(element, ownNames([]));

  expect(selector).not.toMatch(/promo|wide|place/);
  expect([...document.querySelectorAll(selector)]).toEqual([element]);
});

test("redirects and JavaScript stay in the list and do nothing", async () => {
  const show = await opened();

  show({ type: "redirect", destination: "/elsewhere" }, { type: "javascript", value: "document.title = 'ran'" }, text("New"));

  expect(document.querySelector("h1")?.textContent).toBe("New");
  expect(document.title).not.toBe("ran");
});

test("an element that the page puts back is changed again", async () => {
  vi.useFakeTimers({ toFake: ["requestAnimationFrame", "setTimeout"] });
  const show = await opened();
  show(text("New"));

  document.body.innerHTML = BODY;
  await vi.advanceTimersByTimeAsync(100);

  expect(document.querySelector("h1")?.textContent).toBe("New");
});
