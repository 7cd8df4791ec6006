import type { Issue } from "@tripline/contract/failures";
import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";

export type CheckInput = (input: JsonObject) => readonly Issue[];

const MOST_ISSUES = 50;

/** What checks trigger contexts against a workflow's JSON Schema, or what is wrong with the schema. */
export function inputCheck(schema: JsonObject): CheckInput | { readonly problem: string } {
	const refused = refusedKeyword(schema);
	if (refused !== null) return { problem: `must not use ${refused}: a pattern can take for ever to match` };
	let check: z.ZodType;
	try {
		check = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
	} catch (error) {
		return { problem: `is not a JSON Schema that can be used: ${(error as Error).message}` };
	}
	return (input) => {
		const result = check.safeParse(input);
		if (result.success) return [];
		return result.error.issues
			.slice(0, MOST_ISSUES)
			.map(({ path, message }) => ({ path: path.join("."), message }));
	};
}

/** Regular expressions of others may not run here: JavaScript's matcher backtracks without limit. */
function refusedKeyword(value: unknown): string | null {
	if (typeof value !== "object" || value === null) return null;
	for (const [key, inner] of Object.entries(value)) {
		const isPattern = key === "pattern" && typeof inner === "string";
		if (isPattern || key === "patternProperties") return key;
		const found = refusedKeyword(inner);
		if (found !== null) return found;
	}
	return null;
}
