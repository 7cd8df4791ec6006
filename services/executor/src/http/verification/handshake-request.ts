import { nestsTooDeep } from "@tripline/contract/json";
import { parseTarget } from "@tripline/web/http-message";

/** Handshakes are short. A longer body belongs to another call and is not parsed here. */
const MAX_BODY_BYTES = 16 * 1024;

export interface HandshakeRequest {
	/** The value at `query.<name>` or `body.<name>…`; undefined if there is none, or a repeated parameter. */
	find(path: string): unknown;
}

/** Parses the query and the body at most once each, and only if they are asked for. */
export function readHandshakeRequest({
	url,
	body,
}: {
	readonly url: string;
	readonly body: Uint8Array;
}): HandshakeRequest {
	let query: URLSearchParams | undefined;
	let json: { readonly value: unknown } | undefined;
	return {
		find(path) {
			const [root, ...names] = path.split(".");
			if (root === "query") {
				query ??= new URLSearchParams(parseTarget(url).search);
				// Names of parameters contain full stops, such as hub.mode.
				const values = query.getAll(names.join("."));
				return values.length === 1 ? values[0] : undefined;
			}
			json ??= { value: parseBody(body) };
			return names.reduce<unknown>(getField, json.value);
		},
	};
}

const getField = (value: unknown, name: string): unknown =>
	typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
		? (value as Readonly<Record<string, unknown>>)[name]
		: undefined;

const decoder = new TextDecoder("utf-8", { fatal: true });

function parseBody(body: Uint8Array): unknown {
	if (body.length === 0 || body.length > MAX_BODY_BYTES) return undefined;
	try {
		const text = decoder.decode(body);
		const value: unknown = JSON.parse(text);
		return nestsTooDeep(text) ? undefined : value;
	} catch {
		return undefined;
	}
}
