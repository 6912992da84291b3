// What has moved is seen moving; what is new is marked for a while. Things have no names that follow
// them about (that would tell too much), so what is gone from one place and new at another has moved.
// Marks do not move: a glow that fades would keep the whole page busy for as long as it lasts.

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const LONG = 380;
const MARKED = 1800;

/** @param {Element} root */
export function positions(root) {
  const boxes = !STILL.matches;
  return [...root.querySelectorAll("[data-sig]")].map((element) => ({
    name: nameOf(element),
    sig: element.getAttribute("data-sig") ?? "",
    box: boxes ? element.getBoundingClientRect() : null,
  }));
}

/** @param {Element} element */
function nameOf(element) {
  return `${element.getAttribute("data-key")}\n${element.getAttribute("data-sig")}`;
}

/**
 * @param {Element} root
 * @param {ReturnType<typeof positions>} before
 */
export function move(root, before) {
  if (!before.length) return;
  const stayed = new Set(before.map(({ name }) => name));
  const now = new Map([...root.querySelectorAll("[data-sig]")].map((element) => [element, nameOf(element)]));
  const here = new Set(now.values());
  const gone = before.filter(({ name }) => !here.has(name));
  for (const each of root.querySelectorAll(".fresh")) each.classList.remove("fresh");
  const fresh = [...now].filter(([, name]) => !stayed.has(name)).map(([element]) => element);
  const steps = fresh.map((element) => {
    const at = gone.findIndex((each) => each.sig === element.getAttribute("data-sig"));
    return way(element, at < 0 ? null : gone.splice(at, 1)[0].box);
  });
  fresh.forEach((element, number) => {
    const step = steps[number];
    if (step) glide(element, step);
    else mark(element);
  });
}

/** @param {Element} element @param {DOMRect | null} from How far it has come; null if that is no way. */
function way(element, from) {
  if (!from) return null;
  const to = element.getBoundingClientRect();
  const scale = element instanceof SVGGraphicsElement ? (element.getScreenCTM()?.a ?? 1) : 1;
  const x = (from.left + from.width / 2 - to.left - to.width / 2) / scale;
  const y = (from.top + from.height / 2 - to.top - to.height / 2) / scale;
  return Math.abs(x) + Math.abs(y) < 2 ? null : { x, y };
}

/** @param {Element} element @param {{x: number, y: number}} step */
function glide(element, { x, y }) {
  element.animate(
    [{ transform: `translate(${x}px, ${y}px)` }, { transform: "translate(0, 0)" }],
    { duration: LONG, easing: "cubic-bezier(.3,.8,.3,1)" },
  );
}

/** @param {Element} element */
function mark(element) {
  element.classList.add("fresh");
  setTimeout(() => element.classList.remove("fresh"), MARKED);
  if (!STILL.matches)
    element.querySelector(".die")?.animate([{ transform: "rotate(-200deg) scale(.7)" }, { transform: "none" }], { duration: LONG, easing: "ease-out" });
}
