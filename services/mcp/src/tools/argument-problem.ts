import { type SchemaIssue, schemaIssues } from "@tripline/engine/issues";
import type * as z from "zod";
import { shortened } from "./budget.ts";
import { joined } from "./paths.ts";
import { ToolProblem } from "./tool.ts";

const MOST_ISSUES = 20;

/** Lists all invalid arguments, each with its path and what is expected there. */
export function argumentProblem(
	tool: string,
	schema: z.ZodObject,
	args: unknown,
	issues: readonly z.core.$ZodIssue[],
): ToolProblem {
	const found = schemaIssues(schema, args, issues.slice(0, MOST_ISSUES)).slice(0, MOST_ISSUES);
	const lines = found.map((issue) => `- ${lineOf(issue, schema)}`);
	return new ToolProblem(
		`The arguments of ${tool} are not valid:\n${lines.join("\n")}\nFix them and call again.`,
	);
}

function lineOf({ kind, path, message, hint }: SchemaIssue, schema: z.ZodObject): string {
	const place = path.reduce<string>(joined, "");
	const what = `${place === "" ? "the arguments" : shortened(place, 120)}: ${message}`;
	const meant = typeof hint === "function" ? hint() : hint;
	if (meant !== undefined) return `${what}. ${meant}`;
	const expected = kind === "unknown" ? undefined : descriptionOf(schema, path[0]);
	return expected === undefined ? what : `${what}. Expected: ${expected}`;
}

function descriptionOf(schema: z.ZodObject, name: string | number | undefined): string | undefined {
	const field: unknown = Object.hasOwn(schema.shape, name ?? "") ? schema.shape[name ?? ""] : undefined;
	return (field as z.ZodType | undefined)?.meta()?.description;
}
