/** Members sign in at an OpenID Connect provider, without JavaScript of ours; a real provider answers them. */

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { accessibilityFaults } from "../site/accessibility.mjs";
import { startAssay } from "../site/assay.mjs";
import { openBrowser } from "../site/browser.mjs";
import { addMember } from "../site/commands.mjs";
import { freePort } from "../site/freePort.mjs";
import { startIdentityProvider } from "../site/identityProvider.mjs";

const ADA = "ada@example.com";

/** What is not there by then does not come any more. */
const ANSWER_MS = 10_000;

/** What the provider says of its accounts; who they are at Assay is decided by that. */
const ACCOUNTS = {
  ada: { email: ADA, email_verified: true },
  eve: { email: "eve@example.com", email_verified: true },
  liar: { email: ADA, email_verified: false },
  twin: { email: ADA, email_verified: true },
};

let assay, browser, provider, folder, ada, port, callback;

before(async () => {
  const listen = `127.0.0.1:${await freePort()}`;
  port = await freePort();
  callback = `http://${listen}/sign-in/provider/callback`;
  folder = await mkdtemp(join(tmpdir(), "assay-e2e-"));
  provider = await startIdentityProvider(port, callback, (subject) => ACCOUNTS[subject]);
  const secretFile = join(folder, "secret");
  await writeFile(secretFile, `${provider.secret}\n`);
  const named = ["--oidc-issuer", provider.issuer, "--oidc-client-id", "assay", "--oidc-name", "Example ID"];
  assay = await startAssay({ listen, flags: [...named, "--oidc-client-secret-file", secretFile] });
  ada = await addMember(assay, ADA);
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await assay?.stop();
  provider?.close();
  await rm(folder, { recursive: true });
});

/** A person's browser, which runs no script unless it has to, at a page that asks them to sign in. */
const arrive = async (path = "/account", javaScriptEnabled = false) => {
  const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(ANSWER_MS);
  await page.goto(assay.url + path);
  return page;
};

/** Signs in at the provider as an account of its, and lets it tell Assay who that is. */
const signInAt = async (page, account) => {
  await page.getByRole("link", { name: "Sign in with Example ID" }).click();
  await page.fill("input[name=login]", account);
  await page.fill("input[name=password]", "any");
  await page.click("button[type=submit]");
  await page.getByRole("button", { name: "Continue" }).click();
};

const alert = (page) => page.getByRole("alert").first().innerText();

test("a member whose address the provider has verified signs in and comes to the page they wanted", async () => {
  const page = await arrive("/account?a=1");

  await signInAt(page, "ada");

  assert.equal(page.url(), `${assay.url}/account?a=1`);
  assert.match(await page.locator(".member").innerText(), new RegExp(ADA));
  await page.context().close();
});

test("others are told why they are not signed in, and are not", async () => {
  const refusals = { eve: /No member of this server has the address eve@example.com/, liar: /does not vouch/, twin: /other/i };
  for (const [account, words] of Object.entries(refusals)) {
    const page = await arrive();

    await signInAt(page, account);

    assert.match(await alert(page), words);
    await page.goto(`${assay.url}/account`);
    assert.equal(await page.getByRole("link", { name: "Sign in with Example ID" }).count(), 1, account);
    await page.context().close();
  }
});

test("an answer works once, in the browser that asked, with the state that it asked with", async () => {
  const page = await arrive();
  const asked = page.waitForRequest((request) => request.url().startsWith(callback));
  await signInAt(page, "ada");
  const answer = (await asked).url();
  const changed = answer.replace(/state=[^&]+/, "state=another");
  const later = await arrive();

  for (const [where, address] of [[page, answer], [later, answer], [later, changed]]) {
    await where.context().clearCookies({ name: /session/ });
    await where.goto(address);
    assert.match(await alert(where), /too long|did not sign you in/);
  }
  await page.context().close();
  await later.context().close();
});

test("a person who cancels at the provider is back at the sign-in form", async () => {
  const page = await arrive("/account", true);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.getByRole("link", { name: "Sign in with Example ID" }).click();
  await page.getByRole("link", { name: /cancel/i }).click();

  assert.match(await alert(page), /did not sign you in/);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.context().close();
});

test("a server whose provider is away starts, says so, and takes passwords", async () => {
  const away = ["--oidc-issuer", `http://127.0.0.1:${await freePort()}`, "--oidc-client-id", "assay", "--oidc-name", "Example ID"];
  const lonely = await startAssay({ flags: away });
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${lonely.url}/account`);
  await page.getByRole("link", { name: "Sign in with Example ID" }).click();
  assert.match(await alert(page), /does not answer/);

  await page.fill("input[name=email]", lonely.member.email);
  await page.fill("input[name=password]", lonely.member.password);
  await page.click("form button[type=submit]");

  assert.equal(page.url(), `${lonely.url}/account`);
  await context.close();
  await lonely.stop();
});
