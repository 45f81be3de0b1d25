/**
 * What was met in this page view and is not stored yet, by its key in `memory` or `seenVariations`: 1 where the same from another tab stands
 * before it, since it was first; 2 where it stands itself. Emptied by saveVisitor.ts.
 */

export const unsaved = { __proto__: null } as unknown as Record<string, 1 | 2>;
