interface NextLine {
	readonly text: string;
	/** Replaces the current line instead of following it. */
	readonly isInPlace: boolean;
}

/** How Enter starts the next line; null keeps the default behaviour. */
export function nextLine(line: string, column: number): NextLine | null {
	const before = line.slice(0, column);
	if (line.slice(column).trim() !== "") return null;
	const indent = /^ */.exec(before)?.[0] ?? "";
	const content = before.slice(indent.length);
	if (/^-\s*$/.test(content)) return { text: indent.slice(2), isInPlace: true };
	if (/^- .*>>/.test(content)) return { text: `${indent}- `, isInPlace: false };
	if (/^(?:triplets|flow):\s*$/.test(content)) return { text: `${indent}  - `, isInPlace: false };
	if (/:\s*(?:[|>][-+\d]*)?\s*$/.test(content) && !content.startsWith("#"))
		return { text: `${indent}${content.startsWith("- ") ? "    " : "  "}`, isInPlace: false };
	return null;
}
