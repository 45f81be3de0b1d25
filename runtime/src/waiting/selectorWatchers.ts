/** What observeSelector.ts wants to be called whenever the document changed. changes/keepUp.ts does, with its one observer. */

export const selectorWatchers: (() => void)[] = [];
