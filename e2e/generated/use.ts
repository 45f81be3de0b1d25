/** A program with the types that openapi-typescript makes of the API's description. It prints what it found as JSON. */

import createClient from "openapi-fetch";
import type { paths } from "./api.js";

/** Of Node.js, as much as this program uses. */
declare const process: { env: Record<string, string | undefined>; stdout: { write(text: string): void } };

const { ASSAY_URL: baseUrl = "", ASSAY_TOKEN: token = "", ASSAY_CAMPAIGN: campaign = "" } = process.env;
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
const id = "key:demo";

const projects = await client.GET("/v1/projects");
const added = await client.POST("/v1/projects/{id}/pages", {
  params: { path: { id } },
  body: { key: "generated_typescript", name: "Generated", conditions: [] },
});
const name = String(added.data?.id);
const stale = await client.PATCH("/v1/projects/{id}/pages/{name}", {
  params: { path: { id, name }, header: { "If-Match": '"another state"' } },
  body: { name: "Late" },
});
const changed = await client.PATCH("/v1/projects/{id}/pages/{name}", {
  params: { path: { id, name }, header: { "If-Match": added.response.headers.get("etag") ?? "" } },
  body: { name: "Renamed" },
});
const started = await client.POST("/v1/projects/{id}/campaigns/{name}/actions", {
  params: { path: { id, name: campaign } },
  body: { action: "start" },
});

const found = {
  projects: projects.data?.map((project) => project.key),
  stale: stale.response.status,
  code: stale.error?.code,
  renamed: changed.data?.name,
  status: started.data?.status,
};
process.stdout.write(JSON.stringify(found));
