import { headersOf } from "@tripline/web/exchange";
import type { Transport } from "@tripline/web/service-call";

/** An answer that is read as it comes. */
export interface Opened {
	readonly status: number;
	readonly body: ReadableStream<Uint8Array>;
}

interface Asked {
	readonly method: string;
	readonly path: string;
	readonly baseUrl: string | undefined;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
}

const encoder = new TextEncoder();

/** Calls whose answer is no JSON, or not there yet in whole. */
export function opener(transport: Transport) {
	const { token } = transport;
	const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };

	return async ({ method, path, baseUrl, headers: own, body }: Asked): Promise<Opened> => {
		const url = (baseUrl ?? transport.baseUrl) + path;
		const headers = { ...authorization, ...own };
		if ("fetch" in transport) {
			// A redirect would take the request, and its token, to wherever the other side likes.
			const sent = { method, headers, redirect: "manual", ...(body !== undefined && { body }) } as const;
			const response = await transport.fetch(new Request(url, sent));
			return { status: response.status, body: response.body ?? streamOf("") };
		}
		const bytes = async () => encoder.encode(body ?? "");
		const answer = await transport.answer({
			method,
			url,
			headers: headersOf(headers),
			isInternal: true,
			bytes,
		});
		const isText = answer.body === null || typeof answer.body === "string";
		return {
			status: answer.status,
			body: isText ? streamOf(answer.body as string) : (answer.body as Opened["body"]),
		};
	};
}

/** The whole text, or a `RangeError` where it is longer than `most` bytes. */
export async function wholeText({ body }: Opened, most: number): Promise<string> {
	const decoder = new TextDecoder();
	let text = "";
	let length = 0;
	for await (const chunk of body) {
		length += chunk.length;
		if (length > most) throw new RangeError(`the answer is larger than ${most} bytes`);
		text += decoder.decode(chunk, { stream: true });
	}
	return text + decoder.decode();
}

const streamOf = (text: string | null): Opened["body"] => new Response(text ?? "").body as Opened["body"];
