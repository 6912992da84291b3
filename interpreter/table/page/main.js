// One page for the lobby and for tables: the address says which.

import { openLobby } from "./lobby.js";
import { Table } from "./table.js";

const page = /** @type {HTMLElement} */ (document.getElementById("page"));
const [, room, id] = location.pathname.split("/");

if (room === "t" && id) new Table(page, id, location.hash.slice(1));
else openLobby(page);

addEventListener("hashchange", () => location.reload());
