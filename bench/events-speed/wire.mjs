/** HTTP/1.1 on connections that stay open, with as little of the machine as possible: the server under load shares it. */

import { once } from "node:events";
import { connect } from "node:net";

/** The bytes of a request. */
export const requestOf = (path, body, address) =>
  Buffer.from(
    body === undefined
      ? `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: ${address}\r\n\r\n`
      : `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: ${address}\r\nContent-Type: text/plain;charset=UTF-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );

/** One connection, which asks one thing after the other. */
export class Wire {
  #socket;
  #answer;
  #text = "";

  static async open(port) {
    const wire = new Wire();
    wire.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    wire.#socket.setEncoding("latin1");
    wire.#socket.on("data", (text) => wire.#hear(text));
    await once(wire.#socket, "connect");
    wire.#socket.on("close", () => wire.#answer?.reject(new Error("the server hung up")));
    wire.#socket.on("error", () => {});
    return wire;
  }

  /** The status and body of the answer. */
  ask(request) {
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close() {
    this.#answer = undefined;
    this.#socket.destroy();
  }

  #hear(text) {
    this.#text += text;
    const end = this.#text.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(this.#text.slice(0, end))?.[1] ?? 0);
    if (this.#text.length < end + 4 + length) return;
    const answer = { status: Number(this.#text.slice(9, 12)), body: this.#text.slice(end + 4, end + 4 + length) };
    this.#text = this.#text.slice(end + 4 + length);
    const { resolve } = this.#answer;
    this.#answer = undefined;
    resolve(answer);
  }
}
