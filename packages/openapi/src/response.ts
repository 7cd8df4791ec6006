import type { JsonObject } from "@tripline/contract/workflows";
import { chooseResponse } from "./media-types.ts";
import type { FoundOperation } from "./operations.ts";
import type { Resolver } from "./resolver.ts";
import { type Detail, Schemas } from "./schema.ts";
import { toObject } from "./values.ts";

export interface ReadResponse {
	readonly kind: "json" | "text" | "file";
	readonly schema: JsonObject;
	/** The header `accept`, if the service needs it. */
	readonly accept: string | undefined;
	/** Names of documented headers, in lower case. */
	readonly headers: ReadonlySet<string>;
}

/** Some descriptions give them a body nevertheless. */
const WITHOUT_BODY = ["204", "205"];

/** The first successful response. */
export function readResponse(
	resolver: Resolver,
	{ operation, place }: FoundOperation,
	detail: Detail,
): ReadResponse {
	const responses = toObject(operation.responses);
	const status = ["200", "201", "202", "203", "204", "206", "2XX", "2xx", "default"].find((one) =>
		Object.hasOwn(responses, one),
	);
	const at = `${place}.responses.${status ?? "2XX"}`;
	const resolved = status === undefined ? null : resolver.resolve(responses[status], at);
	const { content, headers } = resolved?.value ?? {};
	const names = new Set(
		Object.keys(resolver.pass(toObject(headers)))
			.slice(0, 100)
			.map((name) => name.toLowerCase()),
	);
	const hasBody = !WITHOUT_BODY.includes(status ?? "");
	const chosen = hasBody ? chooseResponse(resolver.pass(toObject(content))) : null;
	if (hasBody && chosen === null && Object.keys(toObject(content)).length > 0)
		resolver.notes.add(at, "has no media type that is known; it is read as JSON");
	if (chosen === null) return { kind: "json", schema: {}, accept: undefined, headers: names };
	const { kind, type, media, isOneOfMany } = chosen;
	const accept = type.includes("*") || (type === "application/json" && !isOneOfMany) ? undefined : type;
	if (kind === "file") return { kind, schema: { type: "object", format: "file" }, accept, headers: names };
	if (kind === "text") return { kind, schema: { type: "string" }, accept, headers: names };
	const schema = new Schemas(resolver, detail, "response").convert(media.schema, at);
	return { kind, schema, accept, headers: names };
}
