// The switch of a section shows its figures in one unit and hides the others.
for (const section of document.querySelectorAll("section")) {
  const choice = section.querySelector(".switch select");
  if (!choice) continue;
  const show = () => {
    for (const v of section.querySelectorAll(".variant[data-unit]"))
      if (v.dataset.unit) v.hidden = v.dataset.unit !== choice.value;
  };
  choice.addEventListener("change", show);
  show(); // a page that was reloaded keeps its choice
}
