/** Members edit a project with what browsers and people do: reload, let a session expire, save what another member has just saved. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFaults } from "../../site/accessibility.mjs";
import { Member } from "../../site/member.mjs";
import { setStage } from "../../site/stage.mjs";

const stage = setStage();

const PASSWORD = "a password that cleo chose";

/** The demo's member in a browser of their own. */
const signedIn = async () => {
  const context = await stage.browser.newContext();
  const member = new Member(await context.newPage(), stage.assay);
  await member.open(new URL("/members", stage.assay.url));
  await member.signIn();
  return member;
};

/** Another member, who may edit the project, in a browser of their own. */
const invitedBy = async ({ page }) => {
  await page.getByLabel("E-mail").fill("cleo@example.com");
  await page.getByLabel("Role", { exact: true }).selectOption("editor");
  await page.getByRole("button", { name: "Invite" }).click();
  const link = await page.locator("#invitation-link").innerText();
  const context = await stage.browser.newContext();
  const invited = new Member(await context.newPage(), stage.assay);
  await invited.open(link);
  await invited.page.getByLabel("Choose a password").fill(PASSWORD);
  await invited.page.getByRole("button", { name: "Join" }).click();
  await invited.page.waitForURL("**/projects/1000");
  return invited;
};

/** Opens the form of the shop's front page, with its script. */
const openFrontPage = async (member) => {
  await member.open(new URL("/projects/1000/pages", stage.assay.url));
  await member.page.getByRole("link", { name: "Front page" }).click();
  await member.page.waitForURL("**/pages/2001");
};

const field = ({ page }, label) => page.getByLabel(label, { exact: true });
const save = ({ page }) => page.getByRole("button", { name: "Save in the draft" }).click();

test("unsaved edits are there again, until the member saves or discards them", async () => {
  const member = await signedIn();
  const { page } = member;
  const notice = page.locator("[data-unsaved-notice]");
  const name = field(member, "Name");
  await openFrontPage(member);
  assert.equal(await notice.isVisible(), false);

  await name.fill("Entrance");
  await page.reload();
  await notice.waitFor();
  assert.equal(await name.inputValue(), "Entrance");
  assert.deepEqual(await accessibilityFaults(page), []);
  await notice.getByRole("button", { name: "Discard them" }).click();
  await notice.waitFor({ state: "hidden" });
  assert.equal(await name.inputValue(), "Front page");

  await name.fill("Entrance");
  await page.context().clearCookies();
  await save(member);
  await member.signIn();
  await notice.waitFor();
  assert.equal(await name.inputValue(), "Entrance", "a session that expired takes nothing");
  await save(member);
  await page.getByText("Saved in the draft.").waitFor();
  await page.reload();
  assert.equal(await name.inputValue(), "Entrance");
  assert.equal(await notice.isVisible(), false);
  await member.leave();
});

test("a campaign that was saved has no unsaved changes, and a new one is not filled in with it", async () => {
  const member = await signedIn();
  const { page } = member;
  const notice = page.locator("[data-unsaved-notice]");
  const name = field(member, "Name").first();
  await member.open(new URL("/projects/1000/campaigns/new", stage.assay.url));
  await name.fill("Basket");
  await page.getByRole("group", { name: "Pages" }).getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "Add to the draft" }).click();
  await page.getByText("Added to the draft.").waitFor();

  const edit = async () => {
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.waitForURL("**/edit");
  };
  await edit();
  assert.equal(await notice.isVisible(), false);
  await name.fill("Shopping basket");
  await save(member);
  await page.getByText("Saved in the draft.").waitFor();
  await edit();
  assert.equal(await notice.isVisible(), false);
  await member.open(new URL("/projects/1000/campaigns/new", stage.assay.url));
  assert.deepEqual([await name.inputValue(), await notice.isVisible()], ["", false]);
  await member.leave();
});

test("edits before the page's script arrives are kept, too", async () => {
  const member = await signedIn();
  const { page } = member;
  const name = field(member, "Name");
  let arrive;
  const arrival = new Promise((resolve) => {
    arrive = resolve;
  });
  await page.route("**/assets/unsaved.js", async (route) => {
    await arrival;
    await route.continue();
  });
  await member.open(new URL("/projects/1000/pages", stage.assay.url));
  await page.getByRole("link", { name: "Front page" }).click();
  await name.fill("Entrance");
  arrive();
  await page.waitForLoadState();

  await page.reload();

  await page.locator("[data-unsaved-notice]").waitFor();
  assert.equal(await name.inputValue(), "Entrance");
  await member.leave();
});

