/**
 * The single change that turns one text into another. Equal text before and after it is kept, and with it the cursor
 * position.
 */
export function findDifference(before: string, after: string): { from: number; to: number; insert: string } {
	const maxLength = Math.min(before.length, after.length);
	let from = 0;
	while (from < maxLength && before[from] === after[from]) from++;
	let alike = 0;
	while (alike < maxLength - from && before.at(-1 - alike) === after.at(-1 - alike)) alike++;
	return { from, to: before.length - alike, insert: after.slice(from, after.length - alike) };
}
