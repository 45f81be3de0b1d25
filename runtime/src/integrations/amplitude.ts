/** Amplitude. */

import { genuine } from "../browser/genuine";
import { globalObject } from "../browser/globals";
import type { DecisionReport } from "./report";

/** Amplitude: its exposure event, which makes the experiment a property of the user. */
export const sendToAmplitude = ({ experimentText_: experimentText, variationText_: variationText }: DecisionReport): void =>
  callAmplitude("track", ["$exposure", { flag_key: experimentText, variant: variationText }]);

type Properties = Record<string, unknown>;

interface AmplitudeEvent {
  event_properties?: Properties;
  user_properties?: Record<string, Properties>;
}

/** Tells Amplitude's events where the visitor came from: they name it as properties of the user and of page views. */
export const correctAmplitude = (referrer: string): void =>
  callAmplitude("add", [
    {
      name: "experimentation",
      type: "enrichment",
      setup: async () => {},
      execute: async (event: AmplitudeEvent) => {
        const { event_properties: properties, user_properties: user } = event;
        for (const given of [properties, user?.$set, user?.$setOnce]) {
          for (const key of Object.keys(given || {})) {
            for (const [name, part] of PARTS) {
              if (given && name.test(key) && given[key] === part(genuine(document, "referrer"))) {
                given[key] = part(referrer);
              }
            }
          }
        }
        return event;
      },
    },
  ]);

/** They name it whole, and by its host. */
const PARTS: readonly [name: RegExp, part: (referrer: string) => unknown][] = [
  [/referrer$/i, (referrer) => referrer],
  [/referring_domain$/, (referrer) => referrer.split("/")[2]],
];

interface Amplitude {
  _q: { name: string; args: unknown[] }[];
  _iq: object;
  [method: string]: unknown;
}

/** Calls a method of Amplitude's SDK, or leaves the call where its loader, and then the SDK itself, will find it. */
const callAmplitude = (method: string, parameters: unknown[]): void => {
  const amplitude = globalObject("amplitude", (): Amplitude => {
    return { _q: [], _iq: {} };
  });
  if (amplitude[method]) {
    (amplitude as unknown as Record<string, (...given: unknown[]) => void>)[method](...parameters);
  } else {
    amplitude._q.push({ name: method, args: parameters });
  }
};
