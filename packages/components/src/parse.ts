import type { Json } from "@tripline/contract/json";
import { ANY, ANY_OBJECT, listOf, NUMBER, objectOf, TEXT, type Type } from "@tripline/engine/types/type";
import * as z from "zod";
import { define } from "./define.ts";
import { parseCsv } from "./parse/csv.ts";
import { parseHtml } from "./parse/html.ts";
import { parseJson } from "./parse/json.ts";
import { parseXml } from "./parse/xml.ts";
import { anything } from "./schemas.ts";

const MAX_CHARACTERS = 4 * 1024 * 1024;

const Params = z
	.strictObject({
		format: z.enum(["json", "csv", "xml", "html"]).meta({ description: "Format of the text" }),
		text: z
			.string()
			.max(MAX_CHARACTERS, `must be at most ${MAX_CHARACTERS} characters`)
			.meta({ description: "The text" }),
		delimiter: z
			.string()
			.regex(/^[^"\r\n]$/, "must be one character, and not a quote or a line break")
			.optional()
			.meta({ description: "csv: separator between values; default a comma" }),
		header: z
			.boolean()
			.optional()
			.meta({ description: "csv: whether the first row holds the column names; default true" }),
	})
	.superRefine(({ format, ...given }, context) => {
		for (const name of ["delimiter", "header"] as const) {
			if (format === "csv" || given[name] === undefined) continue;
			context.addIssue({ code: "custom", path: [name], message: `is not used by ${format}; leave it out` });
		}
	});

const HTML_PAGE = objectOf({
	title: TEXT,
	text: TEXT,
	links: listOf(objectOf({ href: TEXT, text: TEXT })),
	headings: listOf(objectOf({ level: NUMBER, text: TEXT })),
	tables: listOf(listOf(listOf(TEXT))),
});

function inferParsed(format: Json | undefined, header: Json | undefined): Type {
	if (format === "html") return HTML_PAGE;
	if (format === "xml") return ANY_OBJECT;
	if (format !== "csv") return ANY;
	const row: Type = { kind: "object", fields: new Map(), others: TEXT };
	return listOf(header === false ? listOf(TEXT) : header === true ? row : ANY);
}

export const parse = define({
	id: "parse",
	title: "Parse",
	description: `Converts text into a value.

- \`json\`: any JSON, nested at most 64 levels deep.
- \`csv\`: a list of objects keyed by column name, or with \`header: false\` a list of lists. Values are text; a value that contains the delimiter, a quote (doubled) or a line break must be quoted. All rows must have the same number of values; empty lines are skipped.
- \`xml\`: an object with the root element. An element with neither attributes nor children becomes its text. Any other becomes an object: attributes as \`@name\`, children by name (a list if a name repeats), its own text as \`#text\`. Names keep their prefixes. Document types and custom entities are rejected.
- \`html\`: accepts any text. The result has \`title\`, \`text\` (the visible text, one line per block), \`links\` (\`href\` as written, and \`text\`), \`headings\` (\`level\` and \`text\`) and \`tables\` (rows of cells). Scripts, styles and templates are left out.`,
	params: Params,
	output: anything().meta({ description: "The value" }),
	inferOutput: ({ constant, has }) =>
		inferParsed(constant("format"), has("header") ? constant("header") : true),
	examples: [
		{
			title: "JSON",
			input: { body: '{"paid": true, "items": [1, 2]}' },
			params: { format: "json", text: "{{input.body}}" },
			output: { paid: true, items: [1, 2] },
		},
		{
			title: "CSV",
			params: { format: "csv", text: 'name,note\r\nAda,"first, and\nforemost"\r\n' },
			output: [{ name: "Ada", note: "first, and\nforemost" }],
		},
		{
			title: "CSV with another delimiter and no header",
			params: { format: "csv", text: "1;2\n3;4", delimiter: ";", header: false },
			output: [
				["1", "2"],
				["3", "4"],
			],
		},
		{
			title: "XML",
			params: {
				format: "xml",
				text: '<order id="7"><item>tea</item><item n="2">cup</item><note>a &amp; b</note></order>',
			},
			output: { order: { "@id": "7", item: ["tea", { "@n": "2", "#text": "cup" }], note: "a & b" } },
		},
		{
			title: "HTML",
			params: {
				format: "html",
				text: "<title>Shop</title><h1>Tea</h1><p>Buy <a href='/green'>green tea</a>.<table><tr><td>Cup<td>3 &euro;</table>",
			},
			output: {
				title: "Shop",
				text: "Tea\nBuy green tea.\nCup 3 €",
				links: [{ href: "/green", text: "green tea" }],
				headings: [{ level: 1, text: "Tea" }],
				tables: [[["Cup", "3 €"]]],
			},
		},
		{
			title: "A row that is too short",
			params: { format: "csv", text: "a,b\n1" },
			error: "not CSV, line 2: 1 value where line 1 has 2; is the delimiter right?",
		},
	],
	run({ params: { format, text, delimiter = ",", header = true }, meter }) {
		// The whole result is newly allocated.
		meter.recordBytes(Number.POSITIVE_INFINITY);
		switch (format) {
			case "json":
				meter.spendOnText(32 * text.length);
				return parseJson(text);
			case "csv":
				return parseCsv(text, { delimiter, header }, meter);
			case "xml":
				return parseXml(text, meter);
			case "html":
				return parseHtml(text, meter);
		}
	},
});
