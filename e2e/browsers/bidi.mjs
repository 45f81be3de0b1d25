/** A connection that speaks WebDriver BiDi: commands go out as JSON messages, and each is answered under its number. */

import { once } from "node:events";

import WebSocket from "ws";

/**
 * @param {string} address of the browser's web socket
 */
export const connectBidi = async (address) => {
  const socket = new WebSocket(address);
  /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void}>} */
  const waiting = new Map();
  let last = 0;
  socket.on("message", (text) => {
    const { id, type, result, error, message } = JSON.parse(text);
    const asked = waiting.get(id);
    waiting.delete(id);
    if (type === "error") asked?.reject(new Error(`${error}: ${message}`));
    else asked?.resolve(result);
  });
  socket.on("close", () => waiting.forEach(({ reject }) => reject(new Error("the browser has gone"))));
  await once(socket, "open");
  return {
    /**
     * @param {string} method
     * @param {object} params
     * @returns {Promise<any>}
     */
    send: (method, params = {}) =>
      new Promise((resolve, reject) => {
        last += 1;
        waiting.set(last, { resolve, reject });
        socket.send(JSON.stringify({ id: last, method, params }), (error) => error && reject(error));
      }),
    close: () => socket.close(),
  };
};

/** The value that BiDi describes, for what JSON can say. */
export const valueOf = ({ type, value }) => {
  switch (type) {
    case "undefined":
      return undefined;
    case "null":
      return null;
    case "array":
      return value.map(valueOf);
    case "object":
      return Object.fromEntries(value.map(([key, each]) => [key, valueOf(each)]));
    case "string":
    case "number":
    case "boolean":
      return value;
    default:
      throw new Error(`a story cannot take a ${type} out of the page`);
  }
};
