/** Control characters, invisible characters and those that change the direction of text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu;
/** More combining marks than any script needs would be drawn over the lines around. */
const STACKED_MARKS = /(\p{M}{3})\p{M}+/gu;
/** How much of a text is processed: enough for every limit below. */
const MAX_INPUT_LENGTH = 4_000;

/** Makes untrusted text safe to display: one line, no invisible characters, cut with an ellipsis. */
export function formatText(text: string, most = 80): string {
	const characters = [...cleanText(text)];
	if (characters.length <= most) return characters.join("");
	const kept = characters.slice(0, most - 1).join("");
	return `${kept.trimEnd()}…`;
}

/** A host is cut at its beginning, because its end identifies the owner. */
export function formatHost(host: string, most = 80): string {
	const characters = [...cleanText(host.slice(-MAX_INPUT_LENGTH))];
	return characters.length <= most ? characters.join("") : `…${characters.slice(1 - most).join("")}`;
}

const cleanText = (text: string): string =>
	text
		.slice(0, MAX_INPUT_LENGTH)
		.replaceAll(INVISIBLE, " ")
		.replaceAll(STACKED_MARKS, "$1")
		.replaceAll(/\s+/g, " ")
		.trim();

/** Formats a number of days in the largest unit of which there is at least one. */
export function formatDuration(days: number): string {
	const units = [
		["day", days],
		["hour", days * 24],
		["minute", days * 1440],
	] as const;
	const [unit, amount] = units.find(([, count]) => count >= 1) ?? ["minute", 1];
	const rounded = Math.round(amount * 10) / 10;
	return `${rounded} ${unit}${rounded === 1 ? "" : "s"}`;
}
