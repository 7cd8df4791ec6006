import assert from "node:assert/strict";

type Value = string | number | boolean;
type Cell = Value | undefined;

interface FakeSheet {
	readonly sheetId: number;
	readonly title: string;
	/** From A1 on. */
	cells: Cell[][];
	rowCount: number;
	columnCount: number;
	/** Patterns by column. */
	readonly formats: Map<number, string>;
}

interface Answer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

export interface FakeSheets {
	readonly sheets: readonly FakeSheet[];
	/** Method and path of each request. */
	readonly seen: string[];
	/** Instead of answering the next requests: these statuses. */
	readonly failures: number[];
	answer(request: { readonly method: string; readonly url: string; readonly body: string }): Answer;
}

interface Request {
	readonly appendCells?: { sheetId: number; rows: Row[]; fields: string };
	readonly updateCells?: {
		start: { sheetId: number; rowIndex: number; columnIndex: number };
		rows: Row[];
		fields: string;
	};
	readonly appendDimension?: { sheetId: number; dimension: string; length: number };
	readonly deleteDimension?: {
		range: { sheetId: number; dimension: string; startIndex: number; endIndex: number };
	};
	readonly repeatCell?: {
		range: { sheetId: number; startRowIndex: number; startColumnIndex: number; endColumnIndex: number };
		cell: { userEnteredFormat: { numberFormat: { type: string; pattern: string } } };
		fields: string;
	};
}
interface Row {
	readonly values: readonly {
		readonly userEnteredValue?: {
			stringValue?: string;
			numberValue?: number;
			boolValue?: boolean;
			formulaValue?: string;
		};
	}[];
}

/** What the documentation of the Sheets API says about the calls that the component makes. */
export function createFakeSheets(
	id: string,
	contents: Readonly<Record<string, Cell[][]>>,
	size: { readonly rowCount?: number; readonly columnCount?: number } = {},
): FakeSheets {
	const sheets: FakeSheet[] = Object.entries(contents).map(([title, cells], index) => ({
		sheetId: index * 10,
		title,
		cells: cells.map((row) => [...row]),
		rowCount: 1000,
		columnCount: 26,
		formats: new Map(),
		...size,
	}));
	const seen: string[] = [];
	const failures: number[] = [];
	const find = (sheetId: number) => sheets.find((sheet) => sheet.sheetId === sheetId) ?? assert.fail();
	return {
		sheets,
		seen,
		failures,
		answer({ method, url, body }) {
			const { pathname, searchParams } = new URL(url);
			const path = pathname.replace(`/v4/spreadsheets/${id}`, "");
			seen.push(`${method} ${decodeURIComponent(path)}`);
			const failure = failures.shift();
			if (failure !== undefined) return toAnswer({ error: { code: failure } }, failure);
			if (path === pathname) return toAnswer({ error: { code: 404, message: "not found" } }, 404);
			if (method === "GET" && path === "") return toAnswer({ sheets: sheets.map(toProperties) });
			const render = searchParams.get("valueRenderOption") ?? "FORMATTED_VALUE";
			if (method === "GET" && path === "/values:batchGet") {
				const ranges = searchParams.getAll("ranges");
				return toAnswer({ valueRanges: ranges.map((range) => readRange(sheets, range, render)) });
			}
			if (method === "GET" && path.startsWith("/values/")) {
				const range = decodeURIComponent(path.slice("/values/".length));
				return toAnswer(readRange(sheets, range, render));
			}
			assert.equal(`${method} ${path}`, "POST :batchUpdate");
			const { requests } = JSON.parse(body) as { requests: Request[] };
			for (const request of requests) apply(request, find);
			return toAnswer({ spreadsheetId: id, replies: requests.map(() => ({})) });
		},
	};
}

const toAnswer = (value: unknown, status = 200): Answer => ({
	status,
	headers: { "content-type": "application/json; charset=UTF-8" },
	body: JSON.stringify(value),
});

