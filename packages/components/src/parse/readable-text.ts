/** Text as a reader sees it: white space in one piece, none at the ends. A page may have hundreds of thousands. */
export class ReadableText {
	private written = "";
	private gap = "";

	add(text: string): void {
		const collapsed = text.replace(/\s+/g, " ");
		if (collapsed.startsWith(" ")) this.separate(" ");
		const words = collapsed.trim();
		if (words === "") return;
		this.written += (this.written === "" ? "" : this.gap) + words;
		this.gap = collapsed.endsWith(" ") ? " " : "";
	}

	/** What stands between what was added and what comes; a line break is stronger than a space. */
	separate(by: " " | "\n"): void {
		if (this.gap !== "\n") this.gap = by;
	}

	read(): string {
		return this.written;
	}
}
