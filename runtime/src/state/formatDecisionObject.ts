/** Writes a decision in one text for each part. The rules are those of `spec/vectors/decision-strings.json`. */

import type { DecisionObject } from "../../types/index";
import { cutText } from "./cutText";
import type { DecisionTexts } from "./DecisionTexts";

export const formatDecisionObject = ([parts, maxLength, holdback]: DecisionTexts): DecisionObject => {
  // A name that has to be cut, or only just fits, goes without the space.
  const texts = parts.map(({ 0: name, 1: id }) => {
    const room = Math.max(maxLength - id.length, 0);
    return name && name.length < room ? name + " " + id : cutText(name, room) + id;
  });
  const [experiment, variation] = __PERSONALIZATION__ ? texts.slice(-2) : texts;
  return { experiment, variation, ...(__PERSONALIZATION__ && holdback !== undefined && { campaign: texts[0], holdback }) };
};
