/**
 * How many events a second the real binary takes, each on the disk before the answer, beside a writer that only has the same bytes on the disk and
 * beside the server's own snippet, in turns: `node bench/events-speed/measure.mjs target/release/assay [SECONDS] [ROUNDS]`.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { closedLoop, openLoop } from "./load.mjs";
import { requestOf } from "./wire.mjs";

const [binary, seconds = 5, rounds = 3] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const CONNECTIONS = 64;
/** Visitors, each with an address of their own, as a proxy in front would tell: the limit by address stays as it is. */
const VISITORS = 20_000;
const TICKS_PER_SECOND = 100;
const FLUSHES = 1_000;

const PROJECT = {
  version: 1,
  project: { id: "1000", key: "shop", name: "Shop", results: "on" },
  pages: [{ id: "1001", key: "home", name: "Home", category: "other", conditions: ["and", ["or", { type: "url", match: "simple", value: "https://www.shop.test/" }]] }],
  events: [{ id: "9001", key: "purchase", name: "Purchase", type: "custom" }],
  campaigns: Array.from({ length: 9 }, (_, place) => ({
    id: `300${place}`, key: `test-${place}`, name: `Test ${place}`, type: "ab_test", status: "running", pages: ["home"],
    experiments: [{ id: `400${place}`, key: "only", name: "Only", variations: [0, 1].map((arm) => ({ id: `5${arm}0${place}`, key: `v${arm}`, name: `V${arm}`, weight: 5000 })) }],
  })),
};

/** A body that is new each time: nine exposures and a purchase, or the purchase alone. */
const bodyOf = (number, size) => {
  const time = Date.now();
  const exposure = (_, place) => {
    const arm = (number >> place) & 1;
    return { id: `x400${place}.${number}`, type: "exposure", campaign: `300${place}`, experiment: `400${place}`, variation: `5${arm}0${place}`, time, bot: false };
  };
  const purchase = { id: `e${number}`, type: "event", name: "purchase", properties: { plan: "pro" }, revenue: 1999, time, bot: false };
  const visitor = `25277397502558568151${number % VISITORS}`;
  return JSON.stringify({ project: "1000", visitor, sent: time, events: [...Array.from({ length: size - 1 }, exposure), purchase] });
};

let number = 0;
const events = (size) => () => {
  number++;
  const visitor = number % VISITORS;
  return requestOf("/v1/events", bodyOf(number, size), `10.1.${visitor >> 8}.${visitor & 255}`);
};
const taken = (size) => ({ status, body }) => assert.equal(`${status} ${body}`, `202 {"accepted":${size},"rejected":[]}`);

const started = async (command, words, portOf) => {
  const server = spawn(command, words, { stdio: ["ignore", "pipe", "inherit"] });
  const [text] = await once(server.stdout, "data");
  server.stdout.resume();
  return { server, pid: server.pid, port: await portOf(String(text)) };
};

const folder = await mkdtemp(join(tmpdir(), "events-speed-"));
await writeFile(join(folder, "project.json"), JSON.stringify(PROJECT));
const ready = join(folder, "ready.json");
const flags = ["--data", join(folder, "data"), "--listen", "127.0.0.1:0", "--ready-file", ready, "--trusted-proxy", "127.0.0.1"];
const assay = await started(binary, ["serve", join(folder, "project.json"), ...flags], async () => new URL(JSON.parse(await readFile(ready, "utf8")).url).port);
const bare = await started(process.execPath, [new URL("bareWriter.mjs", import.meta.url).pathname, join(folder, "log")], (text) => text.trim());

const cpuSeconds = async (pid) => {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
};
const megabytes = async (pid, what) => Number(new RegExp(`${what}:\\s+(\\d+)`).exec(await readFile(`/proc/${pid}/status`, "utf8"))[1]) / 1024;

const measured = async ({ pid, port }, run, load) => {
  const before = await cpuSeconds(pid);
  const sample = await run({ port, connections: CONNECTIONS, seconds, ...load });
  const spent = (await cpuSeconds(pid)) - before;
  return { ...sample, perCpuSecond: sample.requests / spent };
};
/** What the disk takes to have four kilobytes more of a file, one after the other, with nothing else on the machine. */
const flushes = (file) => {
  const block = Buffer.alloc(4096, 1);
  const descriptor = openSync(file, "a");
  const took = Array.from({ length: FLUSHES }, () => {
    const began = performance.now();
    writeSync(descriptor, block);
    fdatasyncSync(descriptor);
    return performance.now() - began;
  }).toSorted((one, other) => one - other);
  closeSync(descriptor);
  return { p50: took[Math.floor(FLUSHES * 0.5)], p99: took[Math.floor(FLUSHES * 0.99)], most: took[FLUSHES - 1] };
};
const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
const medians = (samples) => Object.fromEntries(Object.keys(samples[0]).map((key) => [key, median(samples.map((sample) => sample[key]))]));

try {
  const idle = await megabytes(assay.pid, "VmRSS");
  const snippet = { next: () => requestOf("/js/1000.js", undefined, "10.2.0.1"), check: ({ status }) => assert.equal(status, 200) };
  for (const size of [10, 1]) {
    const load = { next: events(size), check: taken(size) };
    const any = { next: events(size), check: ({ status }) => assert.equal(status, 202) };
    const samples = { assay: [], bare: [], snippet: [] };
    for (let round = 0; round < rounds; round++) {
      samples.assay.push(await measured(assay, closedLoop, load));
      samples.bare.push(await measured(bare, closedLoop, any));
      samples.snippet.push(await measured(assay, closedLoop, snippet));
    }
    const found = Object.fromEntries(Object.entries(samples).map(([who, some]) => [who, medians(some)]));
    const perSecond = found.assay.perSecond / 2;
    const half = await measured(assay, openLoop, { ...load, perSecond });
    const bareHalf = await measured(bare, openLoop, { ...any, perSecond });
    const disk = flushes(join(folder, "flushes"));
    const ratios = ["perSecond", "perCpuSecond"].map((key) => [key, found.assay[key] / found.bare[key]]);
    console.log(JSON.stringify({ size, events_per_second: found.assay.perSecond * size, ...found, to_bare: Object.fromEntries(ratios), half, bareHalf, disk }));
  }
  console.log(JSON.stringify({ idle_megabytes: idle, megabytes: await megabytes(assay.pid, "VmRSS"), most_megabytes: await megabytes(assay.pid, "VmHWM") }));
} finally {
  for (const { server } of [assay, bare]) {
    server.kill();
    await once(server, "exit");
  }
  await rm(folder, { recursive: true });
}
