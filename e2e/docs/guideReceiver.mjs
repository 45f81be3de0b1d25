/** The receiver of a guide, run as its page says: one file, settings in the environment. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";

import { blocksOf } from "./documents.mjs";

/** The receiver's code in a guide. */
export const receiverOf = async (guide) => {
  const text = await readFile(new URL(`../../docs/guides/${guide}.md`, import.meta.url), "utf8");
  return blocksOf(guide, text).find(({ language }) => language === "js").code;
};

/**
 * Starts a receiver. `give` hands it a delivery and comes back with its answer.
 * @returns {Promise<{give: (delivery: {headers: object, body: string}) => Promise<Response>, stop: () => Promise<void>}>}
 */
export const startReceiver = async (folder, code, environment) => {
  const file = join(folder, "receiver.cjs");
  await writeFile(file, code);
  const receiver = spawn(process.execPath, [file], { cwd: folder, env: { ...environment, PORT: "0" }, stdio: ["ignore", "pipe", "inherit"] });
  const [greeting] = await once(receiver.stdout.setEncoding("utf8"), "data");
  const url = `http://${/listening on (\S+)/.exec(greeting)[1]}/`;
  return {
    give: ({ headers, body }) => fetch(url, { method: "POST", headers: onlyWebhook(headers), body }),
    stop: async () => {
      if (receiver.kill()) await once(receiver, "exit");
    },
  };
};

const onlyWebhook = (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => /^(webhook-|content-type)/.test(name)));

/** A service on this machine that answers as told and keeps what it got. */
export const startService = async (answerTo) => {
  const got = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request.setEncoding("utf8")) text += part;
    const asked = { method: request.method, path: request.url, headers: request.headers, text };
    got.push(asked);
    const { status = 200, headers = {}, body = "ok" } = answerTo(asked);
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${server.address().port}`, got, stop: () => server.close() };
};
