/**
 * Drops the query parameters that are ours (`experimentation_…`), so that they never change which pages are active. Every `?`
 * inside the query is lost on the way; the fragment stays as it is.
 */

export const withoutReservedParameters = (url: string): string =>
  url.replace(/^([^?#]*)\?([^#]*)/, (_, address: string, query: string) => {
    const parameters = query.replace(/\?/g, "").split("&");
    const kept = parameters.filter((parameter) => !/^experimentation_/.test(parameter));
    return address + (kept.length > 0 ? "?" : "") + kept.join("&");
  });
