import type { HttpRequest, StreamedBody } from "./http.ts";
import { bodySizeError, tooLargeError } from "./http-errors.ts";

export const isStreamed = (body: HttpRequest["body"]): body is StreamedBody =>
	typeof body === "object" && body !== null && !(body instanceof Uint8Array);

/**
 * The bytes of a request's body. Reports its own errors to `failed`, so that they are not taken for the server's, and
 * passes a chunk to `done` when the next one is asked for.
 */
export async function* readStreamedBody(
	body: StreamedBody,
	failed: (error: unknown) => void,
	done?: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
	let size = 0;
	try {
		for await (const chunk of body.open()) {
			size += chunk.length;
			if (size > body.size) break;
			yield chunk;
			done?.(chunk);
		}
		if (size !== body.size) throw bodySizeError(body.size);
	} catch (error) {
		failed(error);
		throw error;
	}
}

/** Passes the bytes on, up to a limit. Reports errors of the content to `failed` before its reader sees them. */
export async function* limitContent(
	content: AsyncIterable<Uint8Array>,
	maxBytes: number,
	host: string,
	failed: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
	let size = 0;
	try {
		for await (const chunk of content) {
			size += chunk.length;
			if (size > maxBytes) throw tooLargeError(host, maxBytes);
			yield chunk;
		}
	} catch (error) {
		failed(error);
		throw error;
	}
}
