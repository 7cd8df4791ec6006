export const collapseSpace = (text: string): string => text.replace(/\s+/g, " ");

/** Collects text with white space collapsed and trimmed. A page may need hundreds of thousands of these. */
export class ReadableText {
	private written = "";
	private gap = "";

	add(text: string): void {
		this.addCollapsed(collapseSpace(text));
	}

	addCollapsed(collapsed: string): void {
		if (collapsed.startsWith(" ")) this.separate(" ");
		const words = collapsed.trim();
		if (words === "") return;
		this.written += (this.written === "" ? "" : this.gap) + words;
		this.gap = collapsed.endsWith(" ") ? " " : "";
	}

	/** Sets the separator before the next text; a line break wins over a space. */
	separate(by: " " | "\n"): void {
		if (this.gap !== "\n") this.gap = by;
	}

	read(): string {
		return this.written;
	}
}
