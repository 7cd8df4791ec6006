import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How the server responds. The default is `vectors`. */
export type Behaviour =
	| { readonly kind: "vectors"; readonly dimensions?: number }
	| { readonly kind: "status"; readonly status: number; readonly body?: string }
	| { readonly kind: "body"; readonly body: string }
	| { readonly kind: "silence" }
	| { readonly kind: "hang up" }
	/** Rejects longer texts, like a model with a small context window. */
	| { readonly kind: "short texts only"; readonly longest: number };

interface Received {
	readonly path: string;
	readonly authorization: string | undefined;
	readonly model: string;
	readonly input: readonly string[];
}

export interface EmbedServer {
	readonly url: string;
	/** The requests, in order. */
	readonly received: Received[];
	behave(behaviour: Behaviour): void;
	close(): void;
}

/** An OpenAI-compatible embeddings server on loopback. Texts that share words get vectors that are close. */
export async function startEmbedServer(): Promise<EmbedServer> {
	const received: Received[] = [];
	let behaviour: Behaviour = { kind: "vectors" };
	const server = createServer((request, response) => {
		answer(request, response, received, behaviour).catch(() => response.destroy());
	});
	server.listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	// The server must not keep the process of a test file that only lists scenarios running.
	server.unref();
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		received,
		behave(next) {
			behaviour = next;
		},
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

async function answer(
	request: IncomingMessage,
	response: ServerResponse,
	received: Received[],
	behaviour: Behaviour,
): Promise<void> {
	let text = "";
	for await (const chunk of request.setEncoding("utf8")) text += chunk;
	const { model, input } = JSON.parse(text) as { model: string; input: string[] };
	received.push({ path: request.url ?? "", authorization: request.headers.authorization, model, input });
	const send = (status: number, body: string) => {
		response.writeHead(status, { "content-type": "application/json", location: "/elsewhere" });
		response.end(body);
	};
	switch (behaviour.kind) {
		case "silence":
			return;
		case "hang up":
			response.destroy();
			return;
		case "status":
			return send(behaviour.status, behaviour.body ?? '{"error":{"message":"no"}}');
		case "body":
			return send(200, behaviour.body);
		case "short texts only":
			if (input.some((each) => each.length > behaviour.longest)) return send(400, '{"error":"too long"}');
			return send(200, renderVectors(input, 32));
		case "vectors":
			return send(200, renderVectors(input, behaviour.dimensions ?? 32));
	}
}

/** In reverse order, because clients must use the index, not the position. */
function renderVectors(input: readonly string[], dimensions: number): string {
	const data = input.map((text, index) => ({
		object: "embedding",
		index,
		embedding: buildVector(text, dimensions),
	}));
	return JSON.stringify({
		object: "list",
		data: data.reverse(),
		usage: { prompt_tokens: 1, total_tokens: 1 },
	});
}

/** Synonyms get the same vector. */
const MEANINGS = new Map([["beverage", "tea"]]);

/** Each word sets a few dimensions, chosen by its letters. */
function buildVector(text: string, dimensions: number): number[] {
	const vector = new Array<number>(dimensions).fill(0.01);
	for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
		let hash = 7;
		for (const letter of MEANINGS.get(word) ?? word)
			hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
		for (const step of [1, 3, 7])
			vector[(hash * step) % dimensions] = (vector[(hash * step) % dimensions] ?? 0) + 1;
	}
	return vector;
}
