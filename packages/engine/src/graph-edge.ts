import { isLoopRelation } from "@tripline/contract/workflows";
import type { Path, Report } from "./diagnostics.ts";
import { isObject, readFields, readOneOf } from "./fields.ts";
import type { EdgeDraft } from "./graph-draft.ts";
import { describeType } from "./issues.ts";
import { readNodeName } from "./node-name.ts";
import { type Condition, isRelationProblem, readRelation } from "./relations.ts";

const EDGE_FIELDS = ["from", "source", "to", "target", "on", "type", "value", "as"];

/** Reads `{ from, to, on?, value?, as? }` or its aliases. */
export function readGraphEdge(value: unknown, at: Path, report: Report): EdgeDraft | undefined {
	if (!isObject(value)) {
		report.error("bad_field", `an edge must be an object, but is ${describeType(value)}`, { path: at });
		return undefined;
	}
	readFields(value, at, EDGE_FIELDS, report);
	const source = readOneOf(value, at, ["from", "source"], report);
	const target = readOneOf(value, at, ["to", "target"], report);
	const relation = readOneOf(value, at, ["on", "type"], report);
	const from = readNodeName(source?.value, "from", at, report, source?.at);
	const to = readNodeName(target?.value, "to", at, report, target?.at);
	const condition = readCondition(relation?.value, value, relation?.at ?? at, at, report);
	if (from === undefined || to === undefined) return undefined;
	return {
		edge: { from, to, ...condition },
		spots: {
			from: { path: source?.at ?? at },
			relation: { path: relation?.at ?? at },
			to: { path: target?.at ?? at },
		},
	};
}

/** `on` with or without its argument: `CASE paid`, or `CASE` and `value: paid`. */
function readCondition(
	on: unknown,
	edge: Readonly<Record<string, unknown>>,
	onAt: Path,
	at: Path,
	report: Report,
): Condition {
	const value = readArgument(edge.value, [...at, "value"], report);
	const as = readArgument(edge.as, [...at, "as"], report)?.trim();
	if (on !== undefined && typeof on !== "string") {
		report.error("bad_field", `on must be text, but is ${describeType(on)}`, { path: onAt });
		return { on: "ON_SUCCESS" };
	}
	const word = (on ?? "ON_SUCCESS").trim();
	const bare = readBareRelation(word, value, as);
	const condition = bare ?? readRelation(word);
	if (isRelationProblem(condition)) {
		const code = condition.code === "unknown_relation" ? condition.code : "bad_field";
		report.error(code, condition.message, { path: onAt }, condition.hint);
		return { on: "ON_SUCCESS" };
	}
	if (bare !== undefined) return bare;
	for (const [name, given, read] of [
		["value", value, condition.value],
		["as", as, condition.as],
	] as const) {
		if (given === undefined || given === read) continue;
		const problem =
			read === undefined ? `cannot be used with ${condition.on}` : `differs from the one in "on"`;
		report.error("bad_field", `${name} ${problem}`, { path: [...at, name], key: true });
	}
	return condition;
}

function readBareRelation(
	word: string,
	value: string | undefined,
	as: string | undefined,
): Condition | undefined {
	if (value !== undefined && as === undefined && /^case$/i.test(word)) return { on: "CASE", value };
	if (as === undefined || value !== undefined) return undefined;
	const read = readRelation(`${word} ${as}`);
	return !isRelationProblem(read) && isLoopRelation(read.on) && isRelationProblem(readRelation(word))
		? { on: read.on, as }
		: undefined;
}

/** CASE compares text, so numbers and booleans are accepted too. */
function readArgument(value: unknown, path: Path, report: Report): string | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value === "string") return value;
	if (typeof value === "number" || typeof value === "boolean") return String(value);
	report.error("bad_field", `${String(path.at(-1))} must be text, but is ${describeType(value)}`, { path });
	return undefined;
}
