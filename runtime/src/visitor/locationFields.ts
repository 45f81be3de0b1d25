/** The fields of `push({type: "location", …})`. What is left out is not known, and no condition on it holds. */

export const LOCATION_FIELDS = ["country", "region", "city", "continent", "dma"];
