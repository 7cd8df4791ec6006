import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { Report } from "@tripline/engine/diagnostics";
import { readYaml } from "@tripline/engine/yaml";
import { CliProblem } from "./command.ts";

/** Parses a YAML or JSON file. With `isSecret`, messages quote nothing of its content. */
export function parseData(
	text: string,
	file: string,
	{ isSecret }: { readonly isSecret: boolean },
): JsonObject {
	const report = new Report();
	const { value, locate } = readYaml(text, report);
	const [first] = report.diagnostics(locate);
	if (first !== undefined) {
		const place = first.line === undefined ? "" : `:${first.line}:${first.column}`;
		const what = isSecret ? (SAFE_MESSAGES[first.code] ?? "is not valid YAML") : first.message;
		throw new CliProblem(`${file}${place}: ${what}`);
	}
	if (isObject(value)) return value;
	throw new CliProblem(`${file} must be an object of names and values`);
}

/** Messages without content, because the parser's own messages quote the text at fault. */
const SAFE_MESSAGES: Readonly<Record<string, string>> = {
	duplicate_key: "has a duplicate key",
	duplicate_node: "has a duplicate key",
	too_large: "is too large",
};

export const isObject = (value: Json | undefined): value is JsonObject =>
	typeof value === "object" && value !== null && !Array.isArray(value);
