/** The consent page asks and takes the answer on one screen. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { setStage } from "../site/stage.mjs";

const stage = setStage();

/** How many pixels of a button lie outside of what is on the screen. */
const hiddenPixels = (page, decision) =>
  page.$eval(`button[value=${decision}]`, (button) => {
    const { top, bottom, left, right } = button.getBoundingClientRect();
    const beyond = Math.max(0, -top, -left, bottom - innerHeight, right - innerWidth);
    return beyond + scrollY;
  });

for (const [width, height] of [[1280, 900], [390, 844], [360, 560]]) {
  test(`Allow and Deny are there without scrolling at ${width}×${height}, whatever is asked`, () =>
    stage.authorize(async (application, member) => {
      const address = new URL(await application.authorizationUrl());
      address.searchParams.set("scope", "all");
      await member.page.setViewportSize({ width, height });
      await member.open(address.href);
      await member.signIn();

      assert.equal((await member.page.$$(".scopes li")).length, 7);
      for (const decision of ["allow", "deny"]) assert.equal(await hiddenPixels(member.page, decision), 0, decision);
    }));
}
