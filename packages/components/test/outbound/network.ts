import { createServer, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { type AuthRecipe, WriteAuthRecipe } from "@tripline/contract/recipes";
import { type HttpAnswer, type HttpRequest, OutboundRefused } from "@tripline/platform/http";
import { deliverAnswer, readSentBody } from "../../../../test/http-double.ts";
import { createTokens } from "../../src/auth/tokens.ts";
import { createOutbound } from "../../src/outbound/create.ts";
import { createPlaceholders } from "../../src/outbound/placeholders.ts";

export interface Seen {
	readonly method: string;
	/** As `https://host:port/path?query`, with the requested scheme. */
	readonly url: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: Buffer;
	/** Everything received, as text. */
	readonly wire: string;
}

interface Reply {
	readonly status?: number;
	readonly headers?: Record<string, string>;
	readonly body?: string | Buffer;
}

export type Answers = (seen: Seen) => Reply | Promise<Reply>;

/** Serves any host name with one real local server that records its requests. */
async function openNetwork(answers: Answers) {
	const seen: Seen[] = [];
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { "x-scheme": scheme, ...headers } = request.headers;
		const body = Buffer.concat(chunks);
		const { method = "" } = request;
		const url = `${scheme}//${headers.host}${request.url}`;
		const lines = request.rawHeaders.join("\n");
		const asked = {
			method,
			url,
			headers,
			body,
			wire: `${method} ${url}\n${lines}\n\n${body.toString("latin1")}`,
		};
		seen.push(asked);
		const { status = 200, headers: given = {}, body: content = "" } = await answers(asked);
		response.writeHead(status, given);
		response.end(method === "HEAD" ? undefined : content);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		seen,
		send: (request: HttpRequest, signal: AbortSignal) => sendTo(port, request, signal),
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** Like the guarded port: private addresses are refused before anything is sent. */
async function sendTo(port: number, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
	const { method, url, headers, timeoutMs } = request;
	if (/^(?:169\.254|10)\./.test(url.hostname)) {
		throw new OutboundRefused(`${url.hostname} is not a public address`);
	}
	const body = request.body === null ? undefined : await readSentBody(request.body);
	const answer = await new Promise<HttpAnswer>((resolve, reject) => {
		const outgoing = httpRequest(
			{
				port,
				host: "127.0.0.1",
				method,
				path: url.pathname + url.search,
				headers: {
					...headers,
					host: url.host,
					"x-scheme": url.protocol,
					...(body !== undefined && { "content-length": body.length }),
				},
				signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
			},
			async (response) => {
				const chunks: Buffer[] = [];
				for await (const chunk of response) chunks.push(chunk as Buffer);
				const given = Object.entries(response.headers).map(([name, value]) => [
					name,
					Array.isArray(value) ? value.join(", ") : String(value),
				]);
				const whole = new Uint8Array(Buffer.concat(chunks));
				resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(given), body: whole });
			},
		);
		outgoing.on("error", reject);
		outgoing.end(body);
	});
	return deliverAnswer(request, answer);
}

type Written = Parameters<(typeof WriteAuthRecipe)["parse"]>[0];

export const toAuthRecipe = (id: string, recipe: Written): AuthRecipe => ({
	...WriteAuthRecipe.parse({ title: id, ...(recipe as object) }),
	id,
});

export const secret = (name: string) => ({ name, secret: true, help: "" });
export const open = (name: string) => ({ name, secret: false, help: "" });

export interface Stored {
	readonly recipe: AuthRecipe;
	readonly fields: Readonly<Record<string, string>>;
}

/** Everything between a component and the network, with the credentials of one tenant. */
export async function openOutbound(answers: Answers, credentials: Readonly<Record<string, Stored>> = {}) {
	const network = await openNetwork(answers);
	const time = { now: Date.now() };
	const clock = { now: () => time.now };
	const placeholders = createPlaceholders();
	const loads: string[] = [];
	const http = createOutbound({
		send: network.send,
		clock,
		tokens: createTokens({ clock, sharesPromises: true }),
		placeholders,
		async credential(name) {
			loads.push(name);
			const stored = credentials[name];
			return stored === undefined ? null : { ...stored, key: `tenant/${name}/1` };
		},
	});
	return {
		http: (call: Parameters<typeof http>[0], signal = new AbortController().signal) => http(call, signal),
		seen: network.seen,
		text: placeholders.text,
		time,
		loads,
		[Symbol.asyncDispose]: network[Symbol.asyncDispose],
	};
}
