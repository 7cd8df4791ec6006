import type { Issue } from "@tripline/contract/failures";
import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";

/** Checks trigger contexts against a workflow's JSON Schema. */
export function inputCheck(schema: JsonObject): (input: JsonObject) => readonly Issue[] {
	const check = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
	return (input) => {
		const result = check.safeParse(input);
		if (result.success) return [];
		return result.error.issues.slice(0, 50).map(({ path, message }) => ({ path: path.join("."), message }));
	};
}
