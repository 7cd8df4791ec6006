import type * as z from "zod";
import { isObject } from "../schemas.ts";
import { CONTENT, FORMATS, type Format, findBinaryFormat, findFormat, USES } from "./formats.ts";
import { findSheetNameProblem } from "./sheet-names.ts";

type Given = { readonly [name: string]: unknown };
type Problem = (path: (string | number)[], message: string) => void;

const OPTIONS = [...new Set(Object.values(USES).flatMap(({ options }) => options))];

/** Whether enough is known to check the parameters together. */
export const isNamed = (value: unknown): boolean =>
	isObject(value) && typeof value.name === "string" && (value.format === undefined || isFormat(value.format));

const isFormat = (value: unknown): value is Format => FORMATS.some((format) => format === value);

/** Checks that there is one content, and only what its format uses. Single values may be wrong and are reported elsewhere. */
export function checkTogether(params: Given, context: z.core.$RefinementCtx): void {
	const problem: Problem = (path, message) => context.addIssue({ code: "custom", path, message });
	const [content, ...more] = CONTENT.filter((name) => params[name] !== undefined);
	for (const name of more) problem([name], `cannot be combined with ${content}: a file has one content`);
	const name = params.name as string;
	const given = params.format as Format | undefined;
	const format = given ?? findFormat(name, content);
	if (format === undefined) {
		problem(
			["name"],
			content === undefined
				? "needs a content: give text, data, rows, sheets, files or base64"
				: "must end in .csv, .tsv, .xlsx or .jsonl to write rows; or set format",
		);
		return;
	}
	const uses = USES[format];
	const wanted = uses.content.join(" or ");
	if (content === undefined) problem(["name"], `is that of a ${format} file, which needs ${wanted}`);
	else if (!uses.content.includes(content))
		problem([content], `is not the content of a ${format} file; give ${wanted}`);
	const binary = findBinaryFormat(name);
	if (given === undefined && binary !== undefined && format !== binary && format !== "base64") {
		const instead = USES[binary].content.join(" or ");
		problem(
			["name"],
			`ends in .${binary}, but ${content} makes a ${format} file; give ${instead}, or set format`,
		);
	}
	for (const option of OPTIONS)
		if (params[option] !== undefined && !uses.options.includes(option))
			problem([option], `is not used by ${format}; leave it out`);
	checkColumns(params, format, problem);
	checkSheetNames(params.sheets, problem);
}

function checkColumns({ columns, sheets }: Given, format: Format, problem: Problem): void {
	if (columns !== undefined && sheets !== undefined) problem(["columns"], "belongs into each of the sheets");
	if (format === "xlsx" || !Array.isArray(columns)) return;
	for (const [index, column] of columns.entries())
		for (const name of ["type", "width"])
			if (isObject(column) && column[name] !== undefined)
				problem(["columns", index, name], `is not used by ${format}; leave it out`);
}

function checkSheetNames(sheets: unknown, problem: Problem): void {
	if (!Array.isArray(sheets)) return;
	const taken = new Set<string>();
	for (const [index, sheet] of sheets.entries()) {
		if (!isObject(sheet) || typeof sheet.name !== "string") continue;
		const wrong = findSheetNameProblem(sheet.name, taken);
		if (wrong !== null) problem(["sheets", index, "name"], wrong);
	}
}
