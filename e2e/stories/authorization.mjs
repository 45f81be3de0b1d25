/** An application asks a member for access, with a real OAuth client library on its side. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { setStage } from "../site/stage.mjs";

const TWO_HOURS_SECONDS = 7200;

const stage = setStage();

/** A member who is not signed in allows the application; gives the answer that the application gets. */
const allow = async (application, member) => {
  await member.open(await application.authorizationUrl());
  await member.signIn();
  return member.decide("allow");
};

test("a member signs in and consents, and the application exchanges the code for a token", () =>
  stage.authorize(async (application, member) => {
    const answer = await allow(application, member);

    const tokens = await application.exchange(answer);

    assert.equal(tokens.token_type, "bearer");
    assert.equal(tokens.expires_in, TWO_HOURS_SECONDS);
    assert.ok(tokens.refresh_token);
  }));

test("the answer carries code, state and issuer", () =>
  stage.authorize(async (application, member) => {
    const answer = await allow(application, member);

    assert.deepEqual([...answer.searchParams.keys()].sort(), ["code", "iss", "state"]);
    assert.equal(answer.searchParams.get("state"), application.state);
    assert.equal(answer.searchParams.get("iss"), stage.assay.url);
  }));

test("the token opens the list of projects, and nothing else does", () =>
  stage.authorize(async (application, member) => {
    const { access_token } = await application.exchange(await allow(application, member));

    const projects = await application.get("/v1/projects", access_token);

    assert.equal(projects.status, 200);
    assert.deepEqual((await projects.json()).map(({ id, name }) => ({ id, name })), [{ id: "1000", name: "Demo shop" }]);
    const refused = await fetch(new URL("/v1/projects", stage.assay.url));
    assert.equal(refused.status, 401);
    assert.match(refused.headers.get("www-authenticate"), /^Bearer/);
  }));

test("the refresh token buys another access token", () =>
  stage.authorize(async (application, member) => {
    const first = await application.exchange(await allow(application, member));

    const second = await application.refresh(first.refresh_token);

    assert.notEqual(second.access_token, first.access_token);
    assert.equal((await application.get("/v1/projects", second.access_token)).status, 200);
  }));

test("a code cannot be exchanged twice, and trying ends the tokens it gave", () =>
  stage.authorize(async (application, member) => {
    const answer = await allow(application, member);
    const { access_token } = await application.exchange(answer);

    await assert.rejects(application.exchange(answer), { error: "invalid_grant" });

    await assert.rejects(application.get("/v1/projects", access_token), { status: 401 });
  }));

test("a code can be exchanged with everything in the query", () =>
  stage.authorize(async (application, member) => {
    await member.open(application.plainAuthorizationUrl());
    await member.signIn();
    const answer = await member.decide("allow");

    const response = await application.exchangeInQuery(answer);

    assert.equal(response.status, 200);
    assert.equal(response.headers.get("cache-control"), "no-store");
    const tokens = await response.json();
    assert.deepEqual(Object.keys(tokens).sort(), ["access_token", "expires_in", "refresh_token", "token_type"]);
    assert.equal((await application.get("/v1/projects", tokens.access_token)).status, 200);
  }));

test("a member who refuses gives no code", () =>
  stage.authorize(async (application, member) => {
    await member.open(await application.authorizationUrl());
    await member.signIn();

    const answer = await member.decide("deny");

    assert.throws(() => application.read(answer), { error: "access_denied" });
  }));

test("a member who allowed the application before is not asked again", () =>
  stage.authorize(async (application, member) => {
    await allow(application, member);

    const answered = member.untilSentBack();
    await member.open(await application.authorizationUrl());

    assert.ok((await application.exchange(await answered)).access_token);
  }));

test("a wrong password leads nowhere", () =>
  stage.authorize(async (application, member) => {
    await member.open(await application.authorizationUrl());

    await member.signIn({ password: "wrong" });

    assert.match(await member.alert(), /password is wrong/);
  }));

test("the page an answer lands on shows the code and takes it out of the address bar", () =>
  stage.authorize(async (application, member) => {
    const answer = await allow(application, member);
    await member.page.waitForSelector("#granted");

    assert.equal(await member.page.locator("#code").innerText(), answer.searchParams.get("code"));
    assert.equal(new URL(member.page.url()).search, "");
  }));
