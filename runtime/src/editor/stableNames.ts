/** Which names of a page will still be there after its next release: those that a person wrote, and not a build or a script. */

const NAME_LENGTH_MAX = 40;

/** Prefixes of names that libraries generate. */
const GENERATED = /^(css|sc|jss|jsx|svelte|emotion|ember|react|radix|headlessui|mui|ng|_ng|v|data-v|yui|ext|gen|uid|tippy|popper|floating)-|^_|:|^(jss|ember|svelte)\d/i;

/** What a script sets and takes away while the page is used. */
const STATE = /^(is|has|js|no)-|^(active|current|open|opened|closed|selected|checked|disabled|enabled|hover|hovered|focus|focused|visible|hidden|show|shown|in|out|collapsed|collapsing|expanded|loading|loaded|ready|sticky|stuck|animated|animate|lazy\w*|fade|first|last|odd|even|touched|dirty|valid|invalid)$/i;

/** Classes that say how something looks, as Tailwind and Bootstrap have them: a designer changes them any day. */
const UTILITY =
  /[[\]/%!@]|^-?(m|p|w|h|z|gap|top|left|right|bottom|inset|text|font|bg|border|rounded|shadow|flex|grid|col|row|items|justify|self|content|order|space|leading|tracking|opacity|min|max|object|overflow|transition|duration|ease|translate|scale|rotate|d|g|fs|fw|lh)[trblxyse]?-|^(flex|grid|block|inline|relative|absolute|fixed|static|underline|truncate|uppercase|italic)$/;

/** Whether a name was most likely written by a person, to last. */
export const isStableName = (name: string): boolean =>
  name.length > 1 && name.length <= NAME_LENGTH_MAX && !GENERATED.test(name) && !STATE.test(name) && !name.split(/[^A-Za-z0-9]+/).some(looksHashed);

/** The same for a class, which may also only say how something looks. */
export const isStableClass = (name: string): boolean => isStableName(name) && !UTILITY.test(name);

/** Whether a part of a name is no word: a hash, or a number that counts. */
const looksHashed = (part: string): boolean => {
  const digits = part.replace(/\D/g, "").length;
  const letters = part.length - digits;
  if (digits > 3 || (digits > 0 && letters > 0 && part.length > 3 && !/^[A-Za-z]+\d{1,2}$/.test(part))) {
    return true;
  }
  // `bdVaJa`: words do not change their case so often; `kjhgfd`: nor do they do without vowels.
  const humps = (part.match(/[a-z][A-Z]/g) || []).length;
  return (humps > 1 && part.length < 5 * humps) || (letters > 4 && !/[aeiouy]/i.test(part));
};
