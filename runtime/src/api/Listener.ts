/** A listener of the page, as the `addListener` command brings it. */

export interface Listener {
  readonly filter?: unknown;
  readonly handler: (event: unknown) => void;
  readonly token?: unknown;
}
