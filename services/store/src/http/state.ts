import { Failed } from "@tripline/contract/failures";
import { uuidv7 } from "@tripline/contract/ids";
import {
	IncrementState,
	IncrementStateAnswer,
	MAX_STATE_NAMES,
	SetState,
	SetStateAnswer,
	StateAnswer,
	StateQuery,
} from "@tripline/contract/state";
import { type Route, reply, route } from "@tripline/web/route";
import { assertInternal, type Caller } from "../domain/callers.ts";
import type { StoreParts } from "./deps.ts";

const tag = "State";

export function stateRoutes({ state, clock }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "GET",
			path: "/state",
			tag,
			summary: "Read a named value",
			description: "Internal callers only. An expired value is absent.",
			query: StateQuery,
			responses: { 200: { description: "The value, or null", body: StateAnswer } },
			async handle({ caller, query }) {
				assertInternal(caller);
				return reply(200, { value_json: await state.get({ ...query, now: clock.now() }) });
			},
		}),
		route({
			method: "PUT",
			path: "/state",
			tag,
			summary: "Set a named value",
			description: `Internal callers only. Replaces the value and its lifetime; null deletes the name. With if_absent exactly one of any number of concurrent calls stores its value. An owner has at most ${MAX_STATE_NAMES} names; a further one gets 409.`,
			body: SetState,
			responses: { 200: { description: "What was there before", body: SetStateAnswer } },
			async handle({ caller, body }) {
				assertInternal(caller);
				if (JSON.parse(body.value_json) === null) {
					const previous_json = await state.delete({ ...body, now: clock.now() });
					return reply(200, { stored: true, previous_json });
				}
				const outcome = await state.set({ ...body, ...buildWrite(body.ttl_seconds) });
				if (outcome === "full") throw createFullError();
				return reply(200, { stored: outcome.stored, previous_json: outcome.previous });
			},
		}),
		route({
			method: "POST",
			path: "/state/increment",
			tag,
			summary: "Add to a named number",
			description:
				"Internal callers only. A name without a value counts from 0; ttl_seconds applies to it, and an existing counter keeps its lifetime. Concurrent calls lose nothing. A value that is not a number, or a sum beyond ±9007199254740991, gets 409.",
			body: IncrementState,
			responses: { 200: { description: "The counter", body: IncrementStateAnswer } },
			async handle({ caller, body }) {
				assertInternal(caller);
				const outcome = await state.increment({ ...body, ...buildWrite(body.ttl_seconds) });
				if ("value" in outcome) return reply(200, { value: outcome.value });
				throw outcome.refused === null ? createFullError() : createNumberError(body.name, outcome.refused);
			},
		}),
	];

	function buildWrite(ttlSeconds: number | undefined) {
		const now = clock.now();
		const expires_at = ttlSeconds === undefined ? null : now + ttlSeconds * 1000;
		return { id: uuidv7(now), now, expires_at };
	}
}

const createFullError = (): Failed =>
	new Failed({
		kind: "conflict",
		message: `the namespace has ${MAX_STATE_NAMES} names, the most it can have; delete some, or give them a lifetime`,
	});

function createNumberError(name: string, json: string): Failed {
	const isNumber = typeof JSON.parse(json) === "number";
	const problem = isNumber ? `would exceed ±${Number.MAX_SAFE_INTEGER}` : "is not a number";
	return new Failed({ kind: "conflict", message: `the value of ${JSON.stringify(name)} ${problem}` });
}
