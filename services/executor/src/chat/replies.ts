import { readReply } from "@tripline/contract/chat-reply";
import type { Json } from "@tripline/contract/json";
import { type Log, toErrorFields } from "@tripline/platform/log";
import { type StoreClient, StoreRefused } from "@tripline/store/client";
import { type StoredTurn, TokenCount } from "../domain/chat.ts";
import { getOwner, type RunRequest } from "../runs/execute.ts";
import type { ChatBudgets } from "./budget.ts";

/** How a run has ended that belongs to a turn. */
export type TurnEnd = Pick<StoredTurn, "reply" | "status">;

export const STOPPED: TurnEnd = { status: "stopped", reply: null };

export type ChatReplies = ReturnType<typeof chatReplies>;

/** Replies of runs that may go on without their caller. */
export function chatReplies(deps: {
	readonly store: StoreClient;
	readonly budgets: ChatBudgets;
	readonly log: Log;
}) {
	const { store } = deps;
	return {
		/** Completes the turn of a run, in whichever process it ends. Nothing happens if it was deleted meanwhile. */
		async complete(
			{ chatTurn: id, ...run }: Pick<RunRequest, "namespace" | "chatTurn">,
			end: TurnEnd,
		): Promise<void> {
			if (id === undefined) return;
			const owner_id = getOwner(run);
			const entry = await store.entries.getById(owner_id, id);
			if (entry === null) return;
			const turn = JSON.parse(entry.content) as StoredTurn;
			try {
				await store.entries.replace(id, { owner_id, content: JSON.stringify({ ...turn, ...end }) });
			} catch (error) {
				if (!(error instanceof StoreRefused)) throw error;
				// Too large: the run has ended all the same, and must not be repeated because of it.
				deps.log("warn", "the reply of a run cannot be stored", toErrorFields(error));
				const failed: StoredTurn = { ...turn, reply: null, status: "failed" };
				await store.entries.replace(id, { owner_id, content: JSON.stringify(failed) });
			}
		},

		/** Counts what the models use in a run that was resumed, since nobody waits for it who would. */
		async count<T>(request: RunRequest, run: (request: RunRequest) => Promise<T>): Promise<T> {
			const { chatTurn, onTokens, runnable, namespace, workflow } = request;
			const daily = runnable.webhook?.chat?.daily_tokens;
			if (chatTurn === undefined || onTokens !== undefined || daily === undefined) return run(request);
			const used = new TokenCount();
			try {
				return await run({ ...request, onTokens: (use) => used.add(use) });
			} finally {
				await deps.budgets
					.add(namespace ?? "", workflow, used.input + used.output)
					.catch((error: unknown) => {
						deps.log("error", "tokens of a chat not counted", toErrorFields(error));
					});
			}
		},
	};
}

export function toTurnEnd(result: { readonly success: boolean; readonly data?: Json }): TurnEnd {
	return result.success
		? { status: "answered", reply: readReply(result.data ?? null) }
		: { status: "failed", reply: null };
}
