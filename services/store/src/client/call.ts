import { EVENT_DEPTH_HEADER, EVENT_ROOT_HEADER, RUN_HEADER } from "@tripline/contract/headers";
import {
	type Answer,
	createServiceCaller,
	type Sent,
	ServiceRefused,
	ServiceUnavailable,
	type Transport,
} from "@tripline/web/service-call";

export interface CallOptions {
	/** The run on whose behalf the call is made. */
	readonly run?:
		| { readonly executionId: string; readonly eventDepth: number; readonly rootId: string }
		| undefined;
	readonly signal?: AbortSignal | undefined;
}

/** The store was unreachable or could not respond; the same call may succeed later. */
export class StoreUnavailable extends ServiceUnavailable {
	override readonly name = "StoreUnavailable";
}

/** The store refused the call; a retry would be refused too. */
export class StoreRefused extends ServiceRefused {
	override readonly name = "StoreRefused";
}

/** A page holds at most 4 MiB of text, or one entry of any size; JSON escaping can multiply that. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export function createCaller(transport: Transport) {
	const { call } = createServiceCaller(transport, {
		name: "the store",
		Unavailable: StoreUnavailable,
		Refused: StoreRefused,
		maxAnswerBytes: MAX_ANSWER_BYTES,
	});
	return <Result>(
		method: string,
		path: string,
		isAnswer: (answer: Answer) => boolean,
		sent: Sent,
		{ run, signal }: CallOptions = {},
	): Promise<Result> => {
		if (run === undefined) return call(method, path, isAnswer, sent, signal);
		const headers = {
			[RUN_HEADER]: run.executionId,
			[EVENT_DEPTH_HEADER]: String(run.eventDepth),
			[EVENT_ROOT_HEADER]: run.rootId,
		};
		return call(method, path, isAnswer, { ...sent, headers }, signal);
	};
}
