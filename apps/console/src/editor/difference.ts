/** The one change that makes a text into another; what is alike before and after it stays, and so does a place in it. */
export function differenceOf(before: string, after: string): { from: number; to: number; insert: string } {
	const most = Math.min(before.length, after.length);
	let from = 0;
	while (from < most && before[from] === after[from]) from++;
	let alike = 0;
	while (alike < most - from && before.at(-1 - alike) === after.at(-1 - alike)) alike++;
	return { from, to: before.length - alike, insert: after.slice(from, after.length - alike) };
}
