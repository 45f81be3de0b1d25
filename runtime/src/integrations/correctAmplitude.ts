/** Tells Amplitude's events where the visitor came from: they name it as properties of the user and of page views. */

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
            if (given && given[key] === document.referrer && /referrer$/i.test(key)) {
              given[key] = referrer;
            }
          }
        }
        return event;
      },
    },
  ]);
