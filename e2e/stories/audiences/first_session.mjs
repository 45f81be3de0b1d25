/** Visitors who are new, and visitors who come back. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { answers, asking, stored } from "../../site/audiences.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

const QUESTIONS = { newcomer: { type: "first_session" }, known: ["not", { type: "first_session" }] };
const NEW = { newcomer: true, known: false };
const KNOWN = { newcomer: false, known: true };

const START = Date.parse("2030-03-06T10:00:00Z");

const inShop = (snippet, story) =>
  stage.visit(async (site) => {
    await site.publish(asking(QUESTIONS, snippet));
    await story(site);
  }, null);

/** Opens a page so many minutes after the first. */
const openAfter = async (site, minutes) => {
  await site.page.clock.setFixedTime(START + minutes * 60_000);
  await site.open();
  return answers(site);
};

test("the first session has as many page views as follow each other within half an hour, however long it lasts", () =>
  inShop({}, async (site) => {
    for (const minutes of [0, 1, 31, 60, 90]) assert.deepEqual(await openAfter(site, minutes), NEW, `${minutes} minutes`);
  }));

test("half an hour later the session is another, and no later one is the first", () =>
  inShop({}, async (site) => {
    await openAfter(site, 0);
    await openAfter(site, 20);

    for (const minutes of [51, 52, 24 * 60]) assert.deepEqual(await openAfter(site, minutes), KNOWN, `${minutes} minutes`);
  }));

test("a visitor who came before the project asked is not new", () =>
  stage.visit(async (site) => {
    await site.publish(asking({}));
    await site.open();

    await site.publish(asking(QUESTIONS));
    await site.open();

    assert.deepEqual(await answers(site), KNOWN);
  }, null));

test("a cookie alone, which a server may have set for a stranger, makes no visitor known", () =>
  stage.visit(async (site) => {
    await site.publish(asking(QUESTIONS));
    await site.open();

    assert.deepEqual(await answers(site), NEW);
  }));

test("of whom nothing may be kept, each page view is a first one", () =>
  inShop({ consent: "required" }, async (site) => {
    for (const minutes of [0, 60, 3000]) {
      assert.deepEqual(await openAfter(site, minutes), NEW);
      assert.equal(await stored(site), null);
    }
    assert.deepEqual(await site.page.context().cookies(), []);
  }));

test("the session counts from the page view with consent", () =>
  inShop({ consent: "required" }, async (site) => {
    await openAfter(site, 0);
    await openAfter(site, 45);
    await site.push({ type: "consent", granted: true });
    assert.deepEqual(await answers(site), NEW);

    assert.deepEqual(await openAfter(site, 75), NEW);
    assert.deepEqual(await openAfter(site, 106), KNOWN);
  }));

test("a visitor who takes consent back and gives it again is new", () =>
  inShop({ consent: "required" }, async (site) => {
    await openAfter(site, 0);
    await site.push({ type: "consent", granted: true });
    assert.deepEqual(await openAfter(site, 60), KNOWN);
    await site.push({ type: "consent", granted: false });

    assert.deepEqual(await openAfter(site, 61), NEW);
  }));
