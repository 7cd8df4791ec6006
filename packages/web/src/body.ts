import { Failed } from "@tripline/contract/failures";
import { findUnstorable, findUnstorableParsed } from "@tripline/contract/json";
import type * as z from "zod";
import { type Incoming, TooLong } from "./http-message.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the JSON body: at most `maxBytes`, valid UTF-8, not too deep, storable in every database. Undefined if there is
 * none and the schema allows that.
 */
export async function readJson(request: Incoming, maxBytes: number, schema?: z.ZodType): Promise<unknown> {
	const bytes = await readBody(request, maxBytes);
	if (bytes.length === 0 && schema?.safeParse(undefined).success === true) return undefined;
	const { value, text } = parse(bytes);
	const problem = findUnstorableParsed(value, text);
	if (problem !== null) throw new Failed({ kind: "bad_request", message: problem });
	return value;
}

/** Reads a body that is a text: at most `maxBytes`, valid UTF-8, storable in every database. */
export async function readText(request: Incoming, maxBytes: number): Promise<string> {
	const text = decode(await readBody(request, maxBytes));
	const problem = findUnstorable(text);
	if (problem !== null) throw new Failed({ kind: "bad_request", message: problem });
	return text;
}

/** Reads the raw body, at most `maxBytes`. */
export async function readBody(request: Incoming, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
	try {
		return await request.bytes(maxBytes);
	} catch (error) {
		throw toFailed(error, maxBytes);
	}
}

/** The raw body in pieces, at most `maxBytes`. */
export async function* streamBody(request: Incoming, maxBytes: number): AsyncGenerator<Uint8Array> {
	try {
		yield* request.stream(maxBytes);
	} catch (error) {
		throw toFailed(error, maxBytes);
	}
}

function toFailed(error: unknown, maxBytes: number): Failed {
	if (error instanceof TooLong)
		return new Failed({ kind: "too_large", message: `the body is larger than ${maxBytes} bytes` });
	// The client disconnected or sent an invalid transfer encoding.
	return new Failed({ kind: "bad_request", message: "the body could not be read" });
}

function decode(bytes: Uint8Array): string {
	try {
		return decoder.decode(bytes);
	} catch {
		throw new Failed({ kind: "bad_request", message: "the body is not valid UTF-8" });
	}
}

function parse(bytes: Uint8Array): { value: unknown; text: string } {
	try {
		const text = decoder.decode(bytes);
		return { value: JSON.parse(text), text };
	} catch {
		throw new Failed({ kind: "bad_request", message: "invalid json" });
	}
}
