/** The site of experiments in which nothing differs: their project, a server for it, and an application that reads its results. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Script } from "node:vm";

import { BINARY, startAssay } from "../site/assay.mjs";
import { abTest, home, project } from "../site/projects.mjs";

const run = promisify(execFile);

/** A reader asks once for each experiment, and browsers send from addresses of their own, which a proxy tells. */
const FLAGS = ["--heavy-reads-per-minute", "100000", "--trusted-proxy", "127.0.0.1"];

/** Experiments of two variations each, both without a change, on one page. */
const document = (experiments) => {
  const { project: about, ...parts } = project({
    pages: [home],
    events: [{ id: "9001", key: "purchase", name: "Purchase", type: "custom" }],
    campaigns: Array.from({ length: experiments }, (_, place) => abTest({ id: String(1000 + place), name: `Test ${place}`, weights: [5000, 5000] })),
  });
  return { ...parts, project: { ...about, results: "on" } };
};

/** A server with the project, and what is needed to visit it and to read its results. */
export const openShop = async (experiments) => {
  const assay = await startAssay({ project: document(experiments), flags: FLAGS });
  const data = ["--data", assay.data];
  const added = await run(BINARY, ["token", "add", "reader", "--service", "--role", "analyst", "--scope", "results:read", "--json", ...data]);
  const { token } = JSON.parse(added.stdout);
  const served = await fetch(`${assay.url}/js/1000.js`);
  assert.equal(served.status, 200);
  return {
    ids: Array.from({ length: experiments }, (_, place) => String(1000 + place)),
    server: assay.url,
    script: new Script(await served.text()),
    results: async (campaign) => {
      const address = `${assay.url}/v1/projects/1000/campaigns/${campaign}/results`;
      const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
      assert.equal(answer.status, 200, await answer.clone().text());
      return answer.json();
    },
    close: assay.stop,
  };
};
