/**
 * Buttons that copy a text of the page: `<button type="button" data-copy="ID" hidden>Copy</button>` copies the text of the element with that
 * id. A button is hidden until this script runs, so that none is there that does nothing.
 */

/** For how long a button says that it has copied. */
const SAID_FOR_MS = 2_000;

/** Pages over plain HTTP have no clipboard of their own: there the text is selected, and copied as a person would. */
const copyText = async (element) => {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(element.textContent.trim());
    return;
  }
  getSelection().selectAllChildren(element);
  document.execCommand("copy");
};

/** @param {HTMLButtonElement} button */
const equip = (button) => {
  const words = button.textContent;
  const said = document.createElement("span");
  said.role = "status";
  said.className = "unseen";
  button.after(said);
  button.addEventListener("click", async () => {
    await copyText(document.getElementById(button.dataset.copy));
    button.textContent = said.textContent = "Copied";
    setTimeout(() => {
      button.textContent = words;
      said.textContent = "";
    }, SAID_FOR_MS);
  });
  button.hidden = false;
};

for (const button of document.querySelectorAll("button[data-copy]")) {
  equip(button);
}
