/** Texts, in projects that change nothing else. */

import { expect, test } from "vitest";
import { ChangeKind } from "../../src/project/config";
import { frame } from "../support/frame";
import { openPage } from "../support/openPage";
import { everybodyGets, home } from "../support/project";

const open = (selector: string, body: string, ...texts: string[]) =>
  openPage({ pages: [home], campaigns: [everybodyGets(...texts.map((text) => [ChangeKind.Text, selector, text] as const))] }, { body });

const find = <Found extends HTMLElement>(selector: string): Found => document.querySelector<Found>(selector) as Found;

test("are kept up when the page is rebuilt", async () => {
  await open("h1", "<h1>Hello</h1>", "New");

  document.body.innerHTML = "<h1>Hello again</h1>";
  await frame();

  expect(find("h1").textContent).toBe("New");
});

test("of two, the later one stays", async () => {
  const { api } = await open("h1", "<h1>Hello</h1>", "A", "B");
  api.push({ type: "activate" });

  expect(find("h1").textContent).toBe("B");
});

test("leave code alone", async () => {
  await open("#a", `<script id="a" type="text/plain">code</script>`, "New");

  expect(find("#a").textContent).toBe("code");
});

test("leave alone what the visitor writes", async () => {
  await open("p", `<div contenteditable="true" tabindex="0"><p>Hello</p></div>`, "New");
  const field = find("div");
  Object.defineProperty(field, "isContentEditable", { value: true });
  field.focus();

  find("p").textContent = "Mine";
  await frame();

  expect(find("p").textContent).toBe("Mine");
});

test("leave alone what the browser translates, and nothing else", async () => {
  await open("h1", "<h1>Hello</h1>", "New");

  find("h1").innerHTML = "<font><font>Neu</font></font>";
  await frame();
  expect(find("h1").textContent).toBe("Neu");

  find("h1").textContent = "";
  await frame();
  expect(find("h1").textContent).toBe("New");
});

test("let an app go on that counts on the old content", async () => {
  await open("h1", "<h1><b>Hello</b></h1>", "New");
  const heading = find("h1");
  const gone = document.createElement("b");
  heading.replaceChildren(gone);
  await frame();

  expect(heading.textContent).toBe("New");
  expect(() => heading.insertBefore(document.createElement("i"), gone)).not.toThrow();
  expect(() => heading.removeChild(gone)).not.toThrow();
});
