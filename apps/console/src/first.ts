// Runs before the page is drawn, and before the app has arrived.
import { askEarly } from "./api/early.ts";

// A chosen theme must not flash the other one.
const theme = localStorage.getItem("tripline.theme");
if (theme === '"light"' || theme === '"dark"') document.documentElement.dataset.theme = JSON.parse(theme);

const token = sessionStorage.getItem("tripline.typed_token") ?? localStorage.getItem("tripline.access_token");
if (token !== null) askEarly(JSON.parse(token), location);
