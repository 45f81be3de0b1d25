/** The total of an experiment's weights (`data-total-of`), while a member types them. The server counts them, too. */

/** A share in hundredths of a percent, as the server reads it; what is no number counts nothing. */
const share = ({ value }) => Math.round(Number(value.trim().replace(",", ".")) * 100) || 0;

for (const told of document.querySelectorAll("[data-total-of]")) {
  const list = `${told.dataset.totalOf}/`;
  const weights = [...document.querySelectorAll("input[name$='/weight']")].filter(({ name }) => name.startsWith(list));
  const [number, ...rest] = told.children;
  const count = () => {
    const total = weights.map(share).reduce((sum, one) => sum + one, 0);
    const isWhole = total === 10_000;
    number.textContent = `${total / 100} %`;
    told.className = isWhole ? "hint" : "wrong";
    for (const sentence of rest) sentence.hidden = isWhole;
  };
  told.setAttribute("aria-live", "polite");
  for (const weight of weights) weight.addEventListener("input", count);
}
