import type { Question, WantedEvent } from "@tripline/components/effects";
import { sha256Hex } from "@tripline/contract/ids";
import type { Json } from "@tripline/contract/json";
import type { FoundWait, WaitKey } from "@tripline/contract/waits";
import type { JsonObject } from "@tripline/contract/workflows";
import type { StoreClient } from "@tripline/store/client";

/** What is stored of a question, beside its state. */
export interface AskedQuestion extends Question {
	readonly workflow: string;
	readonly node: string;
}

/** The run that waits. */
export type WaitingRun = Pick<WaitKey, "owner_id" | "run">;

/** What became of a wait. */
interface EndedWait extends Pick<FoundWait, "state" | "by"> {
	readonly answer: JsonObject | null;
}

/** A question, and what became of it. */
export interface Asked extends EndedWait {
	readonly question: AskedQuestion;
	/** Unix seconds. */
	readonly expiresAt: number;
	/** Unix seconds. */
	readonly answeredAt: number | null;
}

export type Waits = ReturnType<typeof createWaits>;

/** What runs wait for: answers of people, and events. Whoever has the address of a question may answer it. */
export function createWaits({ store }: { readonly store: StoreClient }) {
	return {
		/**
		 * Asks, unless that was done with the same token, which is the secret part of the question's address. Returns the id of
		 * the question.
		 */
		async open(run: WaitingRun, token: string, question: AskedQuestion, expires_at: number): Promise<string> {
			const id = await toId(token);
			await store.waits.open({ ...run, id, expires_at, metadata_json: JSON.stringify(question) });
			return id;
		},

		/** From now on events are given to the run, or from an earlier call with the same name. Returns the id of the wait. */
		async listen(run: WaitingRun, name: string, wanted: WantedEvent, expires_at: number): Promise<string> {
			const id = await toId(name);
			const [event_word = ""] = wanted.pattern.split(".");
			await store.waits.open({ ...run, id, expires_at, event_word, metadata_json: JSON.stringify(wanted) });
			return id;
		},

		async find(wait: WaitKey): Promise<Asked | null> {
			const found = await store.waits.get(wait);
			return found === null ? null : toAsked(found);
		},

		/** By the secret part of its address. */
		async findByToken(
			where: WaitingRun,
			token: string,
		): Promise<{ readonly id: string; readonly asked: Asked } | null> {
			const id = await toId(token);
			const found = await store.waits.get({ ...where, id });
			const asked = found === null ? null : toAsked(found);
			return asked === null ? null : { id, asked };
		},

		/** For the run itself: what became of its wait; null while it is open. */
		async take(wait: WaitKey): Promise<EndedWait | null> {
			const found = await store.waits.get({ ...wait, taken: true });
			return found === null || found.state === "open" ? null : toEnded(found);
		},

		/** Whether this answer counts: of several the first one does. */
		async answer({ owner_id, ...wait }: WaitKey, answer: Json, by: string): Promise<boolean> {
			const answer_json = JSON.stringify(answer);
			return (await store.waits.answer({ owner_id, waits: [wait], answer_json, by })).length === 1;
		},

		/** Nothing has come in time. An answer that came first counts. */
		async expire(wait: WaitKey): Promise<EndedWait | null> {
			await store.waits.end({ ...wait, state: "expired" });
			return this.take(wait);
		},

		withdraw: (wait: WaitKey): Promise<void> => store.waits.end({ ...wait, state: "withdrawn" }),
	};
}

/** Of the hash: 128 bits. */
const ID_LENGTH = 32;

/** The id does not reveal the address, which is in the run's journal only. */
const toId = async (token: string): Promise<string> => (await sha256Hex(token)).slice(0, ID_LENGTH);

const toEnded = ({ state, by, answer_json }: FoundWait): EndedWait => ({
	...{ state, by },
	answer: answer_json === null ? null : (JSON.parse(answer_json) as JsonObject),
});

/** Null if it is no question. */
function toAsked(found: FoundWait): Asked | null {
	const question = JSON.parse(found.metadata_json) as AskedQuestion | WantedEvent;
	if (!("question" in question)) return null;
	const { expires_at: expiresAt, answered_at: answeredAt } = found;
	return { ...toEnded(found), question, expiresAt, answeredAt };
}
