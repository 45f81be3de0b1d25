/** What cannot be left out of taking events: an HTTP server that appends each body to a file, and answers when the disk has it. All that wait share an `fsync`. */

import { fdatasync, openSync, write } from "node:fs";
import { createServer } from "node:http";

const file = openSync(process.argv[2], "a");
let waiting = [];
let isWriting = false;

const writeWaiting = () => {
  const taken = waiting;
  if (isWriting || taken.length === 0) return;
  isWriting = true;
  waiting = [];
  const bytes = Buffer.concat(taken.flatMap(({ parts }) => parts));
  write(file, bytes, 0, bytes.length, null, (unwritten) =>
    fdatasync(file, (unsynced) => {
      for (const { response } of taken) {
        response.writeHead(unwritten || unsynced ? 500 : 202, { "content-length": 2 });
        response.end("{}");
      }
      isWriting = false;
      writeWaiting();
    }),
  );
};

const server = createServer({ keepAlive: true }, (request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    waiting.push({ parts, response });
    writeWaiting();
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
