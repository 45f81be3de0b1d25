/** The variation that a member is editing on this page, and its changes as they are now: `editor/editedChanges.ts` sets them. */

import type { ChangeConfig } from "../project/config";

/** What the visual editor puts in force in place of what was compiled. */
export const edited: { variationId: number; changes: readonly ChangeConfig[] } = { variationId: -1, changes: [] };
