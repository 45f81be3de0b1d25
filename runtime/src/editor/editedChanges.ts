/**
 * The changes that are being edited, put into force by the very code that does so for visitors. Redirects would lead away, and JavaScript
 * cannot be taken back: the editor keeps both in the list and does not run them.
 */

import { applyChanges } from "../changes/applyChanges";
import { edited } from "../changes/edited";
import { keepUp } from "../changes/keepUp";
import { traceOn } from "../changes/notes";
import { recordOf } from "../changes/records";
import { undoChange } from "../changes/undo";
import { guarded } from "../pageView/events";
import { activePages } from "../pageView/pageView";
import { CampaignField, campaigns, ChangeField, ChangeKind, ExperimentField, PageField, pages } from "../project/config";
import type { CampaignConfig, ChangeConfig } from "../project/config";
import type { DocumentChange } from "../project/editing";
import type { OwnNames } from "./selector";

const KINDS: Readonly<Record<string, ChangeKind>> = {
  text: ChangeKind.Text,
  html: ChangeKind.Html,
  style: ChangeKind.Style,
  class: ChangeKind.Class,
  attribute: ChangeKind.Attribute,
  insert: ChangeKind.Insert,
  move: ChangeKind.Move,
  remove: ChangeKind.Remove,
  css: ChangeKind.Css,
};

/** What is in force: changes as the document has them, and as the runtime has them. A change that is not run has none. */
let compiledChanges: readonly (readonly [text: string, change: ChangeConfig | undefined])[] = [];

/** Whether the editor shows a change in the page. */
export const isShown = (change: DocumentChange): boolean => change.type in KINDS;

/** Whether a change is not limited to a page, or to one that is active here. */
export const isForThisPage = (change: DocumentChange): boolean => !change["page"] || !!activePages[placeOfPage(change) - 1];

/** Makes the page show these changes of the edited variation. The first ones that stay the same are left alone. */
export const showChanges = (variationId: number, changes: readonly DocumentChange[]): void => {
  const texts = changes.map((change) => JSON.stringify(change));
  let same = 0;
  while (same < texts.length && compiledChanges[same]?.[0] === texts[same]) {
    same++;
  }
  const passed = compiledChanges.slice(same).reverse();
  compiledChanges = [...compiledChanges.slice(0, same), ...changes.slice(same).map((change, at) => [texts[same + at] || "", compiled(change)] as const)];
  keepUp([]);
  passed.forEach(([, change]) => change && guarded(() => undoChange(change)));
  edited.variationId = variationId;
  edited.changes = compiledChanges.flatMap(([, change]) => (change ? [change] : []));
  guarded(applyChanges);
};

/** Whether the change at this place of the list is in force on an element: its selector may find another one by now. */
export const isAppliedTo = (place: number, element: Element): boolean => {
  const change = compiledChanges[place]?.[1];
  return !!change && !!traceOn(element, recordOf(change));
};

/**
 * What changes set on elements: these, and those of all campaigns, which other visitors may not get. Selectors must not look for it.
 */
export const ownNames = (changes: readonly DocumentChange[]): OwnNames => {
  const all = [...changes.map(compiled), ...campaigns.flatMap(changesOf)];
  const of = (kind: ChangeKind): ChangeConfig[] => all.flatMap((change) => (change?.[ChangeField.Kind] === kind ? [change] : []));
  const attributes = of(ChangeKind.Attribute);
  return {
    classes: [...of(ChangeKind.Class), ...attributes.filter((change) => change[ChangeField.Extra] === "class")].flatMap((change) =>
      String(change[ChangeField.Value]).split(/\s+/),
    ),
    attributes: attributes.map((change) => String(change[ChangeField.Extra])),
  };
};

const changesOf = (campaign: CampaignConfig): ChangeConfig[] =>
  [campaign[CampaignField.Changes], ...campaign[CampaignField.Experiments].flatMap((experiment) => experiment[ExperimentField.Changes] || [])].flatMap(
    (list) => list || [],
  );

/** The change as the compiler would write it: crates/snippet/src/config/change.rs. */
const compiled = (change: DocumentChange): ChangeConfig | undefined => {
  const kind = KINDS[change.type];
  if (kind === undefined) {
    return undefined;
  }
  const dependsOn = (change["depends_on"] as string[] | undefined) || 0;
  const options = [placeOfPage(change), (change["id"] as string | undefined) || 0, dependsOn, change["async"] ? 1 : 0] as const;
  const value = change.type === "move" ? change.to : change.value;
  return [kind, change.selector || 0, value === undefined ? 0 : value, change.name || change.position || 0, ...options] as ChangeConfig;
};

/** One more than the place of the page that the change is limited to, as the compiler counts; 0 for none. */
const placeOfPage = (change: DocumentChange): number => pages.findIndex((page) => String(page[PageField.Id]) === String(change["page"])) + 1;
