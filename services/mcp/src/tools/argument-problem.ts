import { joinPath } from "@tripline/engine/expressions/path";
import { type SchemaIssue, toSchemaIssues } from "@tripline/engine/issues";
import type * as z from "zod";
import { shorten } from "./budget.ts";
import { ToolProblem } from "./tool.ts";

const MAX_ISSUES = 20;

/** Lists all invalid arguments, each with its path and what is expected there. */
export function createArgumentProblem(
	tool: string,
	schema: z.ZodObject,
	args: unknown,
	issues: readonly z.core.$ZodIssue[],
): ToolProblem {
	const found = toSchemaIssues(schema, args, issues.slice(0, MAX_ISSUES)).slice(0, MAX_ISSUES);
	const lines = found.map((issue) => `- ${renderIssue(issue, schema)}`);
	return new ToolProblem(
		`The arguments of ${tool} are not valid:\n${lines.join("\n")}\nFix them and call again.`,
	);
}

function renderIssue({ kind, path, message, hint }: SchemaIssue, schema: z.ZodObject): string {
	const place = path.reduce<string>(joinPath, "");
	const what = `${place === "" ? "the arguments" : shorten(place, 120)}: ${message}`;
	const meant = typeof hint === "function" ? hint() : hint;
	if (meant !== undefined) return `${what}. ${meant}`;
	const expected = kind === "unknown" ? undefined : findDescription(schema, path[0]);
	return expected === undefined ? what : `${what}. Expected: ${expected}`;
}

function findDescription(schema: z.ZodObject, name: string | number | undefined): string | undefined {
	const field: unknown = Object.hasOwn(schema.shape, name ?? "") ? schema.shape[name ?? ""] : undefined;
	return (field as z.ZodType | undefined)?.meta()?.description;
}
