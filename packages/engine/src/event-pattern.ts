const MAX_PATTERN_LENGTH = 128;
const WORD = /^[^\s.*\p{Cc}]+$/u;

/** Why a text is not an event pattern (dotted words, `*` only as a whole word); null if it is one. */
export function findEventPatternProblem(pattern: string): string | null {
	if (pattern === "") return "must not be empty";
	if ([...pattern].length > MAX_PATTERN_LENGTH) return `must be at most ${MAX_PATTERN_LENGTH} characters`;
	const words = pattern.split(".");
	if (words.every((word) => word === "*" || WORD.test(word))) return null;
	return "must be words joined by dots, such as order.paid or order.*";
}

/** `*` matches one word; at the end it matches one or more. */
export function isEventMatch(pattern: string, type: string): boolean {
	const wanted = pattern.split(".");
	const given = type.split(".");
	const open = wanted.at(-1) === "*";
	if (open ? given.length < wanted.length : given.length !== wanted.length) return false;
	return wanted.every((word, index) => word === "*" || word === given[index]);
}
