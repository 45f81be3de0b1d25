/** Amplitude: its exposure event, which makes the experiment a property of the user. */

import { callAmplitude } from "./callAmplitude";
import type { DecisionReport } from "./DecisionReport";

export const sendToAmplitude = ({ experimentText, variationText }: DecisionReport): void =>
  callAmplitude("track", ["$exposure", { flag_key: experimentText, variant: variationText }]);
