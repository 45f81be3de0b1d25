/** What the visitor's own browser says on each page view: its clock, and its language. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { answers, asking } from "../../site/audiences.mjs";
import { RoutedSite } from "../../site/routedSite.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

/** A visitor whose browser is set to a language, or to a time zone. */
const visitWith = async (settings, questions, story) => {
  const site = await RoutedSite.in(await stage.browser.newContext(settings));
  try {
    await site.publish(asking(questions));
    await story(site);
    assert.deepEqual(site.faults, []);
  } finally {
    await site.leave();
  }
};

const yes = async (site) => {
  const said = await answers(site);
  return Object.keys(said).filter((question) => said[question]);
};

const LANGUAGES = Object.fromEntries(
  ["en", "en-us", "en-GB", "de", "de-at", "zh-hant", "e"].map((value) => [value.toLowerCase(), { type: "language", value }]),
);

for (const [locale, expected] of [
  ["en-US", ["en", "en-us"]],
  ["en-GB", ["en", "en-gb"]],
  ["en", ["en"]],
  ["de-AT", ["de", "de-at"]],
  ["zh-Hant-TW", ["zh-hant"]],
  ["fr-FR", []],
]) {
  test(`a browser in ${locale} is in ${expected.join(" and ") || "none of the others"}`, () =>
    visitWith({ locale }, LANGUAGES, async (site) => {
      await site.open();
      assert.deepEqual(await yes(site), expected);
    }));
}

const HOURS = {
  office: { type: "time_and_day", value: "09:00_17:00_monday,tuesday,wednesday,thursday,friday" },
  wednesday: { type: "time_and_day", value: "00:00_24:00_wednesday" },
  night: { type: "time_and_day", value: "22:00_06:00_wednesday" },
};

for (const [timezoneId, utc, expected] of [
  ["Europe/Berlin", "2030-03-06T08:00:00Z", ["office", "wednesday"]],
  ["Europe/Berlin", "2030-03-06T07:59:59Z", ["wednesday"]],
  ["Europe/Berlin", "2030-03-06T16:00:59Z", ["office", "wednesday"]],
  ["Europe/Berlin", "2030-03-06T16:01:00Z", ["wednesday"]],
  ["Europe/Berlin", "2030-03-06T22:59:00Z", ["wednesday"]],
  ["Europe/Berlin", "2030-03-06T23:00:00Z", []],
  ["America/Los_Angeles", "2030-03-07T01:00:00Z", ["office", "wednesday"]],
  ["Pacific/Auckland", "2030-03-06T12:00:00Z", []],
  // Summer time: the same hour in universal time is one later here.
  ["Europe/Berlin", "2030-04-03T07:00:00Z", ["office", "wednesday"]],
]) {
  test(`${utc} in ${timezoneId} is ${expected.join(", ") || "none of the times"}`, () =>
    visitWith({ timezoneId }, HOURS, async (site) => {
      await site.page.clock.setFixedTime(utc);
      await site.open();
      assert.deepEqual(await yes(site), expected);
    }));
}

test("each page view has its own time", () =>
  visitWith({ timezoneId: "Europe/Berlin" }, HOURS, async (site) => {
    await site.page.clock.setFixedTime("2030-03-06T12:00:00Z");
    await site.open();
    assert.deepEqual(await yes(site), ["office", "wednesday"]);

    await site.page.clock.setFixedTime("2030-03-07T20:00:00Z");
    await site.open();
    assert.deepEqual(await yes(site), []);
  }));
