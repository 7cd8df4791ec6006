import { LIMITS, type Measured } from "./measure.ts";

export interface FamilyResult {
	readonly family: string;
	readonly results: readonly Measured[];
}

export interface Outcome {
	readonly families: readonly FamilyResult[];
	/** Megabytes before the first case, and what remained above that after the last. */
	readonly idle: number;
	readonly left: number;
	readonly seconds: number;
}

const findMax = (results: readonly Measured[], of: (result: Measured) => number): Measured | undefined =>
	results.reduce<Measured | undefined>(
		(best, one) => (best === undefined || of(one) > of(best) ? one : best),
		undefined,
	);

/** One line per family, then each case that exceeds a limit, worst first. */
export function renderTable({ families, idle, left, seconds }: Outcome): string {
	const rows = families.map(({ family, results }) => {
		const slowest = findMax(results, ({ longestTurn }) => longestTurn);
		const largest = findMax(results, ({ memory }) => memory);
		return [
			family,
			String(results.length),
			String(results.filter(({ problems }) => problems.length > 0).length),
			`${Math.round(slowest?.longestTurn ?? 0)}`,
			slowest?.name ?? "",
			`${Math.round(largest?.memory ?? 0)}`,
			largest?.name ?? "",
		];
	});
	const broken = listOffenders(families);
	return [
		alignColumns([["family", "cases", "over", "turn ms", "slowest", "MB", "largest"], ...rows]),
		"",
		...broken.flatMap(({ family, result }) => [
			`${family}: ${result.name}: ${result.problems.join("; ")}`,
			...result.hot.map((line) => `    ${line}`),
		]),
		...(broken.length === 0 ? [] : [""]),
		`${count(families)} cases in ${Math.round(seconds)} s, ${broken.length} over a limit (${LIMITS.turnMs} ms of CPU time in one turn, ${LIMITS.memoryMb} MB above idle)`,
		`idle ${Math.round(idle)} MB, ${Math.round(left)} MB more at the end`,
	].join("\n");
}

export const renderJson = (outcome: Outcome): string =>
	JSON.stringify({ bars: LIMITS, ...outcome }, null, "\t");

export const listOffenders = (families: readonly FamilyResult[]): { family: string; result: Measured }[] =>
	families
		.flatMap(({ family, results }) => results.map((result) => ({ family, result })))
		.filter(({ result }) => result.problems.length > 0)
		.sort((one, other) => other.result.longestTurn - one.result.longestTurn);

const count = (families: readonly FamilyResult[]): number =>
	families.reduce((sum, { results }) => sum + results.length, 0);

function alignColumns(rows: readonly (readonly string[])[]): string {
	const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
	return rows
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join("  ")
				.trimEnd(),
		)
		.join("\n");
}
