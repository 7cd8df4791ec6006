import type { WaitKey } from "@tripline/contract/waits";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileInputCheck } from "@tripline/engine/input-schema";
import { listFileNames } from "../forms/model.ts";
import { parseForm } from "../forms/parse.ts";

/** Why an answer cannot have these fields; null if it can. */
export function findQuestionProblem(fields: JsonObject): string | null {
	const check = compileInputCheck(fields);
	if ("problem" in check) return check.problem;
	const model = parseForm(fields);
	if ("problem" in model) return model.problem;
	return listFileNames(model).size > 0 ? "an answer cannot have files" : null;
}

/** Where a question can be answered by whoever has the address. */
export const buildAskPath = ({ owner_id, run }: Pick<WaitKey, "owner_id" | "run">, token: string): string =>
	`/ask/${encodeURIComponent(owner_id)}/${run}/${token}`;
