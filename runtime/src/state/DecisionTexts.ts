/** What a decision string or object is made of. Gathered by describeDecision.ts. */

export type DecisionTexts = readonly [
  /** Name, empty for none, and `(id)` of experiment and variation; for a personalization, of the campaign before them. */
  parts: readonly (readonly [name: string, id: string])[],
  maxLength: number,
  /** Left out for an A/B test. */
  holdback?: boolean,
];
