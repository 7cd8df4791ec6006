import type { Issue } from "@tripline/contract/failures";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { toSchemaIssues } from "./issues.ts";
import { compileSchema } from "./json-schema.ts";

/** Also checks what a workflow or a model returns. */
export type CheckInput = (value: Json) => readonly Issue[];

const MAX_ISSUES = 50;
/** A property name may be as long as the input and is repeated in every issue below it. */
const MAX_PATH_LENGTH = 500;

/** A check of values against a workflow's JSON Schema, or the problem with the schema. */
export function compileInputCheck(schema: JsonObject): CheckInput | { readonly problem: string } {
	const type = compileSchema(schema);
	if ("problem" in type) return type;
	return (input) => {
		const result = type.safeParse(input);
		if (result.success) return [];
		return toSchemaIssues(type, input, result.error.issues)
			.slice(0, MAX_ISSUES)
			.map(({ path, message }) => ({ path: path.join(".").slice(0, MAX_PATH_LENGTH), message }));
	};
}
