/** A page as the state module and listeners of `pageActivated` see it. */

import type { PageState, TagObject } from "../../types/index";
import { activePages } from "../activation/activePages";
import { globalTags } from "../activation/globalTags";
import { PageField, pages, TagField } from "../config";
import type { TagConfig } from "../config";
import { copyOf } from "./copyOf";
import { nameIdOf } from "./nameIdOf";
import { tagValue } from "./tagValue";

export const pageState = (place: number): PageState => {
  const page = pages[place];
  const pushed = activePages[place];
  const tags = __PAGE_TAGS__ ? (page[PageField.Tags] || []).map((tag) => tagObject(tag, !!pushed)) : [];
  return {
    ...nameIdOf(page[PageField.Id], page[PageField.Name]),
    apiName: page[PageField.Key],
    category: page[PageField.Category] || null,
    staticConditions: copyOf(page[PageField.Conditions]) as unknown[],
    tags,
    isActive: !!pushed,
    // What is pushed for a page wins over what is pushed for all, that over what is found in the page, and that over what the project says.
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
