/** Puts a server under load, from one thread. */

import { Wire } from "./wire.mjs";

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/**
 * As much as it takes: each connection asks as soon as it is answered.
 * @param {{port: number, connections: number, seconds: number, next: () => Buffer, check: (answer: object) => void}} load
 */
export const closedLoop = async ({ port, connections, seconds, next, check }) => {
  const wires = await Promise.all(Array.from({ length: connections }, () => Wire.open(port)));
  const took = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  await Promise.all(
    wires.map(async (wire) => {
      while (performance.now() < end) {
        const asked = performance.now();
        check(await wire.ask(next()));
        took.push(performance.now() - asked);
      }
    }),
  );
  return figures(took, started, wires);
};

/** So many requests a second, each at its time: one that has to wait for a connection waits on the clock (coordinated omission). */
export const openLoop = async ({ port, connections, seconds, perSecond, next, check }) => {
  const wires = await Promise.all(Array.from({ length: connections }, () => Wire.open(port)));
  const idle = [...wires];
  const due = [];
  const took = [];
  const started = performance.now();
  const count = Math.floor(perSecond * seconds);
  let made = 0;
  await new Promise((resolve, reject) => {
    const go = () => {
      while (due.length > 0 && idle.length > 0) ask(due.shift(), idle.pop());
    };
    const ask = (since, wire) =>
      wire.ask(next()).then((answer) => {
        check(answer);
        took.push(performance.now() - since);
        idle.push(wire);
        if (took.length === count) resolve();
        else go();
      }, reject).catch(reject);
    const tick = setInterval(() => {
      const until = Math.min(count, Math.floor(((performance.now() - started) / 1000) * perSecond));
      for (; made < until; made++) due.push(started + (made / perSecond) * 1000);
      if (made === count) clearInterval(tick);
      go();
    }, 1);
  });
  return figures(took, started, wires);
};

const figures = (took, started, wires) => {
  const seconds = (performance.now() - started) / 1000;
  wires.forEach((wire) => wire.close());
  took.sort((one, other) => one - other);
  return { perSecond: took.length / seconds, p50: at(took, 0.5), p99: at(took, 0.99), requests: took.length };
};
