/** Whether the browser's language is `value` (`en-us`), or one of its regions when `value` names none (`en`). */

export const matchLanguage = (language: string, value: string): boolean =>
  (language.toLowerCase() + "-").startsWith(value.toLowerCase() + "-");
