/** Calls a method of Amplitude's SDK, or leaves the call where its loader, and then the SDK itself, will find it. */

import { globalObject } from "./globalObject";

interface Amplitude {
  _q: { name: string; args: unknown[] }[];
  _iq: object;
  [method: string]: unknown;
}

export const callAmplitude = (method: string, parameters: unknown[]): void => {
  const amplitude = globalObject("amplitude", (): Amplitude => {
    return { _q: [], _iq: {} };
  });
  if (amplitude[method]) {
    (amplitude as unknown as Record<string, (...given: unknown[]) => void>)[method](...parameters);
  } else {
    amplitude._q.push({ name: method, args: parameters });
  }
};
