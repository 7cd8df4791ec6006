import { estimateTokens } from "@tripline/components/llm/estimate-tokens";
import { Failed } from "@tripline/contract/failures";
import { sha256Hex } from "@tripline/contract/ids";
import type { Clock } from "@tripline/platform/clock";
import type { StoreClient } from "@tripline/store/client";
import type { TokenCount } from "../domain/chat.ts";

const DAY_SECONDS = 24 * 60 * 60;

export interface OpenedBudget {
	/** Counts what was used instead of what was expected. */
	settle(used: TokenCount, reply: string): Promise<void>;
}

export type ChatBudgets = ReturnType<typeof chatBudgets>;

/** Tokens per day and workflow, counted in the store, so that all processes count together. */
export function chatBudgets({ store, clock }: { readonly store: StoreClient; readonly clock: Clock }) {
	return {
		/** Counts what was used after the budget was settled. */
		async add(namespace: string, workflow: string, tokens: number): Promise<void> {
			if (tokens > 0) await (await openCounter(namespace, workflow)).count(tokens);
		},

		/** Throws if today's tokens are used up. What is read counts before the run, so that many runs at once count too. */
		async open(
			namespace: string,
			workflow: string,
			daily: number | undefined,
			readLength: number,
		): Promise<OpenedBudget> {
			if (daily === undefined) return { settle: async () => {} };
			const { count, secondsLeft } = await openCounter(namespace, workflow);
			const expected = Math.max(1, estimateTokens(readLength));
			if ((await count(expected)) - expected >= daily) {
				await count(-expected);
				throw new Failed({
					kind: "too_many",
					message: "today's tokens of this chat are used up",
					retryAfterSeconds: secondsLeft,
				});
			}
			return {
				async settle(used, reply) {
					const more = used.total(readLength, reply.length) - expected;
					if (more !== 0) await count(more);
				},
			};
		},
	};

	/** Of this day. */
	async function openCounter(owner_id: string, workflow: string) {
		const now = Math.floor(clock.now() / 1000);
		const day = Math.floor(now / DAY_SECONDS);
		const name = `chat_tokens.${(await sha256Hex(workflow)).slice(0, 32)}.${day}`;
		return {
			count: async (by: number): Promise<number> =>
				(await store.state.increment({ owner_id, name, by, ttl_seconds: 2 * DAY_SECONDS })).value,
			secondsLeft: (day + 1) * DAY_SECONDS - now,
		};
	}
}
