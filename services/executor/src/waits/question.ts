import type { Question } from "@tripline/components/effects";
import type { WaitKey } from "@tripline/contract/waits";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileInputCheck } from "@tripline/engine/input-schema";
import { countJsonBytes } from "@tripline/engine/run/json-bytes";
import { listFileNames } from "../forms/model.ts";
import { parseForm } from "../forms/parse.ts";

/** Bounds the time that it takes to compile its fields and to draw its page. */
const MAX_BYTES = 64 * 1024;

/** Why it cannot be asked; null if it can. */
export function findQuestionProblem(question: Question): string | null {
	if (countJsonBytes({ ...question }, MAX_BYTES + 1) > MAX_BYTES)
		return "the question has more than 64 KiB with its fields and values";
	const problem = findFieldsProblem(question.fields);
	return problem === null ? null : `fields: ${problem}`;
}

function findFieldsProblem(fields: JsonObject): string | null {
	const check = compileInputCheck(fields);
	if ("problem" in check) return check.problem;
	const model = parseForm(fields);
	if ("problem" in model) return model.problem;
	return listFileNames(model).size > 0 ? "an answer cannot have files" : null;
}

/** Where a question can be answered by whoever has the address. */
export const buildAskPath = ({ owner_id, run }: Pick<WaitKey, "owner_id" | "run">, token: string): string =>
	`/ask/${encodeURIComponent(owner_id)}/${run}/${token}`;
