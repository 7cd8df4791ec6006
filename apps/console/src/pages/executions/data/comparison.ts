import type { KeptData, KeptNode, KeptValue } from "../../../api/types.ts";
import { type Change, compareValues } from "../../../values/compare.ts";
import type { Json } from "../../../values/json-parts.ts";

const MAX_CHANGES = 50;

/** What is known of one run. */
export interface Side extends Pick<KeptData, "input" | "nodes"> {
	/** Whether `nodes` are all that are kept. */
	readonly isWhole: boolean;
}

/** A part of a step that differs. */
export interface Difference extends Change {
	readonly part: "status" | "error" | "received" | "gave";
}

export interface StepComparison {
	/** Null: the run's input. */
	readonly node: string | null;
	readonly place: string;
	readonly result: "differs" | "same" | "only_one" | "only_other";
	/** The first ones, at most 50 of what was received and of what was given. */
	readonly differences: readonly Difference[];
	/** Values were cut, so what follows their beginning is not compared. */
	readonly isCut: boolean;
}

/** Compares two runs of a workflow step by step: what differs first, in the order of the first run. */
export function compareRuns(one: Side, other: Side): readonly StepComparison[] {
	const [left, right] = [takeLastAttempts(one.nodes), takeLastAttempts(other.nodes)];
	const steps: StepComparison[] = [compareInputs(one.input, other.input)];
	for (const [key, node] of left) {
		const found = right.get(key);
		if (found !== undefined) steps.push(compareSteps(node, found));
		else if (other.isWhole) steps.push(describeOnly(node, "only_one"));
	}
	if (one.isWhole)
		for (const [key, node] of right) if (!left.has(key)) steps.push(describeOnly(node, "only_other"));
	return steps.sort((a, b) => rank(a) - rank(b));
}

const rank = ({ result }: StepComparison): number => (result === "same" ? 1 : 0);

/** Attempts that were retried are not compared: how often a service fails is chance. */
const takeLastAttempts = (nodes: readonly KeptNode[]): ReadonlyMap<string, KeptNode> =>
	new Map(nodes.map((node) => [JSON.stringify([node.id, node.place]), node]));

const describeOnly = ({ id, place }: KeptNode, result: "only_one" | "only_other"): StepComparison => ({
	node: id,
	place,
	result,
	differences: [],
	isCut: false,
});

function compareInputs(one: KeptValue, other: KeptValue): StepComparison {
	const differences = compareKept("gave", one, other);
	return describe(null, "", differences, [one, other]);
}

function compareSteps(one: KeptNode, other: KeptNode): StepComparison {
	const differences = [
		...compareParts("status", one.status, other.status),
		...compareParts("error", one.error, other.error),
		...compareKept("received", one.input, other.input),
		...compareKept("gave", one.output, other.output),
	];
	return describe(one.id, one.place, differences, [one.input, other.input, one.output, other.output]);
}

const describe = (
	node: string | null,
	place: string,
	differences: readonly Difference[],
	values: readonly (KeptValue | undefined)[],
): StepComparison => ({
	node,
	place,
	result: differences.length > 0 ? "differs" : "same",
	differences,
	isCut: values.some((value) => value !== undefined && "bytes" in value),
});

const compareParts = (
	part: Difference["part"],
	one: Json | undefined,
	other: Json | undefined,
): readonly Difference[] => (one === other ? [] : [{ part, steps: [], one, other }]);

function compareKept(
	part: Difference["part"],
	one: KeptValue | undefined,
	other: KeptValue | undefined,
): readonly Difference[] {
	if (one !== undefined && other !== undefined && "json" in one && "json" in other)
		return compareValues(one.json, other.json, MAX_CHANGES).map((change) => ({ part, ...change }));
	if (JSON.stringify(one) === JSON.stringify(other)) return [];
	return [{ part, steps: [], one: toJson(one), other: toJson(other) }];
}

const toJson = (value: KeptValue | undefined): Json | undefined =>
	value === undefined ? undefined : "json" in value ? value.json : value.text;
