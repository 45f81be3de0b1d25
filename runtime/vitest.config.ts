/**
 * Unit tests of the runtime. Every feature is compiled in; what a test's project is made of stands in test/support/. Results are apart: projects
 * that do not count them store and send nothing for them.
 */
import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** The feature constants, read from their declarations so that a new one needs no second list. */
const features = readFileSync(new URL("src/project/features.ts", import.meta.url), "utf8").match(/__[A-Z0-9_]+__/g) ?? [];

const RESULTS_TESTS = "test/integrations/results*.test.ts";

/** The tests of projects in which results are counted, or of all others. */
const tests = (name: string, countsResults: boolean, include: string, exclude: string[] = []) => ({
  define: Object.fromEntries(features.map((feature) => [feature, String(countsResults || !feature.startsWith("__RESULTS"))])),
  test: {
    name,
    environment: "jsdom",
    environmentOptions: { jsdom: { url: "https://www.shop.test/", pretendToBeVisual: true } },
    include: [include],
    exclude,
    setupFiles: ["test/support/newBrowser.ts"],
    // Ends what hangs. How fast a machine is proves nothing.
    testTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    // All processors: left to itself, vitest keeps one free, which is half of two.
    maxWorkers: "100%",
    projects: [tests("runtime", false, "test/**/*.test.ts", [RESULTS_TESTS]), tests("results", true, RESULTS_TESTS)],
  },
});
