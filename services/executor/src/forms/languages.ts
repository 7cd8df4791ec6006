export type Language = "en" | "zh-Hant";

/** More languages than anyone lists. */
const MAX_RANGES = 32;

/** The language of a page by the header Accept-Language. All Chinese locales get Traditional Chinese. */
export function chooseLanguage(header: string | null): Language {
	let best: Language = "en";
	let bestQuality = 0;
	for (const range of (header ?? "").slice(0, 1_000).split(",", MAX_RANGES)) {
		const [tag = "", ...parameters] = range.trim().toLowerCase().split(";");
		const language = /^zh\b/.test(tag) ? "zh-Hant" : /^en\b/.test(tag) ? "en" : null;
		const quality = readQuality(parameters);
		if (language === null || quality <= bestQuality) continue;
		best = language;
		bestQuality = quality;
	}
	return best;
}

function readQuality(parameters: readonly string[]): number {
	const found = parameters
		.map((each) => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/.exec(each)?.[1])
		.find(Boolean);
	return found === undefined ? 1 : Number(found);
}
