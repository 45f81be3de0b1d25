/** The apps: what the guides say to write, around pages that a story can visit. */

import { examples } from "./app.mjs";

/** Where the guides' snippet is. */
const PRINTED = "https://experiments.shop.example/js/1000.js";

/** Each page says which one it is, and has a heading that some experiments change. Links to all of them are on each. */
export const NAMES = ["plain", "waits", "slow", "early", "style", "text", "computed", "inserted", "route"];

const links = (link) => `<nav>${NAMES.map(link).join(" ")}</nav>`;

const nextPage = (name) => `export default function Page() {
  return <main data-page="${name}"><h1>Plain</h1></main>;
}
`;

/** As Next renders pages that ask a database. */
const late = (page) =>
  page.replace(
    "export default function Page() {",
    'export const dynamic = "force-dynamic";\nexport default async function Page() {\n  await new Promise((answer) => setTimeout(answer, 100));',
  );

const nextApp = (isCached) => async (snippet) => {
  const [layout, ready, readyPage, ask] = await examples("install-nextjs", "tsx");
  const waiting = (name) => readyPage.replace("./app-ready", "../app-ready").replace("<main>", `<main data-page="${name}">`).replace("Made to order", "Plain");
  const pages = NAMES.map((name) => [`app/${name}/page.tsx`, ["waits", "slow"].includes(name) ? waiting(name) : nextPage(name)]);
  const files = {
    "app/layout.tsx": `import { Links } from "./links";\n${layout.replace(PRINTED, snippet).replace("{children}</body>", "<Links />{children}</body>")}`,
    "app/links.tsx": `import Link from "next/link";
export const Links = () => ${links((name) => `<Link href="/${name}">${name}</Link>`)};
`,
    "app/app-ready.tsx": ready,
    ...Object.fromEntries(pages),
  };
  if (isCached) return { ...files, "next.config.mjs": "export default { cacheComponents: true };\n" };
  return {
    ...files,
    "app/loading.tsx": "export default function Loading() {\n  return <p>Loading</p>;\n}\n",
    "app/slow/page.tsx": late(files["app/slow/page.tsx"]),
    "app/use-variation.tsx": ask,
    "app/asking.tsx": `"use client";
import { useVariation } from "./use-variation";
export const Asking = ({ experiment }: { experiment: string }) => <output>{useVariation(experiment)}</output>;
`,
    "app/style/page.tsx": `import { Asking } from "../asking";
export default async function Page({ searchParams }: { searchParams: Promise<{ ask?: string }> }) {
  const { ask } = await searchParams;
  return <main data-page="style"><h1>Plain</h1>{ask && <Asking experiment={ask} />}</main>;
}
`,
  };
};

const nuxtApp = async (snippet) => {
  const [config, plugin] = await examples("install-nuxt", "ts");
  const page = (name) => `<template><main data-page="${name}"><h1>Plain</h1></main></template>\n`;
  return {
    "nuxt.config.ts": config.replace(PRINTED, snippet),
    "plugins/assay.client.ts": plugin,
    "app.vue": `<template><div>${links((name) => `<NuxtLink to="/${name}">${name}</NuxtLink>`)}<NuxtPage /></div></template>\n`,
    ...Object.fromEntries(NAMES.map((name) => [`pages/${name}.vue`, page(name)])),
    "pages/computed.vue": `<template><main data-page="computed"><h1>{{ title }}</h1></main></template>
<script setup lang="ts">
const title = ref("Plain");
</script>
`,
    "pages/slow.vue": `<template><main data-page="slow"><h1>{{ title }}</h1></main></template>
<script setup lang="ts">
const { data: title } = await useAsyncData("title", () => new Promise<string>((resolve) => setTimeout(resolve, 200, "Plain")));
</script>
`,
  };
};

const svelteApp = async (snippet) => {
  const [html] = await examples("install-frameworks", "html");
  const [layout] = await examples("install-frameworks", "svelte");
  const page = (name, title = "Plain") => `<main data-page="${name}"><h1>${title}</h1></main>\n`;
  const loaded = (name) => ({
    [`src/routes/${name}/+page.server.js`]: 'export const load = () => new Promise((answer) => setTimeout(answer, 200, { title: "Plain" }));\n',
    [`src/routes/${name}/+page.svelte`]: `<script>\n  let { data } = $props();\n</script>\n\n${page(name, "{data.title}")}`,
  });
  return {
    "package.json": '{ "type": "module" }\n',
    "vite.config.js": 'import { sveltekit } from "@sveltejs/kit/vite";\n\nexport default { plugins: [sveltekit()] };\n',
    "svelte.config.js": 'import adapter from "@sveltejs/adapter-node";\n\nexport default { kit: { adapter: adapter() } };\n',
    "src/app.html": html.replace(PRINTED, snippet),
    "src/routes/+layout.svelte": layout.replace("{@render", `${links((name) => `<a href="/${name}">${name}</a>`)}\n{@render`),
    ...Object.fromEntries(NAMES.map((name) => [`src/routes/${name}/+page.svelte`, page(name)])),
    ...Object.fromEntries(["slow", "computed", "inserted"].flatMap((name) => Object.entries(loaded(name)))),
  };
};

const astroApp = async (snippet) => {
  const [layout] = await examples("install-frameworks", "astro");
  const page = (name) => `---\nimport Layout from "../layouts/Layout.astro";\n---\n<Layout><main data-page="${name}"><h1>Plain</h1></main></Layout>\n`;
  return {
    "src/layouts/Layout.astro": layout.replace(PRINTED, snippet).replace("<slot />", `${links((name) => `<a href="/${name}">${name}</a>`)}<slot />`),
    ...Object.fromEntries(NAMES.map((name) => [`src/pages/${name}.astro`, page(name)])),
  };
};

const NOTHING = /^$/;

const next = {
  build: ["next", "build"],
  start: (port) => ["next", "start", "-H", "127.0.0.1", "-p", String(port)],
  says: { text: /418/ },
  waits: ["waits", "slow"],
  follows: ["route"],
};

/**
 * `waits` and `follows`: the pages that wait for the app, or follow the address, of those that the guide lets do so. `says`: what the framework logs of
 * pages that are changed before hydration. `shows`: pages that are changed from the first frame on.
 */
export const APPS = {
  "Next.js": { ...next, files: nextApp(false), asks: true },
  "Next.js with cacheComponents": { ...next, files: nextApp(true) },
  Nuxt: {
    files: nuxtApp,
    build: ["nuxt", "build"],
    start: () => ["node", ".output/server/index.mjs"],
    says: { text: NOTHING, computed: /Hydration completed but contains mismatches/ },
    waits: ["waits", "slow", "early"],
    shows: ["early"],
    follows: [],
  },
  SvelteKit: {
    files: svelteApp,
    build: ["vite", "build"],
    start: () => ["node", "build/index.js"],
    says: { text: NOTHING, computed: NOTHING, inserted: /hydration_mismatch/ },
    waits: ["waits", "slow"],
    follows: ["route"],
  },
  Astro: {
    files: astroApp,
    build: ["astro", "build"],
    start: (port) => ["astro", "preview", "--host", "127.0.0.1", "--port", String(port)],
    says: { text: NOTHING, inserted: NOTHING },
    waits: [],
    follows: ["route"],
  },
};
