"use strict";
// Everything on the page is there without this: it only sorts, hides and shows.

for (const table of document.querySelectorAll("table.uses")) {
  const finder = table.closest(".finder");
  const rows = [...table.tBodies[0].rows];
  const find = finder.querySelector(".find");
  const filters = [...finder.querySelectorAll(".filter")];
  const shown = finder.querySelector(".shown");
  const words = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  finder.querySelector(".table-tools").hidden = false;

  const look = () => {
    const asked = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const fits =
        asked.every((word) => words.get(row).includes(word)) &&
        filters.every((each) => !each.value || row.dataset[each.dataset.by] === each.value);
      row.hidden = !fits;
      count += fits ? 1 : 0;
    }
    shown.value = count === rows.length ? `${count} rows` : `${count} of ${rows.length} rows`;
  };
  find.addEventListener("input", look);
  for (const each of filters) each.addEventListener("change", look);

  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(table, head, column, rows));
  });
}

function sort(table, head, column, rows) {
  const numbers = head.dataset.as === "number";
  const before = head.getAttribute("aria-sort");
  // Numbers are mostly looked for from above, words from A.
  const down = before ? before === "ascending" : numbers;
  for (const each of table.tHead.rows[0].cells) each.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = (row) => {
    const cell = row.cells[column];
    if (!numbers) return cell.textContent;
    return cell.dataset.v === "" ? null : Number(cell.dataset.v);
  };
  const order = (a, b) => {
    const one = key(a);
    const other = key(b);
    if (one === null || other === null) return (one === null) - (other === null);
    const found = numbers ? one - other : one.localeCompare(other, undefined, { numeric: true });
    return down ? -found : found;
  };
  table.tBodies[0].append(...[...rows].sort(order));
}

const arms = [...document.querySelectorAll(".arm")];
const links = [...document.querySelectorAll(".ways-nav a")];
if (links.length) {
  const show = () => {
    const asked = arms.find((each) => `#${each.id}` === location.hash);
    const chosen = asked ?? arms.find((each) => !each.hidden) ?? arms[0];
    for (const each of arms) each.hidden = each !== chosen;
    for (const each of links) {
      if (each.hash === `#${chosen.id}`) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    }
    if (asked) asked.scrollIntoView();
  };
  addEventListener("hashchange", show);
  show();
}

addEventListener("beforeprint", () => {
  for (const each of document.querySelectorAll(".remark details")) each.open = true;
});

const theme = document.querySelector(".theme");
theme.hidden = false;
const dark = () =>
  document.documentElement.classList.contains("dark") ||
  (!document.documentElement.classList.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches);
const name = () => {
  theme.textContent = dark() ? "Light" : "Dark";
};
theme.addEventListener("click", () => {
  const next = dark() ? "light" : "dark";
  document.documentElement.classList.remove("light", "dark");
  document.documentElement.classList.add(next);
  name();
});
name();
