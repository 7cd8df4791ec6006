import { Failed } from "@tripline/contract/failures";
import { findUnstorableParsed } from "@tripline/contract/json";
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

/** Reads the raw body, at most `maxBytes`. */
export async function readBody(request: Incoming, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
	try {
		return await request.bytes(maxBytes);
	} catch (error) {
		if (error instanceof TooLong)
			throw new Failed({ kind: "too_large", message: `the body is larger than ${maxBytes} bytes` });
		// The client disconnected or sent an invalid transfer encoding.
		throw new Failed({ kind: "bad_request", message: "the body could not be read" });
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
