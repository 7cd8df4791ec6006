import type { Json } from "@tripline/contract/json";
import type { NodeCall } from "@tripline/engine/component";
import { readStep } from "@tripline/engine/expressions/path";
import { didYouMean } from "@tripline/engine/nearest";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Effects } from "../effects.ts";
import { readBody } from "../http-request/answer.ts";
import { sendWithRetries } from "../http-request/attempts.ts";
import { toUnexpectedStatusError } from "../http-request/status.ts";
import type { OutboundCall } from "../outbound/call.ts";
import { createCredentialError } from "../recipes/credential-error.ts";
import { formatRange } from "./ranges.ts";

export const HOST = "sheets.googleapis.com";
export const AUTH_RECIPES = ["google_oauth", "google_service_account"] as const;

const MAX_ATTEMPTS = 3;
/** Of one call that reads cells: they take many times the memory of their text. */
const MAX_CELLS = 100_000;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** A sheet of a spreadsheet; indexes and counts as Google has them, from 0. */
export interface Sheet {
	readonly id: number;
	readonly title: string;
	readonly rowCount: number;
	readonly columnCount: number;
}

interface Columns {
	readonly first: number;
	readonly last: number;
}

export interface Spreadsheet {
	/** The sheet of that title, or the first one. */
	findSheet(title: string | undefined): Promise<Sheet>;
	/** The cells of a row as they are shown. */
	readRow(sheet: Sheet, row: number): Promise<Json[]>;
	/** The rows from `start` on, some at a time, each with the cells of the columns. Trailing empty cells are missing. */
	readRows(
		sheet: Sheet,
		start: number,
		columns: readonly Columns[],
	): AsyncGenerator<{ readonly start: number; readonly rows: readonly Json[][] }>;
	/** All changes or none. */
	change(requests: readonly Json[]): Promise<void>;
}

export function openSpreadsheet(node: NodeCall<Effects>, id: string): Spreadsheet {
	const { credential } = node.node;
	if (credential === undefined) throw createCredentialError(AUTH_RECIPES);
	const base = `https://${HOST}/v4/spreadsheets/${encodeURIComponent(id)}`;

	const send = async (call: Pick<OutboundCall, "method" | "query" | "body">, path: string): Promise<Json> => {
		const answer = await sendWithRetries(
			node,
			{
				...call,
				url: base + path,
				credential,
				authRecipes: AUTH_RECIPES,
				hosts: [HOST],
				maxBytes: MAX_ANSWER_BYTES,
			},
			{
				max: MAX_ATTEMPTS,
				isRepeatable: call.method === "GET",
				isTemporary: (status) => status === 429 || status === 503,
			},
		);
		if (answer.status !== 200) throw toUnexpectedStatusError(answer);
		return readBody(answer, "json");
	};

	return {
		async findSheet(title) {
			const fields = "sheets.properties(sheetId,title,sheetType,gridProperties(rowCount,columnCount))";
			const sheets = listSheets(await send({ method: "GET", query: { fields } }, ""));
			const found = title === undefined ? sheets[0] : sheets.find((sheet) => sheet.title === title);
			if (found !== undefined) return found;
			if (title === undefined) throw new TerminalError("the spreadsheet has no sheet with cells");
			const titles = sheets.map((sheet) => sheet.title);
			throw new TerminalError(
				`the spreadsheet has no sheet ${JSON.stringify(title)}. ${didYouMean(title, titles) ?? `It has ${titles.slice(0, 10).join(", ")}`}`,
			);
		},
		async readRow(sheet, row) {
			const range = formatRange(sheet.title, { row, endRow: row });
			const query = { valueRenderOption: "FORMATTED_VALUE" };
			const answer = await send({ method: "GET", query }, `/values/${encodeURIComponent(range)}`);
			return toRows(readStep(answer, "values"))[0] ?? [];
		},
		async *readRows(sheet, start, columns) {
			const width = columns.reduce((sum, { first, last }) => sum + last - first + 1, 0);
			const step = Math.max(1, Math.floor(MAX_CELLS / Math.max(1, width)));
			for (let row = start; row < sheet.rowCount; row += step) {
				const endRow = Math.min(row + step, sheet.rowCount) - 1;
				const ranges = columns.map((column) => formatRange(sheet.title, { row, endRow, ...column }));
				const query = {
					ranges,
					valueRenderOption: "UNFORMATTED_VALUE",
					dateTimeRenderOption: "FORMATTED_STRING",
				};
				const answer = await send({ method: "GET", query }, "/values:batchGet");
				const found = columns.map((_, nth) =>
					toRows(readStep(readStep(readStep(answer, "valueRanges"), nth), "values")),
				);
				await node.turn();
				yield { start: row, rows: joinColumns(found, columns) };
			}
		},
		async change(requests) {
			if (requests.length === 0) return;
			const value = { requests: [...requests], includeSpreadsheetInResponse: false };
			await send({ method: "POST", body: { kind: "json", value } }, ":batchUpdate");
		},
	};
}

function listSheets(answer: Json): Sheet[] {
	const sheets = readStep(answer, "sheets");
	return (Array.isArray(sheets) ? sheets : []).flatMap((sheet) => {
		const properties = readStep(sheet, "properties");
		const grid = readStep(properties, "gridProperties");
		// Charts and connected data sources have no cells of their own.
		if ((readStep(properties, "sheetType") ?? "GRID") !== "GRID") return [];
		return [
			{
				id: Number(readStep(properties, "sheetId") ?? 0),
				title: String(readStep(properties, "title") ?? ""),
				rowCount: Number(readStep(grid, "rowCount") ?? 0),
				columnCount: Number(readStep(grid, "columnCount") ?? 0),
			},
		];
	});
}

const toRows = (values: Json | undefined): Json[][] =>
	Array.isArray(values) ? values.map((row) => (Array.isArray(row) ? row : [])) : [];

/** One row for the cells of several ranges; those of the first range first. */
function joinColumns(found: readonly Json[][][], columns: readonly Columns[]): Json[][] {
	const [only = []] = found;
	if (found.length === 1) return only;
	const count = Math.max(0, ...found.map((rows) => rows.length));
	return Array.from({ length: count }, (_, at) =>
		columns.flatMap(({ first, last }, nth) =>
			Array.from({ length: last - first + 1 }, (_, cell) => found[nth]?.[at]?.[cell] ?? ""),
		),
	);
}
