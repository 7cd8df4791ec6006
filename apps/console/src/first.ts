// Runs before the page is drawn, and before the app has arrived.
import { askEarly } from "./api/early.ts";
import { issued, typed } from "./session/tokens.ts";

// A chosen theme must not flash the other one.
const theme = localStorage.getItem("tripline.theme");
if (theme === '"light"' || theme === '"dark"') document.documentElement.dataset.theme = JSON.parse(theme);

const token = typed.get() ?? issued.get();
if (token !== null) askEarly(token, location);

// The app would learn only when it runs what the page at this address needs.
const [, , place = "", name] = location.pathname.split("/");
const page = place === "workflows" && name ? "workflow" : place;
for (const href of Object.hasOwn(PAGE_FILES, page) ? (PAGE_FILES[page] ?? []) : [])
	document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