test("conditions that were added and not saved come back", async () => {
  const member = await signedIn();
  const { page } = member;
  await openFrontPage(member);

  await page.getByLabel("Kind of condition").selectOption("JavaScript");
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByLabel("Code", { exact: true }).fill("return shelf > 2;");
  await openFrontPage(member);
  await page.getByRole("button", { name: "Restore them" }).click();

  await page.getByLabel("Code", { exact: true }).waitFor();
  assert.equal(await page.getByLabel("Code", { exact: true }).inputValue(), "return shelf > 2;");
  await member.leave();
});

const NEW_CAMPAIGN = "/projects/1000/campaigns/new";

/** A new campaign with a name and a change, whose form is the answer to a button, and what is typed into it then. */
const typeNewCampaign = async (member, { name, text }) => {
  const { page } = member;
  await member.open(new URL(NEW_CAMPAIGN, stage.assay.url));
  await field(member, "Name").first().fill(name);
  await page.getByRole("group", { name: "Add a change to Variation" }).getByRole("button", { name: "Text", exact: true }).click();
  await page.getByLabel("New text").fill(text);
  // The script keeps it after a pause in typing.
  await page.waitForFunction((typed) => Object.values(localStorage).some((kept) => kept.includes(typed)), text);
};

const isTyped = async (member, { name, text }) => {
  const { page } = member;
  await page.getByLabel("New text").waitFor();
  await page.locator("[data-unsaved-notice]").filter({ hasText: "are filled in" }).waitFor();
  assert.deepEqual([await field(member, "Name").first().inputValue(), await page.getByLabel("New text").inputValue()], [name, text]);
};

test("a form that is the answer to a button survives a reload and Back", async () => {
  const member = await signedIn();
  const { page } = member;
  const typed = { name: "Summer", text: "Ship it faster" };
  await typeNewCampaign(member, typed);
  assert.equal(new URL(page.url()).pathname, NEW_CAMPAIGN);

  await page.reload();
  await isTyped(member, typed);
  await page.getByLabel("New text").fill("Ship it today");
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.waitForURL("**/campaigns");
  await page.goBack();
  await isTyped(member, { ...typed, text: "Ship it today" });
  await page.reload();
  await isTyped(member, { ...typed, text: "Ship it today" });

  await page.getByRole("button", { name: "Discard them" }).click();
  await page.getByLabel("New text").waitFor({ state: "detached" });
  assert.equal(await field(member, "Name").first().inputValue(), "");
  await member.leave();
});

test("edits beside an unanswered offer lose nothing", async () => {
  const member = await signedIn();
  const { page } = member;
  const typed = { name: "Autumn", text: "Warm mugs" };
  await typeNewCampaign(member, typed);

  await member.open(new URL(NEW_CAMPAIGN, stage.assay.url));
  await page.getByRole("button", { name: "Restore them" }).waitFor();
  await field(member, "Name").first().fill("Winter");
  await member.open(new URL(NEW_CAMPAIGN, stage.assay.url));
  await page.getByRole("button", { name: "Discard them" }).click();
  await page.getByRole("button", { name: "Restore them" }).click();

  await isTyped(member, typed);
  await member.leave();
});

test("a member who discards what is offered keeps what they typed beside it", async () => {
  const member = await signedIn();
  const { page } = member;
  await typeNewCampaign(member, { name: "Autumn", text: "Warm mugs" });
  await member.open(new URL(NEW_CAMPAIGN, stage.assay.url));
  await field(member, "Name").first().fill("Winter");

  await page.getByRole("button", { name: "Discard them" }).click();

  assert.equal(await page.locator("[data-unsaved-notice]").isVisible(), false);
  assert.equal(await field(member, "Name").first().inputValue(), "Winter");
  await page.reload();
  await page.locator("[data-unsaved-notice]").filter({ hasText: "are filled in" }).waitFor();
  assert.equal(await field(member, "Name").first().inputValue(), "Winter");
  await member.leave();
});

