/** Control characters and what changes the direction of text or cannot be seen: none of it belongs in a name. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu;
/** More marks than any script stacks on a letter would be drawn over the lines around. */
const STACKED_MARKS = /(\p{M}{3})\p{M}+/gu;
/** Of a text, what is looked at: enough for every limit below. */
const MOST_READ = 4_000;

/** A text of somebody else's as it may be shown: one line, nothing unseen in it, visibly cut. */
export function shownText(text: string, most = 80): string {
	const characters = [...clean(text)];
	if (characters.length <= most) return characters.join("");
	const kept = characters.slice(0, most - 1).join("");
	return `${kept.trimEnd()}…`;
}

/** A host is cut at its beginning, because its end says whose it is. */
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

/** Of a number of days, in the largest unit of which there is at least one. */
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
