/** Enter in a field of a trial (`data-trial`) tries it. Without this, browsers press the first button of the form, which saves. */

for (const trial of document.querySelectorAll("[data-trial]")) {
  const button = trial.querySelector("button[value=try]");
  trial.addEventListener("keydown", (event) => {
    // Enter that ends the composition of a character, or a line of a text area, sends nothing.
    if (event.key !== "Enter" || event.isComposing || !event.target.matches("input")) return;
    event.preventDefault();
    button.click();
  });
}
