/** Reads and compares addresses. */

import { attempt } from "./attempt";

/** The value of the page's first query parameter of that name, as written in the address: not decoded. */
export const queryParameter = (name: string): string | undefined => namedValue(location.search.slice(1), "&", name);

/** The first value of that name in a list of `name=value`; empty where it has none, `undefined` where the name is not there. */
export const namedValue = (list: string, separator: string, name: string): string | undefined =>
  list
    .split(separator)
    .find((pair) => pair.split("=")[0] === name)
    ?.slice(name.length + 1);

/** Decodes percent signs; a text with stray ones stays as it is. */
export const decodePercent = (text: string): string => attempt(() => decodeURIComponent(text)) ?? text;

/** Makes two spellings of an address compare equal: no scheme, lower case, nothing empty at its end. The port counts. */
export const normalizeUrl = (url: string): string =>
  (__URL_EXACT__ || __URL_SUBSTRING__ || __CHANGE_REDIRECT__ ? url.replace("/?", "?") : url)
    .toLowerCase()
    .replace(/[/&?]+$/, "")
    .replace(/^https?:\/\//, "");

/**
 * Drops the query parameters that are ours (`experimentation_…`), so that they never change which pages are active. Every `?` inside the
 * query is lost on the way; the fragment stays as it is.
 */
export const withoutReservedParameters = (url: string): string =>
  url.replace(/^([^?#]*)\?([^#]*)/, (_, address: string, query: string) => {
    const parameters = query.replace(/\?/g, "").split("&");
    const kept = parameters.filter((parameter) => !/^experimentation_/.test(parameter));
    return address + (kept.length > 0 ? "?" : "") + kept.join("&");
  });

/** An address up to its fragment: what the server was asked for. */
export const withoutFragment = (address: string): string => address.split("#")[0];
