/** What a provider says counts only if it says it about this sign-in, now, and to us (OpenID Connect Core section 3.1.3.7). */

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { startAssay } from "../site/assay.mjs";
import { addMember } from "../site/commands.mjs";
import { challengeOf, startLyingProvider } from "../site/lyingProvider.mjs";

const ADA = "ada@example.com";

let assay, provider, folder;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-e2e-"));
  provider = await startLyingProvider();
  const secretFile = join(folder, "secret");
  await writeFile(secretFile, provider.secret);
  assay = await startAssay({
    flags: ["--oidc-issuer", provider.issuer, "--oidc-client-id", "assay", "--oidc-client-secret-file", secretFile],
  });
  await addMember(assay, ADA);
});

after(async () => {
  await assay?.stop();
  provider?.stop();
  await rm(folder, { recursive: true });
});

const cookiesOf = (response) => response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);

const hasSession = (response) => cookiesOf(response).some((cookie) => /session/.test(cookie) && !/pre/.test(cookie));

/** A browser leaves for the provider; what it was asked there, and what the browser keeps. */
const leave = async () => {
  const begun = await fetch(`${assay.url}/sign-in/provider?return_to=/account`, { redirect: "manual" });
  assert.equal(begun.status, 303);
  return { asked: new URL(begun.headers.get("location")).searchParams, cookie: cookiesOf(begun).join("; ") };
};

/** It comes back with a code, for which the provider gives a token with this lie. */
const comeBack = ({ asked, cookie }, lie = {}, more = {}) => {
  Object.assign(provider, { lie, nonce: asked.get("nonce") });
  const answer = new URLSearchParams({ code: "a code", state: asked.get("state"), ...more });
  return fetch(`${assay.url}/sign-in/provider/callback?${answer}`, { headers: { cookie }, redirect: "manual" });
};

const now = () => Math.floor(Date.now() / 1000);

// First: Assay keeps metadata that it believed.
test("metadata of another issuer leads nowhere", async () => {
  provider.metadataIssuer = "https://id.example";

  const begun = await fetch(`${assay.url}/sign-in/provider`, { redirect: "manual" });

  delete provider.metadataIssuer;
  assert.match(await begun.text(), /does not answer/);
});

for (const [name, address] of [["authorization_endpoint", "javascript:alert(1)"], ["token_endpoint", "http://other.test/token"]]) {
  test(`metadata leads to nothing but https: ${name}`, async () => {
    provider.endpoints = { [name]: address };

    const begun = await fetch(`${assay.url}/sign-in/provider`, { redirect: "manual" });

    delete provider.endpoints;
    assert.equal(begun.headers.get("location"), null);
    assert.match(await begun.text(), /does not answer/);
  });
}

const LIES = {
  "another issuer": () => ({ iss: "https://id.example" }),
  "for another client": () => ({ aud: "another" }),
  "for several, made for nobody": () => ({ aud: ["assay", "another"] }),
  "for several, made for another": () => ({ aud: ["assay", "another"], azp: "another" }),
  "another question": () => ({ nonce: "another" }),
  "no question": () => ({ nonce: undefined }),
  "expired": () => ({ iat: now() - 7200, exp: now() - 3600 }),
  "issued tomorrow": () => ({ iat: now() + 86_400, exp: now() + 90_000 }),
  "a key of another": () => ({ signature: "stranger" }),
  "no signature": () => ({ signature: "none" }),
  "the public key as a secret": () => ({ signature: "hs256" }),
};

for (const [name, lie] of Object.entries(LIES)) {
  test(`a token signs no one in: ${name}`, async () => {
    const journey = await leave();

    const answer = await comeBack(journey, lie());

    assert.match(await answer.text(), /did not sign you in/);
    assert.ok(!hasSession(answer));
  });
}

test("an address that is not verified, in a word, finds no member", async () => {
  const answer = await comeBack(await leave(), { email_verified: "false" });

  assert.ok(!hasSession(answer));
});

test("a code of another issuer is not exchanged (RFC 9207)", async () => {
  const before = provider.exchanges.length;

  const answer = await comeBack(await leave(), {}, { iss: "https://id.example" });

  assert.match(await answer.text(), /did not sign you in/);
  assert.equal(provider.exchanges.length, before);
  assert.ok(hasSession(await comeBack(await leave(), {}, { iss: provider.issuer })));
});

const TRUTHS = {
  "an address that is verified, in a word": { email_verified: "true" },
  "for several, made for us": { aud: ["another", "assay"], azp: "assay" },
};

for (const [name, truth] of Object.entries(TRUTHS)) {
  test(`a token signs the member in: ${name}`, async () => {
    const answer = await comeBack(await leave(), truth);

    assert.ok(hasSession(answer), await answer.text());
  });
}

test("a true token signs the member in, by a code whose verifier matches the challenge", async () => {
  const journey = await leave();

  const answer = await comeBack(journey);

  assert.equal(answer.headers.get("location"), "/account");
  assert.ok(hasSession(answer), String(cookiesOf(answer)));
  assert.equal(journey.asked.get("code_challenge_method"), "S256");
  assert.equal(challengeOf(provider.exchanges.at(-1).get("code_verifier")), journey.asked.get("code_challenge"));
  const again = await comeBack(journey);
  assert.ok(!hasSession(again));
});