test("a second tab with a form begins anew while the first one is open", async () => {
  const first = await signedIn();
  await typeNewCampaign(first, { name: "Spring", text: "Flowers" });
  const second = new Member(await first.page.context().newPage(), stage.assay);

  await second.open(new URL(NEW_CAMPAIGN, stage.assay.url));
  await second.page.getByRole("button", { name: "Fill them in here" }).waitFor();
  assert.equal(await field(second, "Name").first().inputValue(), "");
  await field(second, "Name").first().fill("Second");
  await second.page.reload();
  await second.page.locator("[data-unsaved-notice]").filter({ hasText: "are filled in" }).waitFor();
  assert.equal(await field(second, "Name").first().inputValue(), "Second");

  await first.page.reload();
  await isTyped(first, { name: "Spring", text: "Flowers" });
  await first.leave();
});

test("edits in three tabs are offered one by one, once they are closed", async () => {
  const member = await signedIn();
  const context = member.page.context();
  const names = ["First", "Second", "Third"];
  const tabs = [];
  for (const name of names) {
    const tab = new Member(await context.newPage(), stage.assay);
    tabs.push(tab.page);
    await tab.open(new URL(NEW_CAMPAIGN, stage.assay.url));
    await field(tab, "Name").first().fill(name);
    await tab.page.waitForFunction((typed) => Object.values(localStorage).some((kept) => kept.includes(typed)), name);
  }
  for (const tab of tabs) await tab.close();

  await member.open(new URL(NEW_CAMPAIGN, stage.assay.url));
  const notice = member.page.locator("[data-unsaved-notice]").filter({ hasText: "are filled in" });
  for (const name of names.toReversed()) {
    await notice.waitFor();
    assert.equal(await field(member, "Name").first().inputValue(), name);
    await notice.getByRole("button", { name: "Discard them" }).click();
    await member.page.waitForFunction((gone) => document.querySelector("[name='/name']").value !== gone, name);
  }

  assert.equal(await field(member, "Name").first().inputValue(), "");
  assert.equal(await notice.isVisible(), false);
  await member.leave();
});

test("a form of an earlier session is open again with what was typed", async () => {
  const member = await signedIn();
  const { page } = member;
  await openFrontPage(member);
  await field(member, "Name").fill("Entrance");
  const context = page.context();
  await context.clearCookies();
  const other = new Member(await context.newPage(), stage.assay);
  await other.open(new URL("/members", stage.assay.url));
  await other.signIn();
  await other.page.getByRole("heading", { name: "Members" }).first().waitFor();

  await save(member);
  await page.getByRole("link", { name: "open the form again" }).click();

  await page.locator("[data-unsaved-notice]").waitFor();
  assert.equal(await field(member, "Name").inputValue(), "Entrance");
  await save(member);
  await page.getByText("Saved in the draft.").waitFor();
  await member.leave();
});

test("two members edit the same thing: the second sees both versions, and nothing is lost", async () => {
  const first = await signedIn();
  const second = await invitedBy(first);
  await openFrontPage(first);
  await openFrontPage(second);

  await field(first, "Name").fill("Entrance");
  await save(first);
  await first.page.getByText("Saved in the draft.").waitFor();
  await field(second, "Name").fill("Doorway");
  await field(second, "Category").fill("landing");
  await save(second);

  const { page } = second;
  await page.getByRole("heading", { name: "Two versions of Entrance" }).waitFor();
  assert.match(await page.getByRole("alert").innerText(), new RegExp(`${stage.assay.member.email} saved it while you were editing`));
  const versions = await page.locator(".versions li pre").allInnerTexts();
  for (const shown of ["Entrance", "Doorway", "landing"]) assert.ok(versions.includes(shown), versions.join());
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole("button", { name: "Edit that first" }).click();
  await field(second, "Name").fill("Entrance and doorway");
  await save(second);
  await page.getByText("Saved in the draft.").waitFor();

  assert.equal(await field(second, "Name").inputValue(), "Entrance and doorway");
  assert.equal(await field(second, "Category").inputValue(), "landing");
  await Promise.all([first, second].map((member) => member.leave()));
});
