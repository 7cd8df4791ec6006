import type { GraphEdge } from "@tripline/contract/workflows";
import { type Hint, quoteText } from "./diagnostics.ts";
import { findNodeNameProblem } from "./node-name.ts";
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
	const parts = splitParts(text);
	const [subject, relation, object] = parts;
	const offsets = {
		from: subject?.offset ?? 0,
		relation: relation?.offset ?? 0,
		to: object?.offset ?? relation?.offset ?? 0,
	};
	if (subject === undefined || relation === undefined || object === undefined || parts.length > 3) {
		const guess = parts.length === 2 ? guessFromNames(subject?.text ?? "", relation?.text ?? "") : {};
		return { offsets, problem: describeShape(text, parts), ...guess };
	}
	const names = findNameProblem("subject", subject) ?? findNameProblem("object", object);
	if (names !== undefined) return { offsets, problem: names };
	if (relation.text === "") {
		const problem = { ...toProblem("the relation is empty", relation.offset), hint: SHAPE };
		return { offsets, problem, ...guessEdge(subject.text, object.text) };
	}
	const condition = readRelation(relation.text);
	if (isRelationProblem(condition)) {
		const problem = { ...condition, offset: relation.offset };
		return { offsets, problem, ...guessEdge(subject.text, object.text) };
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

function splitParts(text: string): Part[] {
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

function describeShape(text: string, parts: readonly Part[]): TripletProblem {
	if (text.trim() === "") return { ...toProblem("the triplet is empty", 0), hint: SHAPE };
	const [, , object, excess] = parts;
	if (excess === undefined) {
		return {
			...toProblem(`a triplet has three parts, this one has ${parts.length}`, text.length),
			hint: SHAPE,
		};
	}
	return {
		...toProblem(`a triplet has three parts, this one has ${parts.length}`, excess.offset),
		hint: `Write one triplet per edge; another one starts at ${quoteText(object?.text ?? "")}`,
	};
}

function findNameProblem(role: string, part: Part): TripletProblem | undefined {
	const problem = findNodeNameProblem(part.text);
	return problem === null ? undefined : toProblem(`the ${role} ${problem}`, part.offset);
}

/** For `a >> b`, unless `b` is a relation, because then the object is missing. */
const guessFromNames = (from: string, to: string): { edge?: GraphEdge } =>
	isRelationProblem(readRelation(to)) ? guessEdge(from, to) : {};

function guessEdge(from: string, to: string): { edge?: GraphEdge } {
	const named = findNodeNameProblem(from) === null && findNodeNameProblem(to) === null;
	return named ? { edge: { from, to, on: "ON_SUCCESS" } } : {};
}

const toProblem = (message: string, offset: number): TripletProblem => ({
	code: "bad_triplet",
	message,
	offset,
});
