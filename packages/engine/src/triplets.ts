import type { GraphEdge } from "@tripline/contract/workflows";
import { type Hint, shown } from "./diagnostics.ts";
import { nodeNameProblem } from "./node-name.ts";
import { formatRelation, isRelationProblem, readRelation } from "./relations.ts";

/** Where the parts of a triplet start in its text. */
interface TripletOffsets {
	readonly from: number;
	readonly relation: number;
	readonly to: number;
}

interface TripletProblem {
	readonly code: "bad_triplet" | "unknown_relation";
	readonly message: string;
	readonly offset: number;
	readonly hint?: Hint;
}

export interface ReadTriplet {
	/** Set despite a problem if both names are known, so that reading can continue. */
	readonly edge?: GraphEdge;
	readonly offsets: TripletOffsets;
	readonly problem?: TripletProblem;
}

/** Reads `subject >> relation >> object`. */
export function readTriplet(text: string): ReadTriplet {
	const parts = split(text);
	const [subject, relation, object] = parts;
	const offsets = {
		from: subject?.offset ?? 0,
		relation: relation?.offset ?? 0,
		to: object?.offset ?? relation?.offset ?? 0,
	};
	if (subject === undefined || relation === undefined || object === undefined || parts.length > 3) {
		const guess = parts.length === 2 ? namesOnly(subject?.text ?? "", relation?.text ?? "") : {};
		return { offsets, problem: shapeProblem(text, parts), ...guess };
	}
	const names = nameProblem("subject", subject) ?? nameProblem("object", object);
	if (names !== undefined) return { offsets, problem: names };
	if (relation.text === "") {
		const problem = { ...bad("the relation is empty", relation.offset), hint: SHAPE };
		return { offsets, problem, ...guessedEdge(subject.text, object.text) };
	}
	const condition = readRelation(relation.text);
	if (isRelationProblem(condition)) {
		const problem = { ...condition, offset: relation.offset };
		return { offsets, problem, ...guessedEdge(subject.text, object.text) };
	}
	return { offsets, edge: { from: subject.text, to: object.text, ...condition } };
}

/** The inverse of `readTriplet`. */
export const formatTriplet = (edge: GraphEdge): string =>
	`${edge.from} >> ${formatRelation(edge)} >> ${edge.to}`;

interface Part {
	readonly text: string;
	/** Of the first non-blank character; of the end if there is none. */
	readonly offset: number;
}

const SHAPE = "Write subject >> relation >> object, such as fetch >> ON_SUCCESS >> report";

function split(text: string): Part[] {
	const parts: Part[] = [];
	let start = 0;
	for (;;) {
		const end = text.indexOf(">>", start);
		const raw = text.slice(start, end === -1 ? undefined : end);
		parts.push({ text: raw.trim(), offset: start + raw.length - raw.trimStart().length });
		if (end === -1) return parts;
		start = end + 2;
	}
}

function shapeProblem(text: string, parts: readonly Part[]): TripletProblem {
	if (text.trim() === "") return { ...bad("the triplet is empty", 0), hint: SHAPE };
	const [, , object, excess] = parts;
	if (excess === undefined) {
		return { ...bad(`a triplet has three parts, this one has ${parts.length}`, text.length), hint: SHAPE };
	}
	return {
		...bad(`a triplet has three parts, this one has ${parts.length}`, excess.offset),
		hint: `Write one triplet per edge; another one starts at ${shown(object?.text ?? "")}`,
	};
}

function nameProblem(role: string, part: Part): TripletProblem | undefined {
	const problem = nodeNameProblem(part.text);
	return problem === null ? undefined : bad(`the ${role} ${problem}`, part.offset);
}

/** For `a >> b`, unless `b` is a relation, because then the object is missing. */
const namesOnly = (from: string, to: string): { edge?: GraphEdge } =>
	isRelationProblem(readRelation(to)) ? guessedEdge(from, to) : {};

function guessedEdge(from: string, to: string): { edge?: GraphEdge } {
	const named = nodeNameProblem(from) === null && nodeNameProblem(to) === null;
	return named ? { edge: { from, to, on: "ON_SUCCESS" } } : {};
}

const bad = (message: string, offset: number): TripletProblem => ({ code: "bad_triplet", message, offset });
