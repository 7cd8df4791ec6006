import { createServer, request as dial, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpAnswer, HttpRequest, OutboundHttp } from "@tripline/platform/http";
import { deliverAnswer, readSentBody } from "../../../../test/http-double.ts";
import type { Exchange } from "./exchange.ts";
import { googleToken, TOKEN_URL } from "./google-account.ts";

export interface SeenRequest {
	readonly method: string;
	readonly url: string;
	/** Without connection headers. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

export interface Double {
	/** Connects to the double instead of the service in the URL. */
	readonly send: OutboundHttp["send"];
	/** The requests since then, except those to token endpoints. */
	readonly seen: SeenRequest[];
	/** The bodies of `seen`. */
	readonly bodies: Buffer[];
	/** Several responses are given in order, and the last one again. */
	answer(response: Exchange["response"] | readonly Exchange["response"][], scope?: string): void;
	close(): Promise<void>;
}

/** A local server that stands in for every service. */
export async function openDouble(): Promise<Double> {
	const seen: SeenRequest[] = [];
	const bodies: Buffer[] = [];
	const unexpected = { status: 500, headers: {}, body: "nothing was expected" };
	let responses: readonly Exchange["response"][] = [];
	let scope = "";
	const server = createServer(async (incoming, outgoing) => {
		const bytes = await readBytes(incoming);
		const request = toSeen(incoming, bytes);
		if (request.url === TOKEN_URL) {
			const { status, body } = googleToken(request.body, scope, Date.now() / 1000);
			return write(outgoing, { status, headers: { "content-type": "application/json" }, body });
		}
		seen.push(request);
		bodies.push(bytes);
		write(outgoing, responses[seen.length - 1] ?? responses.at(-1) ?? unexpected);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		send: (request) => sendTo(port, request),
		seen,
		bodies,
		answer(next, granted = "") {
			seen.length = 0;
			bodies.length = 0;
			responses = [next].flat();
			scope = granted;
		},
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

const OF_THE_CONNECTION = new Set(["connection", "content-length", "host"]);

async function readBytes(incoming: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks);
}

function toSeen(incoming: IncomingMessage, bytes: Buffer): SeenRequest {
	const headers = Object.entries(incoming.headers).filter(([name]) => !OF_THE_CONNECTION.has(name));
	return {
		method: incoming.method ?? "",
		url: `https://${incoming.headers.host}${incoming.url === "/" ? "" : incoming.url}`,
		headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
		body: bytes.toString("utf8"),
	};
}

function write(outgoing: ServerResponse, { status, headers, body }: Exchange["response"]): void {
	outgoing.writeHead(status, headers);
	outgoing.end(body);
}

async function sendTo(port: number, request: HttpRequest): Promise<HttpAnswer> {
	const { method, url, headers } = request;
	if (url.protocol !== "https:") throw new Error(`${url.protocol} is not https:`);
	const body = request.body === null ? null : await readSentBody(request.body);
	const answer = await new Promise<HttpAnswer>((resolve, reject) => {
		const length = body === null ? {} : { "content-length": body.length };
		const path = url.pathname + url.search;
		const outgoing = dial({
			host: "127.0.0.1",
			port,
			method,
			path,
			headers: { ...headers, ...length, host: url.host },
			agent: false,
		});
		outgoing.on("error", reject);
		outgoing.on("response", async (incoming) => {
			const chunks: Buffer[] = [];
			for await (const chunk of incoming) chunks.push(chunk as Buffer);
			const given = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
			resolve({
				status: incoming.statusCode ?? 0,
				headers: Object.fromEntries(given),
				body: new Uint8Array(Buffer.concat(chunks)),
			});
		});
		outgoing.end(body ?? undefined);
	});
	return deliverAnswer(request, answer);
}
