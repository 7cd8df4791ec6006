import { nameUpTo } from "@tripline/contract/names";
import type { Path, Report } from "./diagnostics.ts";
import { describeType } from "./issues.ts";

const Name = nameUpTo(256);

/** Why a trimmed text is not a valid node name; null if it is one. */
export function findNodeNameProblem(name: string): string | null {
	if (PLAIN.test(name)) return null;
	if (name.includes(">>")) return "must not contain >>";
	const read = Name.safeParse(name);
	return read.success ? null : (read.error.issues[0]?.message ?? "is not a name");
}

/** Reads a node's name in a graph, trimmed as in a triplet. */
export function readNodeName(
	value: unknown,
	field: string,
	at: Path,
	report: Report,
	path?: Path,
): string | undefined {
	const spot = { path: path ?? (value === undefined ? at : [...at, field]) };
	if (typeof value !== "string") {
		const problem = value === undefined ? "is required" : `must be text, but is ${describeType(value)}`;
		report.error("bad_field", `${field} ${problem}`, spot);
		return undefined;
	}
	const name = value.trim();
	const problem = findNodeNameProblem(name);
	if (problem === null) return name;
	report.error("bad_field", `${field} ${problem}`, spot);
	return undefined;
}

/** A fast path for most names. */
const PLAIN = /^[\w .-]{1,256}$/;