const toProperties = ({ sheetId, title, rowCount, columnCount }: FakeSheet) => ({
	properties: { sheetId, title, sheetType: "GRID", gridProperties: { rowCount, columnCount } },
});

function readRange(sheets: readonly FakeSheet[], range: string, render: string) {
	const [, title = "", from = "", first, to = "", last] =
		/^'((?:[^']|'')*)'!([A-Z]*)(\d+):([A-Z]*)(\d+)$/.exec(range) ?? assert.fail(range);
	const sheet = sheets.find((one) => one.title === title.replaceAll("''", "'")) ?? assert.fail();
	assert.ok(Number(last) <= sheet.rowCount, `${range} exceeds the grid`);
	const rows = sheet.cells
		.slice(Number(first) - 1, Number(last))
		.map((row) => row.slice(toIndex(from, 0), to === "" ? undefined : toIndex(to, 0) + 1));
	const values = trim(
		rows.map((row) => trim(row, (cell) => cell === undefined)),
		(row) => row.length === 0,
	).map((row) =>
		row.map((cell) => (cell === undefined ? "" : render === "FORMATTED_VALUE" ? String(cell) : cell)),
	);
	return { range, majorDimension: "ROWS", ...(values.length > 0 && { values }) };
}

/** Trailing empty rows and cells are omitted. */
function trim<T>(list: readonly T[], isEmpty: (item: T) => boolean): T[] {
	const last = list.findLastIndex((item) => !isEmpty(item));
	return list.slice(0, last + 1);
}

function toIndex(letters: string, fallback: number): number {
	if (letters === "") return fallback;
	return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function apply(request: Request, find: (id: number) => FakeSheet): void {
	const { appendCells, updateCells, appendDimension, deleteDimension, repeatCell } = request;
	assert.equal(Object.keys(request).length, 1);
	if (appendCells !== undefined) {
		assert.equal(appendCells.fields, "userEnteredValue");
		const sheet = find(appendCells.sheetId);
		const last = sheet.cells.findLastIndex((row) => row.some((cell) => cell !== undefined));
		sheet.rowCount = Math.max(sheet.rowCount, last + 1 + appendCells.rows.length);
		write(sheet, last + 1, 0, appendCells.rows);
	}
	if (updateCells !== undefined) {
		assert.equal(updateCells.fields, "userEnteredValue");
		const { sheetId, rowIndex, columnIndex } = updateCells.start;
		write(find(sheetId), rowIndex, columnIndex, updateCells.rows);
	}
	if (appendDimension !== undefined) {
		assert.equal(appendDimension.dimension, "COLUMNS");
		find(appendDimension.sheetId).columnCount += appendDimension.length;
	}
	if (deleteDimension !== undefined) {
		const { sheetId, dimension, startIndex, endIndex } = deleteDimension.range;
		assert.equal(dimension, "ROWS");
		find(sheetId).cells.splice(startIndex, endIndex - startIndex);
	}
	if (repeatCell !== undefined) {
		assert.equal(repeatCell.fields, "userEnteredFormat.numberFormat");
		const { pattern } = repeatCell.cell.userEnteredFormat.numberFormat;
		find(repeatCell.range.sheetId).formats.set(repeatCell.range.startColumnIndex, pattern);
	}
}

function write(sheet: FakeSheet, rowIndex: number, columnIndex: number, rows: readonly Row[]): void {
	for (const [down, { values }] of rows.entries()) {
		assert.ok(rowIndex + down < sheet.rowCount && columnIndex + values.length <= sheet.columnCount);
		while (sheet.cells.length <= rowIndex + down) sheet.cells.push([]);
		const row = sheet.cells[rowIndex + down] ?? [];
		for (const [right, { userEnteredValue = {} }] of values.entries()) {
			const { stringValue, numberValue, boolValue, formulaValue } = userEnteredValue;
			while (row.length < columnIndex + right) row.push(undefined);
			row[columnIndex + right] =
				stringValue ?? numberValue ?? boolValue ?? (formulaValue && `formula ${formulaValue}`);
		}
	}
}
