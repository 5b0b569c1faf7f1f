"use strict";
// The switch of a section shows its figures in one unit and hides the others. The
// sections that have the unit follow.
for (const section of document.querySelectorAll("main section")) {
  const choice = section.querySelector(".switch select");
  if (!choice) continue;
  const show = () => {
    for (const v of section.querySelectorAll(".variant[data-unit]"))
      if (v.dataset.unit) v.hidden = v.dataset.unit !== choice.value;
  };
  choice.addEventListener("change", () => {
    show();
    for (const other of document.querySelectorAll(".switch select"))
      if (other.value !== choice.value && [...other.options].some(o => o.value === choice.value)) {
        other.value = choice.value;
        other.dispatchEvent(new Event("change"));
      }
  });
  show(); // a page that was reloaded keeps its choice
}

// In narrow windows a row of a table is a paragraph, so every value gets the head of
// its column.
const slim = matchMedia("(max-width: 52rem)");
const nameCells = () => {
  if (!slim.matches) return;
  for (const table of document.querySelectorAll(".scroll table:not(.named)")) {
    const heads = [...table.tHead.rows[0].cells].map(th => [...th.childNodes].map(part => part.textContent).join(" "));
    for (const row of table.tBodies[0].rows)
      [...row.cells].forEach((c, i) => { if (c.textContent && !c.matches(".picture")) c.dataset.head = heads[i] ?? ""; });
    table.classList.add("named");
  }
};
slim.addEventListener("change", nameCells);
nameCells();

// The filter hides rows and pictures of cases without all its words in their
// names, and figures without any row or picture left.
const filter = document.getElementById("filter");
const narrow = () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0, all = 0;
  for (const e of document.querySelectorAll("[data-name]")) {
    const name = e.dataset.name.toLowerCase();
    const gone = !words.every(w => name.includes(w));
    e.classList.toggle("filtered", gone);
    if (e.matches("tr")) { all++; shown += gone ? 0 : 1; }
  }
  for (const f of document.querySelectorAll("figure")) {
    const named = [...f.querySelectorAll("[data-name]")];
    f.classList.toggle("filtered", named.length > 0 && named.every(e => e.classList.contains("filtered")));
  }
  document.getElementById("filtered").value = words.length ? `${shown} of ${all} rows` : "";
};
filter.addEventListener("input", narrow);
narrow();

// Hints show the value under the pointer. In a focused chart the arrow keys walk
// through its values.
const hint = document.getElementById("hint");
let marked = null;
const explain = spot => {
  marked?.classList.remove("marked");
  marked = spot;
  hint.hidden = !spot;
  if (!spot) return;
  spot.classList.add("marked");
  hint.textContent = spot.dataset.hint;
  const at = spot.getBoundingClientRect(), width = document.documentElement.clientWidth;
  hint.style.left = Math.max(4, Math.min(at.left + at.width/2, width - hint.offsetWidth - 4)) + "px";
  const above = at.top - hint.offsetHeight - 6;
  hint.style.top = (above > 4 ? above : at.bottom + 6) + "px";
};
document.addEventListener("pointerover", e => explain(e.target.closest?.("[data-hint]") ?? null));
document.addEventListener("scroll", () => { hint.hidden = true; }, {passive: true});
document.addEventListener("keydown", e => {
  if (e.key === "Escape") return explain(null);
  const spots = [...(document.activeElement?.closest(".chart, .scroll")?.querySelectorAll("[data-hint]") ?? [])];
  const step = {ArrowRight: 1, ArrowLeft: -1}[e.key];
  if (!step || !spots.length) return;
  e.preventDefault();
  const place = spots.indexOf(marked);
  explain(spots[place < 0 ? (step > 0 ? 0 : spots.length - 1) : (place + step + spots.length) % spots.length]);
});
document.addEventListener("focusout", () => explain(null));
