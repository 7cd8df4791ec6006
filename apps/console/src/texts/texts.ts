import { useSyncExternalStore } from "react";
import { stored } from "../stored.ts";

export const LANGUAGES = { en: "English", "zh-Hant": "繁體中文" } as const;
export type Language = keyof typeof LANGUAGES;

/** The same texts in every language. A text with parameters is a function. */
export type Texts<T> = Readonly<Record<Language, T>>;

/** Makes a missing translation a compile error. */
export const texts = <T extends object>(of: { readonly en: T; readonly "zh-Hant": NoInfer<T> }): Texts<T> =>
	of;

const isLanguage = (value: unknown): value is Language => typeof value === "string" && value in LANGUAGES;
const choice = stored<Language | null>("tripline.language", null, (value): value is Language =>
	isLanguage(value),
);

/** All Chinese locales get Traditional Chinese rather than English. */
const getPreferredLanguage = (): Language =>
	navigator.languages[0]?.startsWith("zh") === true ? "zh-Hant" : "en";

export const getLanguage = (): Language => choice.get() ?? getPreferredLanguage();

export function setLanguage(language: Language): void {
	choice.set(language);
	document.documentElement.lang = language;
}

export function useLanguage(): Language {
	return useSyncExternalStore(choice.subscribe, getLanguage);
}

export function useTexts<T>(of: Texts<T>): T {
	return of[useLanguage()];
}
