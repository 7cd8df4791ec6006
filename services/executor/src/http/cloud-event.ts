import { fromBase64, toBase64 } from "@tripline/contract/bytes";
import { Failed, type Issue, invalid } from "@tripline/contract/failures";
import { AnyJson, findUnstorable, type Json } from "@tripline/contract/json";
import type { IncomingHeaders } from "@tripline/web/http-message";
import { validate } from "@tripline/web/validate";
import * as z from "zod";

const EventType = z
	.string()
	.regex(
		/^(?=.{1,128}$)[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*$/u,
		"must be 1 to 128 characters: words of letters, digits, _ and -, with single dots between them",
	)
	.meta({ description: "Event type, such as order.paid" });

const text = (length: number) =>
	z
		.string()
		.min(1, "must not be empty")
		.max(length)
		.refine((value) => !/\p{Cc}/u.test(value), "must not contain control characters");
const reference = text(1024).refine((value) => !/\s/.test(value), "must be a URI reference without spaces");
const Extension = z.union([z.string(), z.boolean(), z.int(), z.null()], {
	error: "an extension attribute must be a string, an integer or a boolean",
});

const CloudEvent = z
	.object({
		specversion: z.literal("1.0", { error: 'must be "1.0"' }),
		id: text(256).meta({ description: "Identifies a repeated event together with source" }),
		source: reference,
		type: EventType,
		time: z.iso.datetime({ offset: true }).nullish(),
		subject: text(1024).nullish(),
		datacontenttype: text(256).nullish(),
		dataschema: reference.nullish(),
		data: AnyJson.optional(),
		data_base64: z
			.string()
			.max(2 * 1024 * 1024)
			.refine((text) => fromBase64(text) !== null, "must be base64")
			.nullish(),
	})
	.catchall(Extension)
	.refine((event) => event.data === undefined || typeof event.data_base64 !== "string", {
		error: "must not be sent together with data",
		path: ["data_base64"],
	})
	.meta({ id: "CloudEvent", description: "CloudEvents 1.0, JSON format; other attributes are extensions" });

const ShortEvent = z
	.strictObject({ type: EventType, data: AnyJson.optional() })
	.meta({ id: "ShortEvent", description: "An event without an id, so repeats are not detected" });

/** The body of `POST /events` in structured mode, and the short form. */
export const EventBody = z.union([CloudEvent, ShortEvent]);

export interface IncomingEvent {
	readonly type: string;
	readonly source?: string;
	readonly id?: string;
	readonly time?: string;
	readonly subject?: string;
	readonly extensions?: Readonly<Record<string, string | number | boolean>>;
	/** Null if there was none. Base64 if the type is neither JSON nor text. */
	readonly data: Json;
	/** Equal for equal source and id. Null if repeats cannot be detected. */
	readonly dedupKey: string | null;
}

const ATTRIBUTES: ReadonlySet<string> = new Set(Object.keys(CloudEvent.shape));
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads an event in structured mode, binary mode (`ce-` headers) or the short form. Throws `Failed`. */
export function parseEvent(headers: IncomingHeaders, body: Uint8Array): IncomingEvent {
	const mediaType = parseMediaType(headers.get("content-type"));
	if (mediaType === "application/cloudevents-batch+json")
		throw new Failed({ kind: "bad_request", message: "send one event per request, not a batch" });
	if (mediaType === "application/cloudevents+json") return parseStructured(parseJson(body));
	if (headers.has("ce-specversion")) return parseBinary(headers, body);
	const value = parseJson(body);
	if (isObject(value) && Object.hasOwn(value, "specversion")) return parseStructured(value);
	const { type, data = null } = validate(ShortEvent, value) as z.infer<typeof ShortEvent>;
	return { type, data, dedupKey: null };
}

function parseStructured(value: Json): IncomingEvent {
	if (isObject(value)) checkNames(Object.keys(value));
	const event = validate(CloudEvent, value) as z.infer<typeof CloudEvent>;
	if (typeof event.data_base64 !== "string") return toEvent(event, event.data ?? null);
	return toEvent(event, decodeData(fromBase64(event.data_base64) as Uint8Array, event.datacontenttype));
}

function parseBinary(headers: IncomingHeaders, body: Uint8Array): IncomingEvent {
	const attributes = [...headers].filter(([name]) => name.startsWith("ce-"));
	const names = attributes.map(([name]) => name.slice(3));
	const misplaced = names.filter((name) => /^data(?:_base64|contenttype)?$/.test(name));
	if (misplaced.length > 0)
		throw invalid(
			misplaced.map((name) => ({
				path: `ce-${name}`,
				message: "in binary mode the body is the data and content-type is its type",
			})),
		);
	checkNames(names);
	const entries = attributes.map(([name, value]) => [name.slice(3), percentDecode(name, value)] as const);
	const event = validate(CloudEvent, Object.fromEntries(entries)) as z.infer<typeof CloudEvent>;
	return toEvent(event, body.length === 0 ? null : decodeData(body, headers.get("content-type")));
}

function toEvent(event: z.infer<typeof CloudEvent>, data: Json): IncomingEvent {
	const { type, source, id, time, subject } = event;
	const extensions = Object.entries(event).filter(([name, value]) => !ATTRIBUTES.has(name) && value !== null);
	return {
		type,
		source,
		id,
		...(time && { time }),
		...(subject && { subject }),
		...(extensions.length > 0 && { extensions: Object.fromEntries(extensions) as Record<string, string> }),
		data,
		dedupKey: JSON.stringify([source, id]),
	};
}

/** Runs before the schema, which does not report names such as `__proto__`. */
function checkNames(names: readonly string[]): void {
	const issues: Issue[] = names
		.filter((name) => !ATTRIBUTES.has(name) && !/^[a-z0-9]{1,64}$/.test(name))
		.slice(0, 50)
		.map((path) => ({
			path,
			message: "an extension attribute name must be 1 to 64 characters of a-z and 0-9",
		}));
	if (issues.length > 0) throw invalid(issues);
}

/** Decodes bytes by their content type; the default is JSON. */
function decodeData(bytes: Uint8Array, contentType: string | null | undefined): Json {
	const type = parseMediaType(contentType);
	if (type === null || /[/+]json$/.test(type)) return parseJson(bytes);
	if (!type.startsWith("text/") && !/[/+](?:xml|yaml)$/.test(type)) return toBase64(bytes);
	return assertStorable(decodeText(bytes, "the data is not valid UTF-8"));
}

function parseJson(bytes: Uint8Array): Json {
	const source = decodeText(bytes, "invalid json");
	try {
		return assertStorable(JSON.parse(source) as Json);
	} catch (error) {
		throw error instanceof Failed ? error : new Failed({ kind: "bad_request", message: "invalid json" });
	}
}

function decodeText(bytes: Uint8Array, message: string): string {
	try {
		return decoder.decode(bytes);
	} catch {
		throw new Failed({ kind: "bad_request", message });
	}
}

function assertStorable(value: Json): Json {
	const problem = findUnstorable(value);
	if (problem !== null) throw new Failed({ kind: "bad_request", message: problem });
	return value;
}

function percentDecode(path: string, value: string): string {
	try {
		return decodeURIComponent(value);
	} catch {
		throw invalid([{ path, message: "must be percent-encoded UTF-8; write % as %25" }]);
	}
}

const isObject = (value: Json): value is { [key: string]: Json } =>
	typeof value === "object" && value !== null && !Array.isArray(value);

const parseMediaType = (contentType: string | null | undefined): string | null =>
	contentType?.split(";", 1)[0]?.trim().toLowerCase() || null;
