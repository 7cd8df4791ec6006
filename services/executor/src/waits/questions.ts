import type { Issue } from "@tripline/contract/failures";
import type { OpenQuestion } from "@tripline/contract/questions";
import { WAIT, type WaitKey } from "@tripline/contract/waits";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileInputCheck } from "@tripline/engine/input-schema";
import { toIsoTime } from "@tripline/platform/clock";
import type { Turns } from "@tripline/platform/turns";
import type { StoreClient } from "@tripline/store/client";
import type { AcceptedRuns } from "../runs/accepted.ts";
import type { AskedQuestion, Waits } from "./waits.ts";

export type Questions = ReturnType<typeof questions>;

/** The open questions of a namespace, and their answers. */
export function questions(deps: {
	readonly store: StoreClient;
	readonly waits: Waits;
	readonly turns: Turns;
	readonly accepted: Pick<AcceptedRuns, "wake">;
}) {
	const { store, waits } = deps;
	return {
		/** The latest first. */
		async list(owner_id: string, page: { readonly limit: number; readonly cursor?: string | undefined }) {
			const { limit, cursor } = page;
			const { entries, next_cursor } = await store.entries.list({
				...{ owner_id, entry_type: WAIT, limit },
				...(cursor !== undefined && { cursor }),
			});
			return { questions: entries.map(toOpenQuestion), next_cursor };
		},

		find: (wait: WaitKey) => waits.find(wait),

		/** What is wrong with an answer. */
		async check(namespace: string, fields: JsonObject, answer: JsonObject): Promise<readonly Issue[]> {
			return deps.turns.run(namespace, () => {
				const check = compileInputCheck(fields);
				return "problem" in check ? [] : check(answer);
			});
		},

		/** The run goes on with it. False if another answer came first, or the question has ended. */
		async answer(wait: WaitKey, answer: JsonObject, by: string): Promise<boolean> {
			const isFirst = await waits.answer(wait, answer, by);
			if (isFirst) await deps.accepted.wake(wait.owner_id, [wait.run]);
			return isFirst;
		},
	};
}

function toOpenQuestion(entry: {
	readonly page_name: string;
	readonly metadata_json: string;
	readonly created_at: number;
}): OpenQuestion {
	const [execution_id = "", id = ""] = entry.page_name.split("\n");
	const { what, expires_at } = JSON.parse(entry.metadata_json) as { what: AskedQuestion; expires_at: number };
	const { workflow, node, question, fields, show, to, assistants } = what;
	return {
		...{ execution_id, id, workflow, node, question, fields, show, to, assistants },
		asked_at: toIsoTime(entry.created_at * 1000),
		expires_at: toIsoTime(expires_at * 1000),
	};
}
