import type { HttpAnswer, HttpRequest } from "@tripline/platform/http";
import { tooLargeError } from "@tripline/platform/http-errors";

/** The bytes of a request's body, for a stand-in of the port. */
export async function readSentBody(body: HttpRequest["body"]): Promise<Uint8Array> {
	if (typeof body === "string") return new TextEncoder().encode(body);
	if (body === null || body instanceof Uint8Array) return body ?? new Uint8Array();
	const chunks: Uint8Array[] = [];
	for await (const chunk of body.open()) chunks.push(new Uint8Array(chunk));
	return new Uint8Array(Buffer.concat(chunks));
}

/** Few, so that readers meet many places where a chunk can end. */
const CHUNK_BYTES = 1000;

/** Answers as the port does: the request's sink takes the body, or it is in the answer. */
export async function deliverAnswer(request: HttpRequest, answer: HttpAnswer): Promise<HttpAnswer> {
	const { sink, maxBytes, url } = request;
	const { status, headers, body } = answer;
	const take = sink?.open({ status, headers }) ?? null;
	const limit = take === null ? maxBytes : (sink?.maxBytes ?? 0);
	if (body.length > limit) throw tooLargeError(url.host, limit);
	if (take === null) return answer;
	await take(listChunks(body));
	return { status, headers, body: new Uint8Array() };
}

async function* listChunks(body: Uint8Array): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < body.length; at += CHUNK_BYTES) yield body.slice(at, at + CHUNK_BYTES);
}
