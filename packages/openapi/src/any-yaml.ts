import type { Json } from "@tripline/contract/json";
import { Report } from "@tripline/engine/diagnostics";
import { readYaml } from "@tripline/engine/yaml";
import { DescriptionProblem } from "./problem.ts";

/** Reads all of YAML, up to the size of a workflow. `reason` says why the text needs it. */
export function readAnyYaml(text: string, reason: string): Json {
	const report = new Report();
	const { value, locate } = readYaml(text, report);
	if (value !== undefined) return value;
	const [first] = report.diagnostics(locate).filter(({ severity }) => severity === "error");
	if (first === undefined || first.code === "too_large")
		throw new DescriptionProblem(
			`${reason}, which can be read only in short descriptions: convert the description to JSON`,
		);
	const at = first.line === undefined ? "" : ` (line ${first.line}, column ${first.column})`;
	throw new DescriptionProblem(`the YAML cannot be read: ${first.message}${at}`);
}
