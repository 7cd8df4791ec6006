import type { Question } from "@tripline/components/effects";
import { randomToken, sha256Hex } from "@tripline/contract/ids";
import type { Json } from "@tripline/contract/json";
import type { FoundWait, WaitKey } from "@tripline/contract/waits";
import type { JsonObject } from "@tripline/contract/workflows";
import type { StoreClient } from "@tripline/store/client";

/** What is stored of a question, beside its state. */
export interface AskedQuestion extends Question {
	readonly workflow: string;
	readonly node: string;
}

/** A question, and what became of it. */
export interface Asked extends Pick<FoundWait, "state" | "by"> {
	readonly question: AskedQuestion;
	/** Unix seconds. */
	readonly expiresAt: number;
	/** Unix seconds. */
	readonly answeredAt: number | null;
	readonly answer: JsonObject | null;
}

export type Waits = ReturnType<typeof createWaits>;

/** What runs ask people. Whoever has the address of a question may answer it. */
export function createWaits({ store }: { readonly store: StoreClient }) {
	return {
		/** Returns the id of the question and the secret part of its address. */
		async open(
			where: Pick<WaitKey, "owner_id" | "run">,
			question: AskedQuestion,
			expires_at: number,
		): Promise<{ readonly id: string; readonly token: string }> {
			const token = randomToken(TOKEN_BYTES);
			const id = await toId(token);
			await store.waits.open({ ...where, id, expires_at, metadata_json: JSON.stringify(question) });
			return { id, token };
		},

		async find(wait: WaitKey): Promise<Asked | null> {
			const found = await store.waits.get(wait);
			return found === null ? null : toAsked(found);
		},

		/** By the secret part of its address. */
		async findByToken(
			where: Pick<WaitKey, "owner_id" | "run">,
			token: string,
		): Promise<{ readonly id: string; readonly asked: Asked } | null> {
			const id = await toId(token);
			const found = await store.waits.get({ ...where, id });
			return found === null ? null : { id, asked: toAsked(found) };
		},

		/** For the run itself: what became of its question; null while it is open. */
		async take(wait: WaitKey): Promise<Asked | null> {
			const found = await store.waits.get({ ...wait, taken: true });
			return found === null || found.state === "open" ? null : toAsked(found);
		},

		/** Whether this answer counts: of several the first one does. */
		answer: (wait: WaitKey, answer: Json, by: string): Promise<boolean> =>
			store.waits.answer({ ...wait, answer_json: JSON.stringify(answer), by }),

		/** Nobody has answered in time. An answer that came first counts. */
		async expire(wait: WaitKey): Promise<Asked | null> {
			await store.waits.end({ ...wait, state: "expired" });
			return this.take(wait);
		},

		withdraw: (wait: WaitKey): Promise<void> => store.waits.end({ ...wait, state: "withdrawn" }),
	};
}

const TOKEN_BYTES = 24;
/** Of the hash: 128 bits. */
const ID_LENGTH = 32;

/** The id does not reveal the address, which is in the run's journal only. */
const toId = async (token: string): Promise<string> => (await sha256Hex(token)).slice(0, ID_LENGTH);

const toAsked = ({ state, by, expires_at, answered_at, answer_json, metadata_json }: FoundWait): Asked => ({
	state,
	by,
	question: JSON.parse(metadata_json) as AskedQuestion,
	expiresAt: expires_at,
	answeredAt: answered_at,
	answer: answer_json === null ? null : (JSON.parse(answer_json) as JsonObject),
});
