/** A member writes code in a form of the console: the server's fault stands at its line, and the keyboard is never caught. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFaults } from "../../site/accessibility.mjs";
import { Member } from "../../site/member.mjs";
import { setStage } from "../../site/stage.mjs";

const stage = setStage();

test("a fault in code stands at its line until the line is mended", async () => {
  const page = await stage.browser.newPage();
  const member = new Member(page, stage.assay);
  await member.open(new URL("/projects/1000/settings", stage.assay.url));
  await member.signIn();
  const code = page.getByLabel("Code on every page");
  const numbers = () => page.locator(".code-field pre span").allInnerTexts();
  const wrong = () => page.locator(".code-field pre .wrong").allInnerTexts();
  const field = async () => (await code.inputValue()).split("\n");

  await code.fill("const shelf = 3;\n");
  await code.press("End");
  await page.keyboard.type("if (shelf) {\n");
  await page.keyboard.press("Tab");
  await page.keyboard.type("shelf =;\n}");
  assert.deepEqual(await field(), ["const shelf = 3;", "if (shelf) {", "  shelf =;", "  }"], "Tab indents, and Enter keeps the indent");
  assert.deepEqual((await numbers()).map(Number), [1, 2, 3, 4]);
  await page.getByRole("button", { name: "Save" }).first().click();
  await page.getByText("Line 3, column").first().waitFor();
  assert.deepEqual((await wrong()).map(Number), [3]);
  assert.deepEqual(await accessibilityFaults(page), []);

  await code.evaluate((area) => area.setSelectionRange(area.value.indexOf("=;") + 1, area.value.indexOf("=;") + 1));
  await code.pressSequentially(" 4");
  assert.deepEqual(await wrong(), [], "a line that was changed is no longer wrong");
  await page.getByText("Line 3, column").nth(1).waitFor({ state: "detached" });
  assert.equal(await code.getAttribute("aria-invalid"), "false");
  await page.keyboard.type(")");
  await page.getByText("Line 3, column 12").waitFor();
  assert.deepEqual((await wrong()).map(Number), [3], "what is typed is checked before it is saved");
  await page.keyboard.press("Backspace");
  await page.getByText("Line 3, column 12").waitFor({ state: "detached" });
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Tab");
  assert.equal((await field())[0], "  const shelf = 3;");
  await page.keyboard.press("Control+Z");
  assert.equal((await field())[0], "const shelf = 3;");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.equal(await code.evaluate((area) => area === document.activeElement), false, "Escape, then Tab leaves the field");
  await page.close();
});
