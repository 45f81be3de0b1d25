/** A page as the state module and listeners of `pageActivated` see it. */

import type { PageState, TagObject } from "../../types/index";
import { activePages } from "../activation/activePages";
import { globalTags } from "../activation/globalTags";
import { PageField, pages, TagField } from "../config";
import type { TagConfig } from "../config";
import { copyOf } from "./copyOf";
import { nameIdOf } from "./nameIdOf";

export const pageState = (place: number): PageState => {
  const page = pages[place];
  const pushed = activePages[place];
  return {
    ...nameIdOf(page[PageField.Id], page[PageField.Name]),
    apiName: page[PageField.Key],
    category: page[PageField.Category] || null,
    staticConditions: copyOf(page[PageField.Conditions]) as unknown[],
    tags: __PAGE_TAGS__ ? (page[PageField.Tags] || []).map(tagObject) : [],
    isActive: !!pushed,
    // What is pushed for a page wins over what is pushed for all, and that over what the project says.
    metadata: pushed ? { ...(__PAGE_TAGS__ && page[PageField.Metadata]), ...globalTags, ...pushed } : {},
  };
};

const tagObject = (tag: TagConfig): TagObject => {
  const locator = tag[TagField.Locator];
  return {
    type: "tags",
    tags: {},
    category: tag[TagField.Category] || null,
    locator: locator ? String(locator) : null,
    valueType: (tag[TagField.ValueType] || null) as TagObject["valueType"],
    locatorType: (tag[TagField.LocatorType] || null) as TagObject["locatorType"],
    apiName: tag[TagField.Key],
  };
};
