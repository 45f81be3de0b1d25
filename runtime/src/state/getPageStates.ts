/** `getPageStates`: every page of the project; none while the snippet is switched off. */

import type { Filter, PageState } from "../../types/index";
import { pages } from "../config";
import { pageView } from "../pageView";
import { pageState } from "./pageState";
import { selected } from "./selected";

export const getPageStates = (filter?: Filter<PageState>): Record<string, PageState> =>
  __PAGES__ && !pageView.isOff ? selected([...pages.keys()].map(pageState), filter) : {};
