/** What is told of many times: their median, and the tenth percentile, which comes near to a machine that does nothing else. */

export const summary = ({ experiments, visit, ...byCandidate }) => ({
  experiments,
  visit,
  ...Object.fromEntries(
    Object.entries(byCandidate).map(([candidate, times]) => [candidate, { median: quantile(times, 0.5), p10: quantile(times, 0.1) }]),
  ),
});

const quantile = (times, share) => [...times].sort((one, other) => one - other)[Math.floor((times.length - 1) * share)];
