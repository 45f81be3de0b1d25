/** A token of the demo's owner, of a new application, that allows everything. */

import { register } from "./applications.mjs";
import { Person } from "./person.mjs";

export const ownerToken = async (assay) => {
  const { client_id, client_secret, redirect_uri } = await register(assay, "client_secret_post");
  const asked = new URL("/oauth2/authorize", assay.url);
  asked.search = new URLSearchParams({ response_type: "code", client_id, redirect_uri, scope: "all" });
  const answer = new URL(await new Person(assay.member).answer(asked.href, "allow"));
  const code = answer.searchParams.get("code");
  const body = new URLSearchParams({ grant_type: "authorization_code", code, client_id, client_secret, redirect_uri });
  const response = await fetch(new URL("/oauth2/token", assay.url), { method: "POST", body });
  return (await response.json()).access_token;
};
