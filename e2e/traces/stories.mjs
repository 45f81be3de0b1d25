/** Traces arrive at a collector of OpenTelemetry that others have written: Rotel, as a program of its own. */

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { promisify } from "node:util";

import { PYTHON } from "../clients/pythonClient.mjs";
import { startAssay } from "../site/assay.mjs";
import { freePort } from "../site/freePort.mjs";

/** The example of W3C Trace Context, section 2.2. */
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";

/** Rotel's package for Python has the program, and no command that starts it. */
const rotel = async () => {
  const place = "import pathlib, rotel; print(pathlib.Path(rotel.__file__).with_name('rotel-agent'), end='')";
  return (await promisify(execFile)(PYTHON, ["-c", place])).stdout;
};

/** A collector that prints what it gets. */
class Collector {
  static async start() {
    const [program, folder, http, grpc] = await Promise.all([rotel(), mkdtemp(join(tmpdir(), "assay-traces-")), freePort(), freePort()]);
    const collector = new Collector();
    collector.folder = folder;
    collector.url = `http://127.0.0.1:${http}`;
    const listens = ["--otlp-http-endpoint", `127.0.0.1:${http}`, "--otlp-grpc-endpoint", `127.0.0.1:${grpc}`];
    const prints = ["--exporter", "blackhole", "--debug-log", "traces", "--debug-log-verbosity", "detailed"];
    const flags = [...listens, ...prints, "--pid-file", join(folder, "pid")];
    collector.process = spawn(program, ["start", ...flags], { stdio: ["ignore", "pipe", "inherit"] });
    collector.lines = createInterface({ input: collector.process.stdout })[Symbol.asyncIterator]();
    return collector;
  }

  async ready() {
    while (!(await fetch(this.url).catch(() => undefined))) assert.ok(!this.hasEnded(), "the collector has ended");
  }

  hasEnded() {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** What it prints up to the line that is looked for, that line included. */
  async until(isIt) {
    const printed = [];
    while (!isIt(printed.at(-1) ?? "")) {
      const { value, done } = await this.lines.next();
      assert.ok(!done, `the collector has ended: ${printed.join("\n")}`);
      printed.push(value);
    }
    return printed;
  }

  async stop() {
    if (!this.hasEnded() && this.process.kill()) await once(this.process, "exit");
    await rm(this.folder, { recursive: true });
  }
}

for (const compression of ["none", "gzip"]) {
  test(`a request is in its caller's trace at a collector, with the compression ${compression}`, { timeout: 60_000 }, async (context) => {
    const collector = await Collector.start();
    context.after(() => collector.stop());
    await collector.ready();
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_COMPRESSION: compression };
    const assay = await startAssay({ environment });
    try {
      const headers = { traceparent: `00-${TRACE}-${CALLER}-01` };
      assert.equal((await fetch(new URL("/v1/projects", assay.url), { headers })).status, 401);
    } finally {
      await assay.stop();
    }

    const printed = (await collector.until((line) => line.includes("http.response.status_code: Int(401)"))).join("\n");
    assert.match(printed, /service\.name: Str\(assay\)/);
    const span = printed.slice(printed.lastIndexOf("Trace ID"));
    assert.match(span, new RegExp(`Trace ID +: ${TRACE}\n +Parent ID +: ${CALLER}\n`));
    assert.match(span, /Name +: GET \/v1\/projects\n +Kind +: SPAN_KIND_SERVER/);
  });
}
