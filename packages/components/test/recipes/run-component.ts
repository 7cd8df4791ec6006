import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileSource } from "@tripline/engine/compile";
import type { Component } from "@tripline/engine/component";
import { run } from "@tripline/engine/run";
import type { Effects } from "../../src/effects.ts";
import type { OutboundAnswer, OutboundCall } from "../../src/outbound/call.ts";

/** A service's response: a status and a body, which is JSON unless it is text. */
interface Answer {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: Json;
}

export interface Ran {
	readonly output?: Json;
	readonly error?: string;
	readonly calls: readonly OutboundCall[];
	readonly log: readonly string[];
	readonly slept: readonly number[];
}

export interface Settings {
	readonly credential?: string;
	readonly input?: JsonObject;
	/** In order; the last one repeats. */
	readonly answers?: readonly Answer[];
	readonly sandbox?: Effects["sandbox"];
	readonly files?: Effects["files"];
	readonly retry?: { readonly max: number; readonly delay_ms: number };
	/** Instead of the service that records its requests. */
	readonly http?: Effects["http"];
	/** The placeholders that `http` knows. */
	readonly text?: Effects["credentialText"];
}

/** Compiles a workflow of one node and runs it against a service that records its requests. */
export async function runComponent(
	components: readonly Component<Effects>[],
	id: string,
	params: JsonObject,
	{ credential, input = {}, answers = [{}], sandbox, files, retry, http, text }: Settings = {},
): Promise<Ran> {
	const catalogue = {
		ids: () => components.map((component) => component.id),
		get: (wanted: string) => components.find((component) => component.id === wanted),
	};
	const node = { component: id, ...params, ...(credential && { credential }), ...(retry && { retry }) };
	const source = { json: { triplets: ["input >> ON_SUCCESS >> n"], config: { n: node } } };
	const { plan, diagnostics } = compileSource(source, { catalogue, named: false });
	const calls: OutboundCall[] = [];
	const slept: number[] = [];
	if (plan === null) {
		const error = diagnostics
			.map(({ message, hint }) => (hint ? `${message} (${hint})` : message))
			.join("; ");
		return { error, calls, slept, log: [] };
	}
	const effects = {
		clock: { now: () => Date.now() },
		async sleep(ms: number) {
			slept.push(ms);
		},
		async http(call: OutboundCall, signal: AbortSignal) {
			calls.push(call);
			if (http !== undefined) return http(call, signal);
			const answer = toAnswer(answers[Math.min(calls.length, answers.length) - 1] ?? {}, call.url);
			const { body, ...head } = answer;
			if (call.sink?.accepts(answer.status) !== true) return answer;
			await call.sink.take(head, listChunks(body));
			return { ...head, body: new Uint8Array() };
		},
		credentialText: text ?? ((name: string, field = "") => `secret-${name}-${field}`),
		sandbox,
		files,
	} as unknown as Effects;
	const outcome = await run(plan, {
		input,
		context: {},
		workflow: { name: "test" },
		execution: { id: "test" },
		credential: effects.credentialText,
		budget: { stepsLeft: 1000 },
		deadline: Date.now() + 10_000,
		timeoutMs: 10_000,
		clock: effects.clock,
		effects,
	});
	const log = outcome.nodes[0]?.log ?? [];
	return outcome.success
		? { output: outcome.data, calls, log, slept }
		: { error: outcome.error?.replace("n: ", "") ?? "", calls, log, slept };
}

async function* listChunks(body: Uint8Array): AsyncGenerator<Uint8Array> {
	for (const byte of body) yield Uint8Array.of(byte);
}

function toAnswer({ status = 200, headers, body }: Answer, url: string): OutboundAnswer {
	const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
	return {
		status,
		headers: headers ?? { "content-type": typeof body === "string" ? "text/plain" : "application/json" },
		body: new TextEncoder().encode(text),
		url,
	};
}
