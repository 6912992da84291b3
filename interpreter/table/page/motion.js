// What has moved is seen moving; what is new glows. Things have no names that follow them about
// (that would tell too much), so what is gone from one place and new at another has moved.

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const LONG = 380;

/** @param {Element} root */
export function positions(root) {
  if (STILL.matches) return [];
  return [...root.querySelectorAll("[data-sig]")].map((element) => ({
    key: element.getAttribute("data-key") ?? "",
    sig: element.getAttribute("data-sig") ?? "",
    box: element.getBoundingClientRect(),
  }));
}

/**
 * @param {Element} root
 * @param {ReturnType<typeof positions>} before
 */
export function move(root, before) {
  if (STILL.matches || !before.length) return;
  const stayed = new Set(before.map(({ key, sig }) => `${key}\n${sig}`));
  const fresh = [...root.querySelectorAll("[data-sig]")].filter(
    (element) => !stayed.has(`${element.getAttribute("data-key")}\n${element.getAttribute("data-sig")}`),
  );
  const here = new Set([...root.querySelectorAll("[data-sig]")].map((element) => `${element.getAttribute("data-key")}\n${element.getAttribute("data-sig")}`));
  const gone = before.filter(({ key, sig }) => !here.has(`${key}\n${sig}`));
  for (const element of fresh) {
    const sig = element.getAttribute("data-sig");
    const at = gone.findIndex((each) => each.sig === sig);
    if (at >= 0) glide(element, gone.splice(at, 1)[0].box);
    else glow(element);
  }
}

/** @param {Element} element @param {DOMRect} from */
function glide(element, from) {
  const to = element.getBoundingClientRect();
  const scale = element instanceof SVGGraphicsElement ? (element.getScreenCTM()?.a ?? 1) : 1;
  const x = (from.left + from.width / 2 - to.left - to.width / 2) / scale;
  const y = (from.top + from.height / 2 - to.top - to.height / 2) / scale;
  if (Math.abs(x) + Math.abs(y) < 2) return;
  element.animate(
    [{ transform: `translate(${x}px, ${y}px)` }, { transform: "translate(0, 0)" }],
    { duration: LONG, easing: "cubic-bezier(.3,.8,.3,1)" },
  );
}

/** @param {Element} element */
function glow(element) {
  const rolls = element.querySelector(".die");
  if (rolls) {
    rolls.animate([{ transform: "rotate(-200deg) scale(.7)" }, { transform: "none" }], { duration: LONG, easing: "ease-out" });
    return;
  }
  element.animate(
    [{ filter: "drop-shadow(0 0 6px var(--accent)) brightness(1.25)", opacity: 0.3 }, { filter: "drop-shadow(0 0 6px var(--accent))", opacity: 1, offset: 0.35 }, { filter: "none" }],
    { duration: LONG * 3, easing: "ease-out" },
  );
}
