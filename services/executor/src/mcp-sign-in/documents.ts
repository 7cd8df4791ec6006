import { isInsecure } from "@tripline/components/outbound/hosts";
import { Failed } from "@tripline/contract/failures";
import {
	type HttpAnswer,
	type HttpRequest,
	type OutboundHttp,
	OutboundRefused,
} from "@tripline/platform/http";

const TIMEOUT_MS = 10_000;
/** The largest ones in use have about 10 KB. */
const MAX_BYTES = 256 * 1024;
const MAX_REDIRECTS = 2;
const MAX_ADDRESS_LENGTH = 2_000;

/** What an MCP server or its authorization server says cannot be used. */
export const refuse = (message: string): Failed => new Failed({ kind: "bad_gateway", message });

export type Documents = ReturnType<typeof documents>;

/** Reads the documents that a sign-in at one MCP server needs. */
export function documents(send: OutboundHttp["send"], server: URL, signal: AbortSignal) {
	return {
		/** Null if there is none: servers answer an address that they do not know in many ways. */
		async read(url: URL): Promise<Readonly<Record<string, unknown>> | null> {
			const answer = await follow(url);
			return answer.status === 200 ? parseObject(answer.body) : null;
		},

		/** Does not follow redirects. */
		post: (url: URL, body: object): Promise<HttpAnswer> =>
			request({
				method: "POST",
				url,
				headers: { accept: "application/json", "content-type": "application/json", "user-agent": "Tripline" },
				body: JSON.stringify(body),
			}),

		parseAddress,
	};

	async function follow(first: URL): Promise<HttpAnswer> {
		let url = first;
		for (let redirects = 0; ; redirects++) {
			const answer = await request({
				method: "GET",
				url,
				headers: { accept: "application/json", "user-agent": "Tripline" },
				body: null,
			});
			const { location } = answer.headers;
			if (answer.status < 300 || answer.status >= 400 || location === undefined) return answer;
			const next = URL.parse(location, url);
			// Elsewhere it would be another host that says whom to trust.
			if (next === null || next.origin !== first.origin)
				throw refuse(`${first.host} redirects the metadata of its sign-in to another host`);
			if (redirects === MAX_REDIRECTS) throw refuse(`${first.host} redirects too often`);
			url = next;
		}
	}

	async function request(
		sent: Pick<HttpRequest, "method" | "url" | "headers" | "body">,
	): Promise<HttpAnswer> {
		try {
			return await send({ ...sent, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }, signal);
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			throw refuse(
				error instanceof OutboundRefused
					? `the sign-in at ${server.host} is refused: ${message}`
					: `${sent.url.host} cannot be reached: ${message}`,
			);
		}
	}

	/** An address that the server named. Braces would be places for fields of the credential. */
	function parseAddress(text: unknown, what: string): URL {
		const url = typeof text === "string" && text.length <= MAX_ADDRESS_LENGTH ? URL.parse(text) : null;
		const isAddress =
			url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
		if (!isAddress || /[{}]|%7[bd]/i.test(url.href))
			throw refuse(`the ${what} that ${server.host} names is not a valid address`);
		if ((server.protocol === "https:" && url.protocol !== "https:") || isInsecure(url))
			throw refuse(`the ${what} that ${server.host} names must use https`);
		url.hash = "";
		return url;
	}
}

export function parseObject(body: Uint8Array): Readonly<Record<string, unknown>> | null {
	try {
		const value: unknown = JSON.parse(new TextDecoder().decode(body));
		const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
		return isObject ? (value as Record<string, unknown>) : null;
	} catch {
		return null;
	}
}
