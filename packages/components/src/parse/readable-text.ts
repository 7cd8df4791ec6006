/** Text as a reader sees it: white space in one piece, none at the ends. */
export interface ReadableText {
	add(text: string): void;
	/** What stands between what was added and what comes; a line break is stronger than a space. */
	separate(by: " " | "\n"): void;
	read(): string;
}

export function readableText(): ReadableText {
	let written = "";
	let gap = "";
	return {
		add(text) {
			const collapsed = text.replace(/\s+/g, " ");
			if (collapsed.startsWith(" ")) this.separate(" ");
			const words = collapsed.trim();
			if (words === "") return;
			written += (written === "" ? "" : gap) + words;
			gap = collapsed.endsWith(" ") ? " " : "";
		},
		separate(by) {
			if (gap !== "\n") gap = by;
		},
		read: () => written,
	};
}
