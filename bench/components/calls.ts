import { createTokens } from "@tripline/components/auth/tokens";
import type { Effects } from "@tripline/components/effects";
import { createOutbound, type OutboundDeps } from "@tripline/components/outbound/create";
import { createPlaceholders } from "@tripline/components/outbound/placeholders";
import type { Json } from "@tripline/contract/json";
import type { Plan } from "@tripline/engine/plan";
import { parseAllowedHosts } from "@tripline/platform/addresses";
import { systemClock } from "@tripline/platform/clock";
import type { OutboundHttp } from "@tripline/platform/http";
import { nodeHttp } from "@tripline/platform/http.node";
import { runOnce } from "../executor/engine.ts";

type LoadCredential = OutboundDeps["credential"];

export interface Caller extends AsyncDisposable {
	/** The result of one run. */
	run(plan: Plan<Effects>, input?: Json): Promise<Json>;
	/** `Effects.http`, created for each run. */
	http(): Effects["http"];
	readonly send: OutboundHttp["send"];
}

/** The real port and everything between it and a node. */
export function openCaller(credential: LoadCredential = async () => null): Caller {
	const http = nodeHttp({ allow: parseAllowedHosts("127.0.0.1") });
	const deps = {
		send: http.send,
		clock: systemClock,
		tokens: createTokens({ clock: systemClock, sharesPromises: true }),
		placeholders: createPlaceholders(),
		credential,
	};
	return {
		run: (plan, input = {}) =>
			runForData(plan, input, { http: createOutbound(deps), credentialText: deps.placeholders.text }),
		http: () => createOutbound(deps),
		send: http.send,
		[Symbol.asyncDispose]: () => http.close(),
	};
}

/** Returns the result of the run. */
export async function runForData(plan: Plan<Effects>, input: Json, effects: Partial<Effects>): Promise<Json> {
	const { success, data, error } = await runOnce(plan, input, { clock: systemClock, ...effects } as Effects);
	if (!success) throw new Error(error);
	return data;
}

/** A workflow of one request. */
export const requestGraph = (url: string, id = "call"): object => ({
	id,
	nodes: [{ id: "call", component: "http_request", params: { url } }],
	edges: [],
});

/** Makes a number of calls with limited concurrency. */
export async function callInLanes(calls: number, lanes: number, call: () => Promise<unknown>): Promise<void> {
	let left = calls;
	const lane = async () => {
		while (left-- > 0) await call();
	};
	await Promise.all(Array.from({ length: lanes }, lane));
}
