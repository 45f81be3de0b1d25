/** A server that is known to the world under another address than the one it listens on. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { startAssay } from "../site/assay.mjs";
import { freePort } from "../site/freePort.mjs";
import { setStage } from "../site/stage.mjs";
import { DAN } from "../site/visitors.mjs";

const stage = setStage(async () => {
  const port = await freePort();
  return startAssay({ listen: `127.0.0.1:${port}`, publicUrl: `http://localhost:${port}` });
});

test("the shop works under the public address", () =>
  stage.visit(DAN, async (shop) => {
    await shop.open();

    assert.equal(new URL(shop.page.url()).hostname, "localhost");
    assert.equal(await shop.headline(), "Warm hands, anywhere.");
    assert.deepEqual(shop.complaints, []);
  }));

test("an application finds the public address in the metadata and gets its token there", () =>
  stage.authorize(async (application, member) => {
    await member.open(await application.authorizationUrl());
    await member.signIn();
    const answer = await member.decide("allow");

    assert.equal(answer.hostname, "localhost");
    assert.equal(application.server.issuer, stage.assay.url);
    assert.ok((await application.exchange(answer)).access_token);
  }));
