/** Writes a decision in one line. The rules are those of `spec/vectors/decision-strings.json`. */

import { cutText } from "./cutText";
import type { DecisionTexts } from "./DecisionTexts";

/**
 * Names share what the ids leave of `maxLength`, from the last to the first: what a short one leaves, or rounding, is for those
 * before it, so that the campaign's name is the last to be cut.
 */
export const formatDecisionString = ([parts, maxLength, holdback]: DecisionTexts): string => {
  const end = __PERSONALIZATION__ && holdback ? ":holdback" : "";
  let room = maxLength - end.length - parts.map(({ 1: id }) => id).join(":").length;
  if (room < 0) {
    throw new RangeError("maxLength is too small");
  }
  return parts.reduceRight((text, { 0: name, 1: id }, at) => {
    const length = Math.min(name.length, Math.floor(room / (at + 1)));
    room -= length;
    return (at > 0 ? ":" : "") + cutText(name, length) + id + text;
  }, end);
};
