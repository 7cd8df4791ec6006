import { define } from "./define.ts";
import { parseCsv } from "./parse/csv.ts";
import { examples } from "./parse/examples.ts";
import { parseHtml } from "./parse/html.ts";
import { parseIcs } from "./parse/ics.ts";
import { inferParsed } from "./parse/infer.ts";
import { parseJson, parseJsonLines } from "./parse/json.ts";
import { Params } from "./parse/params.ts";
import { selectHtml } from "./parse/select-html.ts";
import { parseXml } from "./parse/xml.ts";
import { anything } from "./schemas.ts";

export const parse = define({
	id: "parse",
	title: "Parse",
	description: `Converts text into a value.

- \`json\`: any JSON, nested at most 64 levels deep.
- \`jsonl\`: JSON lines, one value per line: a list of the values. Blank lines are skipped.
- \`csv\`: a list of objects keyed by column name, or with \`header: false\` a list of lists. Values are text; a value that contains the delimiter, a quote (doubled) or a line break must be quoted. All rows must have the same number of values; empty lines are skipped.
- \`tsv\`: as \`csv\`, with tabs between the values.
- \`xml\`: an object with the root element. An element with neither attributes nor children becomes its text. Any other becomes an object: attributes as \`@name\`, children by name (a list if a name repeats), its own text as \`#text\`. Names keep their prefixes. Document types and custom entities are rejected.
- \`html\`: accepts any text. The result has \`title\`, \`text\` (the visible text, one line per block), \`links\` (\`href\` as written, and \`text\`), \`headings\` (\`level\` and \`text\`) and \`tables\` (rows of cells). Scripts, styles and templates are left out. With \`select\` the result is what was selected.
- \`ics\`: an iCalendar file, as an object with the calendar's \`name\` and its \`events\`. Times are in UTC (\`2026-03-02T08:00:00.000Z\`), beside the event's \`timezone\`; dates (\`2026-03-02\`) if it is \`all_day\`, where \`end\` is the day after the last; without \`Z\` if the file gives no zone or one that is not known. \`organizer\` and \`attendees\` have \`name\` and \`email\`. A repeated event is listed once, with its rule as \`recurrence\` and the times it leaves out as \`excluded\`; an event that replaces one of the repetitions has the time of that as \`recurrence_id\`. Tasks, journals and alarms are left out.

\`select\` has a CSS selector for each name of the result:

- \`title: h1\` gives the text of the first such element, or null if there is none.
- \`{ first: h1 }\` is the same; \`{ all: td.price }\` gives a list, one value for each element.
- Beside \`first\` or \`all\`, \`attribute: href\` gives an attribute as written (null if the element does not have it), \`html: true\` the element as written, and \`fields\` an object of selections inside the element. There, \`:scope\` is the element itself, and \`> td\` a child of it.

The page is read as browsers do, so selectors from a browser's tools work. The text of a \`script\` is its source, such as JSON for \`parse_json\`. Selectors may use types, classes, ids, attributes, the four combinators, commas, and the pseudo-classes \`:is\`, \`:where\`, \`:not\`, \`:has\`, \`:empty\`, \`:root\`, \`:scope\`, \`:first-child\`, \`:last-child\`, \`:only-child\`, \`:nth-child\`, \`:nth-last-child\`, and the same \`-of-type\`.`,
	params: Params,
	output: anything().meta({ description: "The value" }),
	inferOutput: inferParsed,
	examples,
	run(call) {
		const { params, meter } = call;
		const { format, text, delimiter = ",", header = true, select } = params;
		// The whole result is newly allocated.
		meter.recordBytes(Number.POSITIVE_INFINITY);
		switch (format) {
			case "json":
				meter.spendOnText(32 * text.length);
				return parseJson(text);
			case "jsonl":
				return parseJsonLines(text, meter);
			case "csv":
				return parseCsv(text, { delimiter, header }, meter);
			case "tsv":
				return parseCsv(text, { name: "TSV", delimiter: "\t", header }, meter);
			case "xml":
				return parseXml(text, meter);
			case "html":
				return select === undefined ? parseHtml(text, meter) : selectHtml(text, select, meter);
			case "ics":
				return parseIcs(text, call);
		}
	},
});
