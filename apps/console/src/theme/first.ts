// Before the page is drawn: a chosen theme must not flash the other one.
const theme = localStorage.getItem("tripline.theme");
if (theme === '"light"' || theme === '"dark"') document.documentElement.dataset.theme = JSON.parse(theme);
