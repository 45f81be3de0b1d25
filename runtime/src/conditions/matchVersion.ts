/**
 * Whether `actual`, a browser or a system with its whole version, is the one named by `value`, which tells as many parts of the
 * version as matter, or none: `gc`, `gc120`, `gc120.0`, `mac os_10.15`.
 */

export const matchVersion = (actual: string, value: unknown): boolean =>
  !!value && (value === actual.replace(/_.*|[\d.]+$/, "") || (actual + ".").startsWith(String(value) + "."));
