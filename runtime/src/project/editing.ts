/** What the snippet of the visual editor is told. */

/** A change as the project document has it. */
export interface DocumentChange {
  readonly type: string;
  readonly selector?: string;
  readonly value?: string | null;
  readonly name?: string;
  readonly to?: string;
  readonly position?: string;
  readonly [field: string]: unknown;
}

/** What the visual editor is told of the variation, and of who edits it where. */
export interface EditingConfig {
  readonly variation: number;
  readonly title: string;
  /** The console's origin, and the site's: messages go between these only. */
  readonly console: string;
  readonly site: string;
  /** What both sides of the conversation know. */
  readonly nonce: string;
  readonly mayWriteCode: boolean;
  readonly changes: readonly DocumentChange[];
}
