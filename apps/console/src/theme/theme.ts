import { useSyncExternalStore } from "react";
import { stored } from "../stored.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const choice = stored<Theme>("tripline.theme", "system", (value): value is Theme =>
	THEMES.includes(value as Theme),
);

export function useTheme(): Theme {
	return useSyncExternalStore(choice.subscribe, choice.get);
}

export function setTheme(theme: Theme): void {
	choice.set(theme);
	if (theme === "system") delete document.documentElement.dataset.theme;
	else document.documentElement.dataset.theme = theme;
	for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();
const preference = matchMedia("(prefers-color-scheme: dark)");

/** Whether the page is dark, by setting or system preference. For drawing on a canvas. */
export function useIsDark(): boolean {
	return useSyncExternalStore(
		(listener) => {
			listeners.add(listener);
			preference.addEventListener("change", listener);
			return () => {
				listeners.delete(listener);
				preference.removeEventListener("change", listener);
			};
		},
		() => (document.documentElement.dataset.theme ?? (preference.matches ? "dark" : "light")) === "dark",
	);
}
