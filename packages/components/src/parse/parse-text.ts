import type { Json } from "@tripline/contract/json";
import type { NodeCall } from "@tripline/engine/component";
import type * as z from "zod";
import { parseCsv } from "./csv.ts";
import type { Format } from "./formats.ts";
import { parseHtml } from "./html.ts";
import { parseIcs } from "./ics.ts";
import { parseJson, parseJsonLines, UNITS_PER_CHARACTER } from "./json.ts";
import type { Params } from "./params.ts";
import { selectHtml } from "./select-html.ts";
import { parseXml } from "./xml.ts";

type Call = Pick<NodeCall<never>, "meter" | "needsTurn" | "turn"> & {
	readonly params: z.output<typeof Params>;
};
export type TextFormat = Exclude<Format, "xlsx" | "docx" | "pdf" | "zip">;

/** Parses a whole text. */
export function parseWhole(format: TextFormat, text: string, call: Call): Json | Promise<Json> {
	const { params, meter } = call;
	const { delimiter = ",", header = true, select } = params;
	switch (format) {
		case "json":
			meter.spend(UNITS_PER_CHARACTER * text.length);
			return parseJson(text);
		case "jsonl":
			return parseJsonLines(text, params, meter);
		case "csv":
			return parseCsv(text, { ...params, delimiter, header }, meter);
		case "tsv":
			return parseCsv(text, { ...params, name: "TSV", delimiter: "\t", header }, meter);
		case "xml":
			return parseXml(text, meter);
		case "html":
			return select === undefined ? parseHtml(text, meter) : selectHtml(text, select, meter);
		case "ics":
			return parseIcs(text, call);
	}
}
