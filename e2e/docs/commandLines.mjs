/** The commands of Assay that a block of a shell runs. */

/** A command has at most so many words: `assay member add`. */
const WORDS_AT_MOST = 2;

/**
 * The commands with their flags, as the block has them: in lines of their own, behind a prompt, after a pipe or an assignment.
 * @returns {{line: string, command: string[], flags: string[]}[]}
 */
export const flagsAndCommands = (code) => {
  const lines = code.replace(/\\\n/g, " ").split("\n");
  return lines.flatMap((line) => {
    const plain = line.replace(/^\s*\$ /, "").replace(/(^|\s)#.*$/, "");
    const [, words] = /^\s*(?:[A-Z_]+=\S*\s+)*assay\s+(.*)$/.exec(plain) ?? [];
    return words === undefined ? [] : [{ line: plain.trim(), ...parted(words) }];
  });
};

/** Quoted text is no flag, and what a pipe feeds is another program's. */
const parted = (text) => {
  const ours = text.replace(/'[^']*'|"[^"]*"/g, "TEXT").split(/[|>;&]/)[0];
  const words = ours.trim().split(/\s+/);
  const end = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
  const command = words.slice(0, end === -1 ? words.length : end).slice(0, WORDS_AT_MOST);
  return { command: TWO_WORDS.has(command[0]) ? command : command.slice(0, 1), flags: words.filter((word) => /^--?[a-z]/.test(word)).map((flag) => flag.split("=")[0]) };
};

/** What has commands of its own. */
const TWO_WORDS = new Set(["application", "audit", "events", "mail", "member", "preview-links", "project", "token", "tokens"]);
