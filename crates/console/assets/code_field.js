/**
 * Fields for code (`textarea[data-code]`): line numbers beside the text, the lines of faults marked, Tab and Enter that indent.
 * Without JavaScript they are plain areas; the words of a fault name its line there, too.
 */

const INDENT = "  ";

/** For how many milliseconds the typing rests before the server is asked. */
const PAUSE = 400;

/** Replaces the selection as typing does, so that undo takes it back. */
const type = (area, text) => {
  if (document.execCommand("insertText", false, text)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
};

/** The blanks that begin the line of the cursor. */
const indentAt = ({ value, selectionStart: at }) => {
  const line = value.slice(value.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)[0];
};

/** Indents each line of a selection, which stays selected; or writes blanks at the cursor. */
const shift = (area) => {
  const { value, selectionStart, selectionEnd: end } = area;
  if (!value.slice(selectionStart, end).includes("\n")) return type(area, INDENT);
  const start = value.lastIndexOf("\n", selectionStart - 1) + 1;
  const lines = value.slice(start, end).replace(/^(?=.)/gm, INDENT);
  area.setSelectionRange(start, end);
  type(area, lines);
  area.setSelectionRange(start, start + lines.length);
};

/** Tab indents, unless Escape came before it: the keyboard must not be caught in a field. */
const indent = (area) => {
  let isLeaving = false;
  area.addEventListener("keydown", (event) => {
    const { key, isComposing } = event;
    const isPlain = !(event.shiftKey || event.ctrlKey || event.altKey || event.metaKey || isComposing);
    const act = { Tab: () => shift(area), Enter: () => type(area, `\n${indentAt(area)}`) }[key];
    if (isPlain && act && !(key === "Tab" && isLeaving)) {
      event.preventDefault();
      act();
    }
    isLeaving = key === "Escape";
  });
  const way = Object.assign(document.createElement("p"), { className: "hint", textContent: "Tab indents. Escape, then Tab leaves the field." });
  document.getElementById(area.getAttribute("aria-describedby"))?.append(way);
};

/** @param {HTMLTextAreaElement} area */
const number = (area) => {
  const box = Object.assign(document.createElement("div"), { className: "code-field", dir: "ltr" });
  const numbers = Object.assign(document.createElement("pre"), { ariaHidden: "true" });
  const hadFocus = document.activeElement === area;
  area.wrap = "off";
  area.before(box);
  box.append(numbers, area);
  if (hadFocus) area.focus();

  const atFirst = area.value.split("\n");
  const wrong = new Map(area.dataset.code.split(" ").filter(Boolean).map((line) => [Number(line), atFirst[line - 1]]));
  let shown = "";
  const scroll = () => {
    numbers.scrollTop = area.scrollTop;
  };
  const show = () => {
    const lines = area.value.split("\n");
    // A line that was changed is no longer the one that was found wrong.
    const marked = [...wrong].filter(([line, text]) => lines[line - 1] === text).map(([line]) => line);
    const now = `${lines.length} ${marked}`;
    if (now !== shown) {
      const of = (line) => Object.assign(document.createElement("span"), { className: marked.includes(line) ? "wrong" : "", textContent: `${line}\n` });
      numbers.replaceChildren(...lines.map((_, index) => of(index + 1)));
      shown = now;
    }
    scroll();
  };
  area.addEventListener("input", show);
  area.addEventListener("scroll", scroll);
  show();
  return (faults) => {
    const lines = area.value.split("\n");
    wrong.clear();
    for (const { line } of faults) wrong.set(line, lines[line - 1]);
    show();
  };
};

/** Asks the server what is wrong with JavaScript, when the typing rests. What it does not answer in time, saving tells. */
const check = (area, mark) => {
  const about = document.getElementById(area.getAttribute("aria-describedby"));
  const said = Object.assign(document.createElement("p"), { id: `${area.id}-said`, className: "wrong", ariaLive: "polite" });
  const [address] = /^\/projects\/[^/]+/.exec(location.pathname);
  area.closest(".field").append(said);
  area.setAttribute("aria-describedby", `${area.getAttribute("aria-describedby") ?? ""} ${said.id}`.trim());

  const tell = (faults) => {
    // What was said of the text as it was sent last.
    for (const old of about?.querySelectorAll(".wrong") ?? []) old.remove();
    mark(faults);
    area.setAttribute("aria-invalid", String(faults.length > 0));
    const words = faults.map(({ line, column, detail, hint }) => `Line ${line}, column ${column}: ${detail}.${hint ? ` ${hint}.` : ""}`);
    said.textContent = words.join(" ");
  };
  const ask = async (signal) => {
    const body = new URLSearchParams({ csrf: area.form.elements.csrf.value, code: area.value });
    const answer = await fetch(`${address}/check-code`, { method: "POST", body, signal });
    if (answer.ok && !answer.redirected) tell((await answer.json()).faults);
  };
  let resting, asking;
  area.addEventListener("input", () => {
    clearTimeout(resting);
    asking?.abort();
    asking = new AbortController();
    // Offline, or typed on: the next pause asks again.
    resting = setTimeout((signal) => ask(signal).catch(() => undefined), PAUSE, asking.signal);
  });
};

for (const area of document.querySelectorAll("textarea[data-code]")) {
  // A member who only reads it sees all of it: such a field cannot be scrolled by the keyboard.
  if (area.matches(":disabled")) continue;
  const mark = number(area);
  indent(area);
  if ("javascript" in area.dataset) check(area, mark);
}
