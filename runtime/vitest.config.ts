/**
 * Unit tests of the runtime. Every feature is compiled in; what a test's project is made of stands in test/support/. Results are apart: projects
 * that do not count them store and send nothing for them. So are projects that do something in
 * another way because they lack the rest.
 */
import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** The feature constants, read from their declarations so that a new one needs no second list. */
const features = readFileSync(new URL("src/project/features.ts", import.meta.url), "utf8").match(/__[A-Z0-9_]+__/g) ?? [];

const RESULTS_TESTS = "test/integrations/results*.test.ts";

const WITHOUT_UTILS_TESTS = "test/**/*WithoutUtils.test.ts";

/** Projects with nothing but texts on simple addresses: most of what others have to ask is decided when these are compiled. */
const PLAIN_TESTS = "test/**/*Plain.test.ts";

/** Projects of so many campaigns that what they gave is mostly left unread. */
const MANY_TESTS = "test/**/*ManyCampaigns.test.ts";

/** Projects of which nothing runs: no features at all. */
const WITHOUT_CAMPAIGNS_TESTS = "test/**/*WithoutCampaigns.test.ts";

/** Projects of which nothing runs yet, with previews on: each new one. */
const ONLY_PREVIEWS_TESTS = "test/**/*OnlyPreviews.test.ts";

const LACKING_IN_PLAIN = /^__(RESULTS|UTILS|UNDO|MANY|URL_(?!SIMPLE)|CUSTOM_CODE|CHANGE_(?!TEXT|ELEMENT))/;

/** The tests of projects that lack some features. */
const tests = (name: string, lacks: RegExp, include: string, exclude: string[] = []) => ({
  define: Object.fromEntries(features.map((feature) => [feature, String(!lacks.test(feature))])),
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
    projects: [
      tests("runtime", /^__(RESULTS|MANY)/, "test/**/*.test.ts", [
        RESULTS_TESTS,
        WITHOUT_UTILS_TESTS,
        PLAIN_TESTS,
        MANY_TESTS,
        WITHOUT_CAMPAIGNS_TESTS,
        ONLY_PREVIEWS_TESTS,
      ]),
      tests("results", /^__MANY/, RESULTS_TESTS),
      tests("without utils", /^__(RESULTS|MANY|UTILS__)/, WITHOUT_UTILS_TESTS),
      tests("without campaigns", /./, WITHOUT_CAMPAIGNS_TESTS),
      tests("only previews", /^__(?!PREVIEW__)/, ONLY_PREVIEWS_TESTS),
      tests("many campaigns", /^__RESULTS/, MANY_TESTS),
      tests("plain", LACKING_IN_PLAIN, PLAIN_TESTS),
    ],
  },
});
