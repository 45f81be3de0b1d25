/** `getDecisionString` and `getDecisionObject`: a campaign's decision as text, for analytics tools. */

import type { DecisionConfig, DecisionObject } from "../../types/index";
import { CampaignField, campaigns } from "../project/config";
import { itemById } from "../project/items";
import { campaignState } from "./campaigns";

/** `getDecisionString`: a campaign's decision in one line, for analytics tools. */
export const getDecisionString = (config: DecisionConfig): string | null => {
  const texts = describeDecision(config);
  return __CAMPAIGNS__ ? texts && formatDecisionString(texts) : (texts as null);
};

/** `getDecisionObject`: a campaign's decision in one text for each part, for analytics tools. */
export const getDecisionObject = (config: DecisionConfig): DecisionObject | null => {
  const texts = describeDecision(config);
  return __CAMPAIGNS__ ? texts && formatDecisionObject(texts) : (texts as null);
};

/** What a decision string or object is made of. Gathered by `describeDecision`. */
export type DecisionTexts = readonly [
  /** Name, empty for none, and `(id)` of experiment and variation; for a personalization, of the campaign before them. */
  parts: readonly (readonly [name: string, id: string])[],
  maxLength: number,
  /** Left out for an A/B test. */
  holdback?: boolean,
];

/** What analytics tools commonly take. */
const MAX_LENGTH = 255;

/**
 * Reads the argument of getDecisionString and getDecisionObject, and gathers what there is to describe. `null` if there is nothing to
 * describe. Throws a TypeError for an argument that is a mistake.
 */
const describeDecision = (config: DecisionConfig): DecisionTexts | null => {
  const { maxLength = MAX_LENGTH } = config;
  // Only a number is what its plus makes of it.
  if (+maxLength !== maxLength || maxLength < 0) {
    throw new TypeError("maxLength");
  }
  const campaign = __CAMPAIGNS__ ? itemById(campaigns, config.campaignId) : undefined;
  const state = campaign && campaignState(campaign);
  if (!state?.experiment || !state.variation) {
    return null;
  }
  const isPersonalization = __PERSONALIZATION__ && campaign?.[CampaignField.IsPersonalization];
  if (__HOLDBACK__ && state.isInCampaignHoldback && !isPersonalization) {
    return null;
  }
  const own = isPersonalization ? [{ id: state.id, name: state.campaignName }] : [];
  return [
    [...own, state.experiment, state.variation].map(({ id, name }) => [
      (config.shouldCleanString ? cleanText : String)(name || ""),
      // An id is cleaned in any case; the parentheses are not.
      "(" + cleanText(id) + ")",
    ]),
    Math.floor(maxLength),
    ...((isPersonalization ? [state.isInCampaignHoldback] : []) as [boolean?]),
  ];
};

/**
 * Writes a decision in one line. The rules are those of `spec/vectors/decision-strings.json`. Names share what the ids leave of
 * `maxLength`, from the last to the first: what a short one leaves, or rounding, is for those before it, so that the campaign's name is
 * the last to be cut.
 */
export const formatDecisionString = ([parts, maxLength, holdback]: DecisionTexts): string => {
  const end = __PERSONALIZATION__ && holdback ? ":holdback" : "";
  let room = maxLength - parts.map(({ 1: id }) => id).join(":").length;
  if (__PERSONALIZATION__) {
    room -= end.length;
  }
  if (room < 0) {
    throw new RangeError("maxLength");
  }
  return parts.reduceRight((text, { 0: name, 1: id }, at) => {
    const length = Math.min(name.length, Math.floor(room / (at + 1)));
    room -= length;
    return (at > 0 ? ":" : "") + cutText(name, length) + id + text;
  }, end);
};

/** Writes a decision in one text for each part. The rules are those of `spec/vectors/decision-strings.json`. */
export const formatDecisionObject = ([parts, maxLength, holdback]: DecisionTexts): DecisionObject => {
  // A name that has to be cut, or only just fits, goes without the space.
  const texts = parts.map(({ 0: name, 1: id }) => {
    const room = Math.max(maxLength - id.length, 0);
    return name && name.length < room ? name + " " + id : cutText(name, room) + id;
  });
  const [experiment, variation] = __PERSONALIZATION__ ? texts.slice(-2) : texts;
  return { experiment, variation, ...(__PERSONALIZATION__ && holdback !== undefined && { campaign: texts[0], holdback }) };
};

/** Replaces what analytics tools may stumble over: each run of other characters than these by one underscore. */
export const cleanText = (text: string): string => text.replace(/[^A-Za-z0-9.~!*()']+/g, "_");

/**
 * Cuts a text to a length in UTF-16 units; to one less where it would halve a surrogate pair. Only a pair that goes on after the cut
 * encodes a code point beyond the first 65,536.
 */
export const cutText = (text: string, length: number): string =>
  text.slice(0, Number(text.codePointAt(length - 1)) > 0xffff ? length - 1 : length);
