/** Three applications of one server, one for each way in which a client proves who it is. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { BINARY } from "../site/assay.mjs";

const REDIRECT_URI = "https://client.example/callback";

/** How the token endpoint is told who asks, in the words of its metadata. */
export const METHODS = ["client_secret_basic", "client_secret_post", "none"];

/**
 * @typedef {object} Registration
 * @property {string} issuer
 * @property {string} client_id
 * @property {string | null} client_secret
 * @property {string} redirect_uri
 * @property {string} method
 */

/** @returns {Promise<Registration>} an application that uses this method, registered at the terminal beside the running server */
export const register = async ({ url, data }, method) => {
  const kind = method === "none" ? ["--public"] : [];
  const flags = ["--redirect-uri", REDIRECT_URI, "--data", data, "--json", ...kind];
  const { stdout } = await promisify(execFile)(BINARY, ["application", "add", "Client", ...flags]);
  const { client_id, client_secret = null } = JSON.parse(stdout);
  return { issuer: url, client_id, client_secret, redirect_uri: REDIRECT_URI, method };
};
