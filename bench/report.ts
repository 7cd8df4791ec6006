import { cpus } from "node:os";

export interface Row {
	readonly what: string;
	readonly unit:
		| "µs"
		| "ms"
		| "s"
		| "KB"
		| "MB"
		| "/s"
		| "statements"
		| "steps"
		| "runs"
		| "threads"
		| "modules"
		| "spans"
		| "nDCG";
	readonly floor?: number;
	readonly ours: number;
	readonly ratio?: number;
	/** The maximum for the ratio or for our own value; without one the row is for information. */
	readonly bar?: { readonly on: "ratio" | "ours"; readonly most: number };
}

export interface Section {
	readonly title: string;
	readonly rows: readonly Row[];
}

export function describeMachine(): string {
	const [cpu] = cpus();
	const { node, sqlite } = process.versions;
	return `${cpus().length} x ${cpu?.model ?? "unknown"} (${process.platform} ${process.arch}), Node ${node}, SQLite ${sqlite}`;
}

const isWithinBar = ({ bar, ratio, ours }: Row): boolean | null =>
	bar === undefined ? null : ((bar.on === "ratio" ? ratio : ours) ?? Number.POSITIVE_INFINITY) <= bar.most;

export function countPassed(sections: readonly Section[]): { within: number; barred: number } {
	const verdicts = sections
		.flatMap(({ rows }) => rows.map(isWithinBar))
		.filter((verdict) => verdict !== null);
	return { within: verdicts.filter(Boolean).length, barred: verdicts.length };
}

export function renderTable(sections: readonly Section[]): string {
	const header = ["what", "floor", "ours", "ratio", "bar", "pass"];
	const lines = sections.map(({ title, rows }) => ({ title, cells: rows.map(toCells) }));
	const all = [header, ...lines.flatMap(({ cells }) => cells)];
	const widths = header.map((_, column) => Math.max(...all.map((cells) => (cells[column] as string).length)));
	const line = (cells: readonly string[]) =>
		cells
			.map((cell, column) => {
				const width = widths[column] as number;
				return column === 0 ? cell.padEnd(width) : cell.padStart(width);
			})
			.join("  ")
			.trimEnd();
	const parts = lines.map(({ title, cells }) => [`\n${title}`, ...cells.map(line)].join("\n"));
	return [line(header), ...parts].join("\n");
}

export function renderJson(sections: readonly Section[]): string {
	const shown = sections.map(({ title, rows }) => ({
		title,
		rows: rows.map((row) => ({ ...row, pass: isWithinBar(row) })),
	}));
	return JSON.stringify(
		{ machine: describeMachine(), sections: shown, ...countPassed(sections) },
		null,
		"\t",
	);
}

function toCells(row: Row): string[] {
	const verdict = isWithinBar(row);
	return [
		`  ${row.what}`,
		row.floor === undefined ? "" : formatAmount(row.floor, row.unit),
		formatAmount(row.ours, row.unit),
		row.ratio === undefined ? "" : row.ratio.toFixed(2),
		row.bar === undefined ? "" : describeBar(row.bar, row.unit),
		verdict === null ? "" : verdict ? "yes" : "NO",
	];
}

function describeBar({ on, most }: NonNullable<Row["bar"]>, unit: Row["unit"]): string {
	return on === "ratio" ? `x${most}` : formatAmount(most, unit);
}

function formatAmount(value: number, unit: Row["unit"]): string {
	switch (unit) {
		case "statements":
		case "runs":
		case "threads":
		case "modules":
			return String(value);
		case "/s":
			return `${value.toFixed(0)} /s`;
		case "s":
			return `${value.toFixed(2)} s`;
		case "nDCG":
			return value.toFixed(3);
		default:
			return `${value < 1000 ? value.toFixed(1) : value.toFixed(0)} ${unit}`;
	}
}
