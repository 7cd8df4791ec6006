import type { JsonObject } from "../../../api/types.ts";

/** Whether a workflow reads what it is started with: by its schema, or where it has none by what its text names. */
export function wantsInput(text: string, schema: JsonObject | undefined): boolean {
	const properties = schema?.properties;
	if (typeof properties === "object" && properties !== null) return Object.keys(properties).length > 0;
	return text.split("\n").some((line) => /\binput\b(?!\s*(?:>>|:))/.test(line.replace(/(?:^|\s)#.*$/, "")));
}
