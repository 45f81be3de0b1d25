/** The pages that people meet before they sign in are accessible. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFaults } from "../site/accessibility.mjs";
import { setStage } from "../site/stage.mjs";
import { DAN } from "../site/visitors.mjs";

const stage = setStage();

for (const path of ["", "mug.html", "mug-story.html"]) {
  test(`the shop's /demo/${path} is accessible, its panel included`, () =>
    stage.visit(DAN, async (shop) => {
      await shop.open(path);
      await shop.openPanel();

      assert.deepEqual(await accessibilityFaults(shop.page), []);
    }));
}

test("sign-in, consent and the answer are accessible", () =>
  stage.authorize(async (application, member) => {
    await member.open(await application.authorizationUrl());
    assert.deepEqual(await accessibilityFaults(member.page), []);

    await member.signIn();
    assert.deepEqual(await accessibilityFaults(member.page), []);

    await member.decide("allow");
    await member.page.waitForSelector("#granted");
    assert.deepEqual(await accessibilityFaults(member.page), []);
  }));
