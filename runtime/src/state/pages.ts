/** Pages as the state module and listeners of `pageActivated` see them. */

import type { Filter, PageState, TagObject } from "../../types/index";
import { activePages, globalTags, pageView } from "../pageView/pageView";
import { PageField, pages, TagField } from "../project/config";
import type { Condition, TagConfig } from "../project/config";
import { selected } from "./filter";
import { nameIdOf } from "./names";
import { tagValue } from "./tags";

/** `getPageStates`: every page of the project; none while the snippet is switched off. */
export const getPageStates = (filter?: Filter<PageState>): Record<string, PageState> =>
  __PAGES__ && !pageView.isOff ? selected(pages.keys(), pageState, filter) : {};

/** A page as the state module and listeners of `pageActivated` see it. */
export const pageState = (place: number): PageState => {
  const page = pages[place];
  const pushed = activePages[place];
  const tags = __PAGE_TAGS__ ? (page[PageField.Tags] || []).map((tag) => tagObject(tag, !!pushed)) : [];
  return {
    ...nameIdOf(page[PageField.Id], page[PageField.Name]),
    apiName: page[PageField.Key],
    category: page[PageField.Category] || "other",
    staticConditions: copyOf(page[PageField.Conditions]) as unknown[],
    tags,
    isActive: !!pushed,
    // Values pushed for one page win over values pushed for all pages, those over tags, and those over the project's metadata.
    metadata: pushed
      ? {
          ...(__PAGE_METADATA__ && page[PageField.Metadata]),
          ...(__PAGE_TAGS__ && Object.assign({}, ...tags.map((tag) => tag.tags))),
          ...globalTags,
          ...pushed,
        }
      : {},
  };
};

const tagObject = (tag: TagConfig, isActive: boolean): TagObject => {
  const apiName = tag[TagField.Key];
  const value = isActive ? tagValue(tag) : undefined;
  return {
    type: "tags",
    tags: value === undefined ? {} : { [apiName]: value },
    category: tag[TagField.Category] || null,
    locator: tag[TagField.Locator] || null,
    valueType: (tag[TagField.ValueType] || null) as TagObject["valueType"],
    locatorType: (tag[TagField.LocatorType] || null) as TagObject["locatorType"],
    apiName,
  };
};

/** A copy of a page's conditions, leaves included, so that callers may change what they get. The functions of code stay inside. */
const copyOf = (tree: unknown): unknown => {
  if (Array.isArray(tree)) {
    return tree.map(copyOf);
  }
  if (Object(tree) !== tree) {
    return tree;
  }
  if (!__CUSTOM_CODE__) {
    return { ...(tree as Condition) };
  }
  const { code, ...shown } = tree as Condition;
  return shown;
};
