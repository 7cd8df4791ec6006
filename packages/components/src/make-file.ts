import { fromBase64 } from "@tripline/contract/bytes";
import { toFileName } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import type { NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import { define } from "./define.ts";
import type { Effects } from "./effects.ts";
import { fileOutput } from "./file-schemas.ts";
import { writeCsv } from "./make-file/csv.ts";
import { cutText, encodeInTurns } from "./make-file/encode.ts";
import { examples } from "./make-file/examples.ts";
import { CONTENT, type Format, findFormat, findType } from "./make-file/formats.ts";
import { writeJson, writeJsonLines } from "./make-file/json.ts";
import { Params } from "./make-file/params.ts";
import { readTable } from "./make-file/rows.ts";
import { writeXlsx } from "./make-file/xlsx.ts";
import { zipFiles } from "./make-file/zip-files.ts";

type Call = NodeCall<Effects> & { readonly params: Params };

export const makeFile = define({
	id: "make_file",
	title: "Make a file",
	description: `Makes a file and returns it. The format follows from the content and from the suffix of the name.

- \`text\`, \`html\`: \`text\` as UTF-8.
- \`json\`: \`data\`, any value. \`jsonl\`: each of the \`rows\` as JSON on a line of its own.
- \`csv\`, \`tsv\`: \`rows\`, a list of objects or of lists. Null is empty; objects and lists become JSON. Text that a spreadsheet would evaluate (it starts with \`=\`, \`+\`, \`-\`, \`@\`, a tab or a line break, and is not a number) gets a leading apostrophe, unless \`formulas\` is true.
- \`xlsx\`: a workbook with one sheet of \`rows\`, or with several \`sheets\`. Numbers, true and false keep their types, and text is always text, never a formula. A column with \`type: date\` or \`datetime\` converts ISO 8601 text and Unix seconds to dates, one with \`type: number\` text to numbers; any other value fails. Null and empty text are empty cells. The first row is bold and stays in view.
- \`zip\`: \`files\`. A file is named as it is, with a number added if that name is taken, or by its \`path\`, which may have folders.
- \`base64\`: the decoded bytes.

The columns are \`columns\`, or all fields of all rows in the order in which they first appear. Tables have at most 1,000,000 cells; a sheet has at most 1,048,576 rows, and a cell of it 32,767 characters.`,
	params: Params,
	output: fileOutput(),
	examples,
	async run(call) {
		const { params, effects } = call;
		const content = CONTENT.find((name) => params[name] !== undefined);
		const format = params.format ?? findFormat(params.name, content);
		if (format === undefined) throw new TerminalError("the format is not known; set format");
		const name = toFileName(params.name);
		const type = params.type ?? findType(format, name);
		return effects.files.create({ name, type }, await write(format, call), call);
	},
});

async function write(format: Format, call: Call): Promise<AsyncIterable<Uint8Array>> {
	const { params, meter, effects } = call;
	const { text = "", rows = [], data = null, files = [] } = params;
	switch (format) {
		case "text":
		case "html":
			return encodeInTurns(cutText(text), call);
		case "json":
			return encodeInTurns(writeJson(data, params.indent ?? 0, meter), call);
		case "jsonl":
			return encodeInTurns(writeJsonLines(rows, meter), call);
		case "csv":
		case "tsv":
			return writeTable(format === "tsv" ? "\t" : (params.delimiter ?? ","), rows, call);
		case "xlsx":
			return writeWorkbook(call);
		case "zip":
			return zipFiles(files, { compress: params.compress, time: effects.clock.now() }, call);
		case "base64":
			return decode(params.base64 ?? "", call);
	}
}

async function writeTable(
	delimiter: string,
	rows: readonly Json[],
	call: Call,
): Promise<AsyncIterable<Uint8Array>> {
	const { columns, header, formulas = false, bom = false } = call.params;
	const table = await readTable({ rows, columns, header, place: "" }, call);
	return encodeInTurns(writeCsv(table, { delimiter, formulas, bom }, call.meter), call);
}

async function writeWorkbook(call: Call): Promise<AsyncIterable<Uint8Array>> {
	const { rows = [], sheets, columns, header, timezone = "UTC" } = call.params;
	const given = sheets?.map((sheet, index) => ({ ...sheet, place: `sheets[${index}].` })) ?? [
		{ name: "Sheet1", rows, columns, place: "" },
	];
	const tables = [];
	for (const { name, place, ...sheet } of given)
		tables.push({
			name,
			place,
			table: await readTable({ ...sheet, columns: sheet.columns, header, place }, call),
		});
	return writeXlsx(tables, { timezone, time: call.effects.clock.now() }, call);
}

async function* decode(base64: string, { meter }: Call): AsyncGenerator<Uint8Array> {
	meter.spend(base64.length / 2);
	const bytes = fromBase64(base64.replace(/\s/g, ""));
	if (bytes === null) throw new TerminalError("base64 is not valid base64");
	yield bytes;
}
