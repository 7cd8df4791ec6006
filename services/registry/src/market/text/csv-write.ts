import { choice, flag, list, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { params } from "../schema.ts";

export const csvWrite = code({
	id: "csv_write",
	title: "Write CSV",
	description: `Makes CSV text of a list of objects or a list of lists, by RFC 4180, so that \`parse\` and every spreadsheet reads it back.

Objects give one column for each name, in the order in which the names first come, or only those in \`columns\`. Missing values and null are empty, objects and lists are JSON.

Values that begin with \`=\`, \`+\`, \`-\` or \`@\` are run as formulas by spreadsheets. Where the rows come from strangers set \`safe_for_spreadsheets\`: such texts get an apostrophe in front.`,
	tags: ["csv", "table", "export"],
	params: params(
		{
			rows: list({}, "Objects only, or lists only", { maxItems: 50_000 }),
			columns: list({ type: "string" }, "Names of the columns, in order; of lists only for the first line", {
				minItems: 1,
				maxItems: 1_000,
			}),
			delimiter: text("What stands between values: one character", {
				default: ",",
				minLength: 1,
				maxLength: 1,
			}),
			header: flag("Whether the first line has the columns' names", { default: true }),
			line_end: choice(["crlf", "lf"], "How lines end", { default: "crlf" }),
			safe_for_spreadsheets: flag("Keep texts from being run as formulas", { default: false }),
		},
		["rows"],
	),
	output: text("The CSV"),
	code: String.raw`
const { rows, delimiter } = input;
if (/["\r\n]/.test(delimiter)) throw new Error("delimiter must not be a quote or a line break");
const areLists = rows.every(Array.isArray);
const isObject = (row) => row !== null && typeof row === "object" && !Array.isArray(row);
if (!areLists && !rows.every(isObject)) {
	throw new Error("rows must all be objects, or all lists");
}
const columns = input.columns ?? (areLists ? null : [...new Set(rows.flatMap(Object.keys))]);
const lines = areLists ? rows : rows.map((row) => columns.map((name) => (Object.hasOwn(row, name) ? row[name] : null)));
const hasHeader = input.header && columns !== null && columns.length > 0;
const lineEnd = input.line_end === "crlf" ? "\r\n" : "\n";
return (hasHeader ? [columns, ...lines] : lines).map((line) => line.map(field).join(delimiter) + lineEnd).join("");

function field(value, place, line) {
	const text = asText(value);
	// A line without a character is no row to most readers.
	const mustQuote =
		(text === "" && line.length === 1) ||
		text.includes(delimiter) ||
		/["\r\n]|^[\s\uFEFF]|\s$/.test(text);
	return mustQuote ? '"' + text.replaceAll('"', '""') + '"' : text;
}

function asText(value) {
	if (value === null || value === undefined) return "";
	if (typeof value === "object") return JSON.stringify(value);
	if (typeof value !== "string") return String(value);
	return input.safe_for_spreadsheets && /^[=+\-@\t\r]/.test(value) ? "'" + value : value;
}
`,
	examples: [
		{
			title: "Objects, with quotes where they are needed",
			params: {
				rows: [
					{ name: "Ada", note: 'said "hi", left' },
					{ name: "Alan", total: 3.5 },
				],
			},
			output: 'name,note,total\r\nAda,"said ""hi"", left",\r\nAlan,,3.5\r\n',
		},
		{
			title: "Chosen columns for a German spreadsheet",
			params: {
				rows: [{ id: 1, price: "3,50", secret: "x" }],
				columns: ["price", "id"],
				delimiter: ";",
				line_end: "lf",
			},
			output: "price;id\n3,50;1\n",
		},
		{
			title: "What strangers wrote",
			params: { rows: [["=1+1", -5]], safe_for_spreadsheets: true },
			output: "'=1+1,-5\r\n",
		},
		{
			title: "Lists and objects do not go together",
			params: { rows: [[1], { a: 1 }] },
			error: "rows must all be objects, or all lists",
		},
	],
});
