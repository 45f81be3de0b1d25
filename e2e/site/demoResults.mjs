/** The results of the demo's first test, as an application reads them. */

import assert from "node:assert/strict";

import { startAssay } from "./assay.mjs";

const PATIENCE_MS = 60_000;

/** The demo, where a story may ask for results until what it waits for is there. */
export const startAskedOften = () => startAssay({ flags: ["--heavy-reads-per-minute", "100000"] });

/** The demo's made-up visitors, who came before the story's. */
export const BEFORE = 4000;

/** An access token that reads results. */
export const readerToken = async (stage) => {
  let token;
  await stage.authorize(async (application, member) => {
    const address = await application.authorizationUrl();
    address.searchParams.set("scope", "results:read");
    await member.open(address.href);
    await member.signIn();
    token = (await application.exchange(await member.decide("allow"))).access_token;
  });
  return token;
};

/**
 * The results as soon as this is so, or as they are when nothing more comes; none before the first visitor. It polls: beacons of a page that is
 * left are events of no page, and the server announces no count.
 */
export const resultsOnce = async (stage, token, isSo) => {
  const address = new URL("/v1/projects/1000/campaigns/hero/results", stage.assay.url);
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(answer.status, 200, await answer.clone().text());
    const { results } = (await answer.json()).experiments[0];
    if ((results && isSo(results)) || Date.now() > deadline) return results;
  }
};

export const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);
