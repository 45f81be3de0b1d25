/** Adds the query parameters of one address to another, as they are written; those it has itself stay. */

export const withParametersOf = (url: URL, search: string): URL => {
  const added = search
    .slice(1)
    .split("&")
    .filter((parameter) => parameter && !url.searchParams.has(parameter.split("=")[0]));
  if (added.length > 0) {
    url.search += (url.search ? "&" : "?") + added.join("&");
  }
  return url;
};
