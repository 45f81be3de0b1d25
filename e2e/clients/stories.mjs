/**
 * Client libraries that people use, each through its whole life with the server: asked for, allowed, exchanged, used, refreshed,
 * asked about, given back. What they insist on is what clients out there insist on.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { startAssay } from "../site/assay.mjs";
import { METHODS, register } from "./applications.mjs";
import { Oauth4webapi } from "./oauth4webapi.mjs";
import { OpenidClient } from "./openidClient.mjs";
import { Person } from "./person.mjs";
import { PythonClient } from "./pythonClient.mjs";

const LIBRARIES = {
  oauth4webapi: (registration) => Oauth4webapi.start(registration),
  "openid-client": (registration) => OpenidClient.start(registration),
  Authlib: (registration) => PythonClient.start("authlib_client.py", registration),
  "requests-oauthlib": (registration) => PythonClient.start("requests_oauthlib_client.py", registration),
};

const TWO_HOURS_SECONDS = 7200;

let assay;
before(async () => {
  assay = await startAssay();
});
after(() => assay.stop());

/** Tells a story with a client of a library, and a person who answers it. */
const withClient = async (start, method, story) => {
  const client = await start(await register(assay, method));
  try {
    await story(client, new Person(assay.member));
  } finally {
    client.stop?.();
  }
};

for (const [library, start] of Object.entries(LIBRARIES)) {
  for (const method of METHODS) {
    test(`${library} gets a token by ${method}, uses, refreshes and revokes it`, () =>
      withClient(start, method, async (client, person) => {
        const projects = new URL("/v1/projects", assay.url).href;
        const answer = await person.answer(await client.authorizationUrl(), "allow");

        const first = await client.exchange(answer);
        assert.equal(first.token_type.toLowerCase(), "bearer");
        assert.equal(first.expires_in, TWO_HOURS_SECONDS);
        assert.equal(await client.get(projects, first.access_token), 200);

        const second = await client.refresh(first.refresh_token);
        assert.notEqual(second.access_token, first.access_token);
        assert.equal(await client.get(projects, second.access_token), 200);
        const kept = second.refresh_token ?? first.refresh_token;
        assert.equal(kept !== first.refresh_token, method === "none", "only a client without a secret gets another");

        if (method !== "none") assert.equal((await client.introspect(second.access_token)).active, true);
        await client.revoke(kept);
        if (method !== "none") assert.equal((await client.introspect(second.access_token)).active, false);
        assert.equal(await client.get(projects, second.access_token), 401);
        await assert.rejects(client.refresh(kept), { error: "invalid_grant" });
      }));
  }

  test(`${library} hears that the member said no`, () =>
    withClient(start, "client_secret_basic", async (client, person) => {
      const answer = await person.answer(await client.authorizationUrl(), "deny");

      await assert.rejects(client.exchange(answer), { error: "access_denied" });
    }));

  test(`${library} hears that a code was used before`, () =>
    withClient(start, "client_secret_post", async (client, person) => {
      const answer = await person.answer(await client.authorizationUrl(), "allow");
      await client.exchange(answer);

      await assert.rejects(client.exchange(answer), { error: "invalid_grant" });
    }));
}
