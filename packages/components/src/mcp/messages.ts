import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { isObject } from "../schemas.ts";

/** What a server may send: its answer, a request of its own, or a notification. */
export type Message =
	| { readonly kind: "result"; readonly id: Json; readonly result: JsonObject }
	| {
			readonly kind: "error";
			readonly id: Json;
			readonly code: number;
			readonly message: string;
			readonly data: Json;
	  }
	| { readonly kind: "request"; readonly id: string | number; readonly method: string }
	| { readonly kind: "notification"; readonly method: string; readonly params: JsonObject }
	| { readonly kind: "unknown" };

const MAX_ID_CHARACTERS = 256;

/** Throws a `SyntaxError` if it is not JSON. A batch, which only the oldest servers send, is several messages. */
export function parseMessages(text: string): Message[] {
	const value = JSON.parse(text) as Json;
	return Array.isArray(value) ? value.map(readMessage) : [readMessage(value)];
}

function readMessage(value: Json): Message {
	if (!isObject(value)) return { kind: "unknown" };
	const { id = null, method, result, error, params } = value;
	if (typeof method === "string") {
		if (id === null) return { kind: "notification", method, params: isObject(params) ? params : {} };
		return isUsableId(id) ? { kind: "request", id, method } : { kind: "unknown" };
	}
	if (isObject(result)) return { kind: "result", id, result };
	if (!isObject(error)) return { kind: "unknown" };
	const { code, message, data = null } = error;
	return {
		kind: "error",
		id,
		code: typeof code === "number" ? code : 0,
		message: typeof message === "string" ? message : "",
		data,
	};
}

const isUsableId = (id: Json): id is string | number =>
	typeof id === "number" || (typeof id === "string" && id.length <= MAX_ID_CHARACTERS);
