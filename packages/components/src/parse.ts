import { define } from "./define.ts";
import { examples } from "./parse/examples.ts";
import { inferParsed } from "./parse/infer.ts";
import { MAX_OUTPUT_BYTES } from "./parse/output-room.ts";
import { Params } from "./parse/params.ts";
import { parseFile } from "./parse/parse-file.ts";
import { parseWhole, type TextFormat } from "./parse/parse-text.ts";
import { anything } from "./schemas.ts";

export const parse = define({
	id: "parse",
	title: "Parse",
	description: `Converts text or a file into a value. Give either \`text\` with its \`format\`, or \`file\`; the format of a file is known by its name's suffix or its type, unless \`format\` is set.

- \`json\`: any JSON, nested at most 64 levels deep.
- \`jsonl\`: JSON lines, one value per line: a list of the values. Blank lines are skipped.
- \`csv\`: a list of objects keyed by column name, or with \`header: false\` a list of lists. Values are text; a value that contains the delimiter, a quote (doubled) or a line break must be quoted. All rows must have the same number of values; empty lines are skipped.
- \`tsv\`: as \`csv\`, with tabs between the values.
- \`xml\`: an object with the root element. An element with neither attributes nor children becomes its text. Any other becomes an object: attributes as \`@name\`, children by name (a list if a name repeats), its own text as \`#text\`. Names keep their prefixes. Document types and custom entities are rejected.
- \`html\`: accepts any text. The result has \`title\`, \`text\` (the visible text, one line per block), \`links\` (\`href\` as written, and \`text\`), \`headings\` (\`level\` and \`text\`) and \`tables\` (rows of cells). Scripts, styles and templates are left out. With \`select\` the result is what was selected.
- \`ics\`: an iCalendar file, as an object with the calendar's \`name\` and its \`events\`. Times are in UTC (\`2026-03-02T08:00:00.000Z\`), beside the event's \`timezone\`; dates (\`2026-03-02\`) if it is \`all_day\`, where \`end\` is the day after the last; without \`Z\` if the file gives no zone or one that is not known. \`organizer\` and \`attendees\` have \`name\` and \`email\`. A repeated event is listed once, with its rule as \`recurrence\` and the times it leaves out as \`excluded\`; an event that replaces one of the repetitions has the time of that as \`recurrence_id\`. Tasks, journals and alarms are left out.

From files only:

- \`xlsx\`: the rows of a sheet, as \`csv\` gives them: objects keyed by the first row, or lists with \`header: false\`. Cells are numbers, true or false, text, or null. A date is text without a zone, by the cell's number format: \`2026-03-02\`, \`2026-03-02T08:30:00\`, \`08:30:00\`; a duration is \`36:05:00\`. A formula has its saved result, an error is text such as \`#N/A\`, and of merged cells the first has the value. Rows without values are skipped; a value in a column without a name gets the column's letter as its name. \`sheet\` and \`range\` choose what is read.
- \`docx\`: a document's \`title\` and its \`text\` as Markdown: headings, lists, tables, links, bold and italic, footnotes. Changes are accepted as tracked: inserted text is kept, deleted text is not. \`[image]\` stands for an image.
- \`pdf\`: \`pages\`, each with its \`number\` and \`text\`, beside \`page_count\`, \`title\`, \`author\`, \`subject\`, \`created\` and \`modified\`. At most 500 pages at a time; \`pages\` chooses them. A scanned page has no text.
- \`zip\`: a list of the entries, each with \`path\`, \`size\`, \`compressed_size\`, \`modified\` and \`folder\`. With \`extract\` only those that match, each with a new file as \`file\`: at most 100 files of 100 MiB together. The file's name has no folders.

A file may have 100 MiB (\`csv\`, \`tsv\`, \`jsonl\`, \`zip\`), 32 MiB (\`xlsx\`, \`docx\`, \`pdf\`; \`pdf\` on Workers 5 MiB) or 4 MiB (the others). The output may have 16 MiB as JSON and about 48 MiB in memory; \`offset\` and \`limit\` choose rows, and what follows the last of them is not read. Text in a file is decoded by its byte order mark, else by \`encoding\`, else by the charset of its type, else as UTF-8.

\`select\` has a CSS selector for each name of the result:

- \`title: h1\` gives the text of the first such element, or null if there is none.
- \`{ first: h1 }\` is the same; \`{ all: td.price }\` gives a list, one value for each element.
- Beside \`first\` or \`all\`, \`attribute: href\` gives an attribute as written (null if the element does not have it), \`html: true\` the element as written, and \`fields\` an object of selections inside the element. There, \`:scope\` is the element itself, and \`> td\` a child of it.

The page is read as browsers do, so selectors from a browser's tools work. The text of a \`script\` is its source, such as JSON for \`parse_json\`. Selectors may use types, classes, ids, attributes, the four combinators, commas, and the pseudo-classes \`:is\`, \`:where\`, \`:not\`, \`:has\`, \`:empty\`, \`:root\`, \`:scope\`, \`:first-child\`, \`:last-child\`, \`:only-child\`, \`:nth-child\`, \`:nth-last-child\`, and the same \`-of-type\`.`,
	params: Params,
	output: anything().meta({ description: "The value" }),
	inferOutput: inferParsed,
	examples,
	maxOutputBytes: MAX_OUTPUT_BYTES,
	run(call) {
		const { format, text, file } = call.params;
		// The whole result is newly allocated.
		call.meter.recordBytes(Number.POSITIVE_INFINITY);
		if (file !== undefined) return parseFile(file, call);
		// The schema requires both.
		return parseWhole(format as TextFormat, text as string, call);
	},
});
