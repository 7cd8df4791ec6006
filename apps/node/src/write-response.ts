import type { ServerResponse } from "node:http";
import { DEFAULT_HEADERS, type Outgoing, openByteReader } from "@tripline/web/http-message";

const WRITE_BYTES = 128 * 1024;

export async function writeResponse(
	{ status, headers, body }: Outgoing,
	response: ServerResponse,
): Promise<void> {
	if (body === null || typeof body === "string") {
		const text = body ?? "";
		// Statuses without a body must not have a content-length.
		const isBodiless = body === null && (status === 204 || status === 304);
		response.writeHead(
			status,
			isBodiless
				? { ...DEFAULT_HEADERS, ...headers }
				: { ...DEFAULT_HEADERS, ...headers, "content-length": Buffer.byteLength(text) },
		);
		response.end(text);
		return;
	}
	response.writeHead(status, { ...DEFAULT_HEADERS, ...headers });
	// A buffer is worth its memory only for a long body.
	const isLong = Number(headers["content-length"] ?? 0) > WRITE_BYTES;
	await writeStream(body, isLong ? openByteReader(body) : null, response);
	response.end();
}

/** With a reader of bytes one buffer is filled again and again, so that a download makes no garbage. */
async function writeStream(
	body: ReadableStream<Uint8Array>,
	reader: ReadableStreamBYOBReader | null,
	response: ServerResponse,
): Promise<void> {
	if (reader === null) {
		for await (const chunk of body) if (!(await writeChunk(chunk, response))) break;
		return;
	}
	let view: Uint8Array<ArrayBuffer> = new Uint8Array(WRITE_BYTES);
	for (;;) {
		const { done, value } = await reader.read(view);
		if (done) return;
		if (!(await writeChunk(value, response))) break;
		view = new Uint8Array(value.buffer);
	}
	await reader.cancel();
}

/** Resolves when the memory of the chunk is free again; false if the client is gone. */
const writeChunk = (chunk: Uint8Array, response: ServerResponse): Promise<boolean> =>
	new Promise((resolve) => {
		if (response.destroyed) return resolve(false);
		const close = () => resolve(false);
		response.once("close", close);
		response.write(chunk, (error) => {
			response.off("close", close);
			resolve(error === null || error === undefined);
		});
	});
