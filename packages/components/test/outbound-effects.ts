import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "@tripline/contract/json";
import type { Component } from "@tripline/engine/component";
import { MAX_NODE_UNITS, Meter } from "@tripline/engine/meter";
import type { Effects } from "../src/effects.ts";
import type { OutboundBody, OutboundCall } from "../src/outbound/call.ts";

interface SeenRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingMessage["headers"];
	readonly body: string;
}

type Answer = (request: SeenRequest, response: ServerResponse, number: number) => unknown;

/** A local server with a given handler that records its requests. */
export async function openServer(answer: Answer) {
	const seen: SeenRequest[] = [];
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { method = "", url = "", headers } = request;
		const asked = { method, path: url, headers, body: Buffer.concat(chunks).toString("utf8") };
		seen.push(asked);
		await answer(asked, response, seen.length);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		seen,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

export const sendJson = (response: ServerResponse, value: unknown, status = 200, headers = {}): void => {
	response.writeHead(status, { "content-type": "application/json", ...headers });
	response.end(JSON.stringify(value));
};

interface Setting {
	readonly credential?: string;
	readonly signal?: AbortSignal;
	readonly effects?: Partial<Effects>;
}

/** Runs a component by itself over fetch; waits are recorded, not waited for. */
export async function runOutbound(component: Component<Effects>, given: unknown, setting: Setting = {}) {
	const waits: number[] = [];
	const calls: OutboundCall[] = [];
	const lines: string[] = [];
	const effects: Partial<Effects> = {
		clock: { now: () => Date.now() },
		sleep: async (ms) => void waits.push(ms),
		getModelPrice: () => null,
		countTokens: () => {},
		http: (call, signal) => {
			calls.push(call);
			return byFetch(call, signal);
		},
		...setting.effects,
	};
	const read = component.params.safeParse(given);
	if (!read.success) throw new Error(read.error.issues.map(({ message }) => message).join("; "));
	const control = new AbortController();
	const output = await component.run({
		params: read.data as { [name: string]: Json },
		meter: new Meter(MAX_NODE_UNITS),
		step: ":test",
		startedAt: 0,
		announced: null,
		announce: async () => {},
		attempt: 1,
		isCancelled: false,
		needsTurn: false,
		turn: async () => {},
		expressions: {},
		node: { id: "test", credential: setting.credential, timeoutMs: undefined },
		signal: setting.signal ?? control.signal,
		abort: (reason) => control.abort(reason),
		effects: effects as Effects,
		log: (line) => lines.push(line),
		emit() {},
	});
	component.output.parse(output);
	return { output, waits, calls, lines };
}

export const runForOutput = async (...call: Parameters<typeof runOutbound>) =>
	(await runOutbound(...call)).output;

export async function runForFailure(...call: Parameters<typeof runOutbound>): Promise<Error> {
	try {
		const { output } = await runOutbound(...call);
		throw new RangeError(`gave ${JSON.stringify(output).slice(0, 200)}`);
	} catch (error) {
		if (error instanceof RangeError) throw error;
		return error as Error;
	}
}

const byFetch: Effects["http"] = async (call, signal) => {
	const url = new URL(call.url);
	for (const [name, value] of Object.entries(call.query ?? {})) {
		for (const one of Array.isArray(value) ? value : [value]) {
			if (one !== null) url.searchParams.append(name, String(one));
		}
	}
	const headers = new Headers(call.headers);
	if (call.credential !== undefined) headers.set("authorization", `Bearer ${call.credential}`);
	const { body, contentType } = toBody(call.body);
	if (contentType !== undefined && !headers.has("content-type")) headers.set("content-type", contentType);
	const limits = [signal, AbortSignal.timeout(call.timeoutMs ?? 10_000)];
	const response = await fetch(url, {
		method: call.method,
		headers,
		body,
		signal: AbortSignal.any(limits),
	});
	const head = { status: response.status, headers: Object.fromEntries(response.headers), url: response.url };
	if (call.sink?.accepts(response.status) === true) {
		await call.sink.take(head, response.body ?? new ReadableStream());
		return { ...head, body: new Uint8Array() };
	}
	const bytes = new Uint8Array(await response.arrayBuffer());
	if (bytes.length > (call.maxBytes ?? 10 * 1024 * 1024)) throw new Error("the answer is too large");
	return { ...head, body: bytes };
};

type Sent = string | URLSearchParams | Uint8Array<ArrayBuffer> | FormData | null;

function toBody(body: OutboundBody | undefined): { body: Sent; contentType?: string } {
	switch (body?.kind) {
		case undefined:
			return { body: null };
		case "json":
			return { body: JSON.stringify(body.value), contentType: "application/json" };
		case "form":
			return { body: new URLSearchParams(body.fields as Record<string, string>) };
		case "text":
			return { body: body.text, contentType: "text/plain" };
		case "base64":
			return {
				body: Uint8Array.from(Buffer.from(body.data, "base64")),
				contentType: "application/octet-stream",
			};
		case "email":
		case "file":
			throw new Error("not over fetch");
		case "multipart": {
			const form = new FormData();
			for (const { name, text, base64 = "", filename, contentType = "" } of body.parts) {
				const content = text ?? Buffer.from(base64, "base64");
				if (filename === undefined) form.append(name, text ?? new Blob([content]));
				else form.append(name, new Blob([content], { type: contentType }), filename);
			}
			return { body: form };
		}
	}
}
