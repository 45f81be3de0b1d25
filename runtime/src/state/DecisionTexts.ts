/** What a decision string or object is made of. Gathered by describeDecision.ts. */

export interface DecisionTexts {
  /** Name, empty for none, and `(id)` of experiment and variation; for a personalization, of the campaign before them. */
  readonly parts: readonly (readonly [name: string, id: string])[];
  readonly maxLength: number;
  /** `undefined` for an A/B test. */
  readonly holdback?: boolean;
}
