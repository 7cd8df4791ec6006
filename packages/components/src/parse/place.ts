/** Describes a position for messages: `line 3, column 7`, both from 1. */
export function describePosition(text: string, offset: number): string {
	let line = 1;
	let start = 0;
	for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
		line++;
		start = at + 1;
	}
	return `line ${line}, column ${offset - start + 1}`;
}
