/** Tells Amplitude's events where the visitor came from: they name it as properties of the user and of page views. */

import { genuine } from "../genuine";
import { callAmplitude } from "./callAmplitude";

type Properties = Record<string, unknown>;

interface AmplitudeEvent {
  event_properties?: Properties;
  user_properties?: Record<string, Properties>;
}

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
