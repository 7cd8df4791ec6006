import type { OutboundHttp } from "@tripline/platform/http";
import { deliverAnswer, readSentBody } from "../http-double.ts";

/** A request that a service sent to an external host. */
export interface OutsideRequest {
	readonly method: string;
	readonly url: string;
	/** By lower-case name. */
	readonly headers: Readonly<Record<string, string>>;
	/** As UTF-8. */
	readonly body: string;
	readonly bytes: Uint8Array;
}

export interface OutsideAnswer {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string | Uint8Array;
	/** Instead of `body`. */
	readonly json?: unknown;
}

export type Serve = (request: OutsideRequest) => OutsideAnswer | Promise<OutsideAnswer>;

/** The internet of the tests: the hosts that scenarios serve, and every request that was sent. */
export class Outside {
	readonly requests: OutsideRequest[] = [];
	readonly #hosts = new Map<string, Serve>();

	/** `host` includes the port unless it is the default of the scheme. */
	serve(host: string, serve: Serve): void {
		this.#hosts.set(host, serve);
	}

	/** The requests to this host, in order of arrival. */
	sentTo(host: string): OutsideRequest[] {
		return this.requests.filter(({ url }) => new URL(url).host === host);
	}

	async answer(request: OutsideRequest): Promise<Required<Omit<OutsideAnswer, "json">>> {
		this.requests.push(request);
		const serve = this.#hosts.get(new URL(request.url).host);
		const { status = 200, headers = {}, body = "", json } = (await serve?.(request)) ?? NOBODY;
		return json === undefined
			? { status, headers, body }
			: { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(json) };
	}

	/** For Node: served hosts are answered here; all other requests use the real client with its checks. */
	around(http: OutboundHttp): OutboundHttp {
		return {
			send: async (request, signal) => {
				if (!this.#hosts.has(request.url.host)) return http.send(request, signal);
				const { method, url, headers, body } = request;
				const bytes = await readSentBody(body);
				const answer = await this.answer(toRequest(method, url.href, headers, bytes));
				const answered = typeof answer.body === "string" ? encoder.encode(answer.body) : answer.body;
				return deliverAnswer(request, { ...answer, body: method === "HEAD" ? new Uint8Array() : answered });
			},
			close: () => http.close(),
		};
	}

	/** For workerd: gets every request of a workflow, except those to this machine. */
	readonly fetch = async (request: FetchedRequest): Promise<Response> => {
		const headers = Object.fromEntries(request.headers);
		const bytes = new Uint8Array(await request.arrayBuffer());
		const answer = await this.answer(toRequest(request.method, request.url, headers, bytes));
		const body = answer.body.length === 0 ? null : (answer.body as Uint8Array<ArrayBuffer>);
		return new Response(body, { status: answer.status, headers: answer.headers });
	};
}

const toRequest = (
	method: string,
	url: string,
	headers: OutsideRequest["headers"],
	bytes: Uint8Array,
): OutsideRequest => ({ method, url, headers, bytes, body: decoder.decode(bytes) });

interface FetchedRequest {
	readonly method: string;
	readonly url: string;
	readonly headers: Iterable<[string, string]>;
	arrayBuffer(): Promise<ArrayBuffer>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NOBODY: OutsideAnswer = { status: 502, body: "no scenario serves this host" };
