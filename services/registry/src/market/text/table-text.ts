import { choice, integer, list, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { params } from "../schema.ts";

export const tableText = code({
	id: "table_text",
	title: "Table as text",
	description: `Writes a list of objects as a table that people can read: Markdown for chats, issues and pages, or plain text with aligned columns for mails and logs.

Numbers stand at the right. Long values are cut with \`…\`; line breaks become spaces. Chinese, Japanese and Korean characters and emoji count as two places, so that plain tables stay straight in a fixed-width font.`,
	tags: ["table", "markdown", "text"],
	params: params(
		{
			rows: list({ type: "object" }, "One object for each line of the table", { maxItems: 5_000 }),
			columns: list({ type: "string" }, "Names of the columns, in order; default all that are there", {
				minItems: 1,
				maxItems: 50,
			}),
			style: choice(["markdown", "plain"], "How the table is written", { default: "markdown" }),
			max_width: integer("Places of a value at most", { minimum: 3, maximum: 1_000, default: 60 }),
			empty: text("What to write if there are no rows", { default: "(none)", maxLength: 1_000 }),
		},
		["rows"],
	),
	output: text("The table"),
	code: String.raw`
const { rows } = input;
if (rows.length === 0) return input.empty;
const columns = input.columns ?? [...new Set(rows.flatMap(Object.keys))];
if (columns.length === 0) return input.empty;
const isMarkdown = input.style === "markdown";
const valueOf = (row, name) => (Object.hasOwn(row, name) ? row[name] : null);
const isNumeric = columns.map((name) => {
	const values = rows.map((row) => valueOf(row, name)).filter((value) => value !== null);
	return values.length > 0 && values.every((value) => typeof value === "number");
});
const head = columns.map(cell);
const body = rows.map((row) => columns.map((name) => cell(valueOf(row, name))));
const widths = head.map((title, column) =>
	body.reduce((most, line) => Math.max(most, widthOf(line[column])), Math.max(widthOf(title), isMarkdown ? 3 : 1)),
);
const rule = widths.map((width, column) =>
	isMarkdown && isNumeric[column] ? "-".repeat(width - 1) + ":" : "-".repeat(width),
);
return [head, rule, ...body].map(line).join("\n");

function cell(value) {
	const text = value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
	const flat = short(text.replace(/\s+/g, " ").trim());
	return isMarkdown ? flat.replace(/[\\|]/g, "\\$&") : flat;
}

function short(text) {
	if (text.length <= input.max_width / 2) return text;
	let places = 0;
	let fits = "";
	for (const character of text) {
		places += widthOf(character);
		if (places > input.max_width) return fits + "…";
		if (places < input.max_width) fits += character;
	}
	return text;
}

function line(cells) {
	const padded = cells.map((text, column) => {
		const space = " ".repeat(widths[column] - widthOf(text));
		return isNumeric[column] ? space + text : text + space;
	});
	return isMarkdown ? "| " + padded.join(" | ") + " |" : padded.join("  ").trimEnd();
}

function widthOf(text) {
	const wide = text.match(/[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/gu);
	const none = text.match(/[\p{M}\u200B-\u200D\uFE0F]/gu);
	return [...text].length + (wide?.length ?? 0) - (none?.length ?? 0);
}
`,
	examples: [
		{
			title: "Markdown",
			params: {
				rows: [
					{ city: "Lyon", orders: 12 },
					{ city: "a|b", orders: 7 },
				],
			},
			output: "| city | orders |\n| ---- | -----: |\n| Lyon |     12 |\n| a\\|b |      7 |",
		},
		{
			title: "Plain, with chosen columns and a long value",
			params: {
				rows: [
					{ id: 1, title: "Checkout fails", owner: "Ada" },
					{ id: 2, title: "東京", owner: null },
				],
				columns: ["title", "owner"],
				style: "plain",
				max_width: 10,
			},
			output: "title       owner\n----------  -----\nCheckout …  Ada\n東京",
		},
		{ title: "No rows", params: { rows: [], empty: "No open issues." }, output: "No open issues." },
	],
});
