// Runs before the page is drawn, and before the app has arrived.
import { askEarly } from "./api/early.ts";
import { issued, typed } from "./session/tokens.ts";

// A chosen theme must not flash the other one.
const theme = localStorage.getItem("tripline.theme");
if (theme === '"light"' || theme === '"dark"') document.documentElement.dataset.theme = JSON.parse(theme);

const token = typed.get() ?? issued.get();
if (token !== null) askEarly(token, location);
