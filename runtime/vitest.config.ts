/** Unit tests of the runtime. Every feature is compiled in; what a test's project is made of stands in test/support/. */
import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** The feature constants, read from their declarations so that a new one needs no second list. */
const features = readFileSync(new URL("src/project/features.ts", import.meta.url), "utf8").match(/__[A-Z0-9_]+__/g) ?? [];

export default defineConfig({
  define: Object.fromEntries(features.map((feature) => [feature, "true"])),
  test: {
    environment: "jsdom",
    environmentOptions: { jsdom: { url: "https://www.shop.test/", pretendToBeVisual: true } },
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/newBrowser.ts"],
    // Ends what hangs. How fast a machine is proves nothing.
    testTimeout: 60_000,
  },
});
