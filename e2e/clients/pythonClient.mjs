/** A client library of Python: a program that is told what to do in lines of JSON. Its side of the talk is in dialogue.py. */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The Python in which requirements.txt is installed; `cargo xtask test` makes it. */
export const PYTHON = process.env.PYTHON ?? fileURLToPath(new URL("../../target/tools/python/bin/python", import.meta.url));

export class PythonClient {
  /** @param {string} program beside this file */
  static async start(program, registration) {
    const client = new PythonClient(fileURLToPath(new URL(program, import.meta.url)));
    await client.#ask("start", registration);
    return client;
  }

  constructor(program) {
    this.process = spawn(PYTHON, [program], { stdio: ["pipe", "pipe", "inherit"] });
    this.answers = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  authorizationUrl() {
    return this.#ask("authorization_url");
  }

  exchange(answer) {
    return this.#ask("exchange", answer);
  }

  refresh(refreshToken) {
    return this.#ask("refresh", refreshToken);
  }

  introspect(token) {
    return this.#ask("introspect", token);
  }

  revoke(token) {
    return this.#ask("revoke", token);
  }

  get(url, accessToken) {
    return this.#ask("get", url, accessToken);
  }

  stop() {
    this.process.stdin.end();
  }

  async #ask(what, ...arguments_) {
    this.process.stdin.write(`${JSON.stringify([what, ...arguments_])}\n`);
    const { value, done } = await this.answers.next();
    if (done) throw new Error("the client has ended");
    const { error, result } = JSON.parse(value);
    if (error) throw Object.assign(new Error(error), { error });
    return result;
  }
}
