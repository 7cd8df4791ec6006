/** Control characters, invisible characters and those that change the direction of text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu;
/** More combining marks than any script needs would be drawn over the lines around. */
const STACKED_MARKS = /(\p{M}{3})\p{M}+/gu;
/** How much of a text is processed: enough for every limit below. */
const MOST_READ = 4_000;

/** Makes untrusted text safe to display: one line, no invisible characters, cut with an ellipsis. */
export function shownText(text: string, most = 80): string {
	const characters = [...clean(text)];
	if (characters.length <= most) return characters.join("");
	const kept = characters.slice(0, most - 1).join("");
	return `${kept.trimEnd()}…`;
}

/** A host is cut at its beginning, because its end identifies the owner. */
export function shownHost(host: string, most = 80): string {
	const characters = [...clean(host.slice(-MOST_READ))];
	return characters.length <= most ? characters.join("") : `…${characters.slice(1 - most).join("")}`;
}

const clean = (text: string): string =>
	text
		.slice(0, MOST_READ)
		.replaceAll(UNSEEN, " ")
		.replaceAll(STACKED_MARKS, "$1")
		.replaceAll(/\s+/g, " ")
		.trim();

/** Formats a number of days in the largest unit of which there is at least one. */
export function shownTime(days: number): string {
	const units = [
		["day", days],
		["hour", days * 24],
		["minute", days * 1440],
	] as const;
	const [unit, amount] = units.find(([, count]) => count >= 1) ?? ["minute", 1];
	const rounded = Math.round(amount * 10) / 10;
	return `${rounded} ${unit}${rounded === 1 ? "" : "s"}`;
}
