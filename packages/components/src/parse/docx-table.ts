interface Row {
	readonly cells: string[];
}

const MAX_COLUMNS = 200;

/** Collects a table. Its first row becomes the header, which Markdown requires. */
export class DocxTable {
	private readonly rows: Row[] = [];
	private cell: string[] = [];
	private span = 1;
	private isContinued = false;

	beginRow(): void {
		this.rows.push({ cells: [] });
	}

	beginCell(): void {
		this.cell = [];
		this.span = 1;
		this.isContinued = false;
	}

	setSpan(columns: number): void {
		if (Number.isInteger(columns) && columns > 1) this.span = columns;
	}

	/** The cell continues the one above it. */
	continueAbove(): void {
		this.isContinued = true;
	}

	addText(markdown: string): void {
		if (markdown !== "") this.cell.push(markdown);
	}

	endCell(): void {
		const cells = this.rows.at(-1)?.cells;
		if (cells === undefined) return;
		const text = this.isContinued ? "" : this.cell.join("<br>").replaceAll("|", "\\|").replaceAll("\n", " ");
		if (cells.length < MAX_COLUMNS) cells.push(text);
		for (let count = 1; count < this.span && cells.length < MAX_COLUMNS; count++) cells.push("");
	}

	render(): string {
		const [first, ...rest] = this.rows.filter(({ cells }) => cells.length > 0);
		if (first === undefined) return "";
		const width = rest.reduce((most, { cells }) => Math.max(most, cells.length), first.cells.length);
		const header = [...first.cells, ...new Array<string>(width - first.cells.length).fill("")];
		const lines = [header, header.map(() => "---"), ...rest.map(({ cells }) => cells)];
		return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
	}
}
