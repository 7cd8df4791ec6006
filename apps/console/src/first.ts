// Runs before the first paint and before the app has loaded.
import { askEarly } from "./api/early.ts";
import { issuedToken, typedToken } from "./session/tokens.ts";

// Applied early, so that the page does not flash in the other theme.
const theme = localStorage.getItem("tripline.theme");
if (theme === '"light"' || theme === '"dark"') document.documentElement.dataset.theme = JSON.parse(theme);

const token = typedToken.get() ?? issuedToken.get();
if (token !== null) askEarly(token, location);

// Preloads the files of the page at this address, which the app would request only once it runs.
const [, , place = "", name] = location.pathname.split("/");
const page = place === "workflows" && name ? "workflow" : place;
for (const href of Object.hasOwn(PAGE_FILES, page) ? (PAGE_FILES[page] ?? []) : [])
	document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
