import type { Auth } from "../webhook-trigger.ts";
import type { JsonObject } from "../workflows.ts";
import { type CallFacts, DEFAULT_AUTH_HEADER, takesBody } from "./facts.ts";
import { buildHtmlForm, listFileNames } from "./html-form.ts";
import { escapeQuoted, joinLines, quote } from "./shell-text.ts";
import { buildSignedCurl } from "./signed-curl.ts";

export type CallKind = "json" | "form" | "files" | "text" | "bytes" | "query" | "html";

/** A command for a POSIX shell, or for `html` an HTML fragment. */
export interface CallSample {
	readonly kind: CallKind;
	readonly text: string;
}

export interface SampleInput {
	readonly input: JsonObject;
	/** The input as it is sent; by default, as compact JSON. */
	readonly body?: string;
	/** `options.input_schema`. */
	readonly schema?: JsonObject | undefined;
	readonly idempotencyKey?: string;
}

const FORM_TYPE = "application/x-www-form-urlencoded";

/** Calls that the workflow takes. Secrets are read from variables: SECRET signs, TOKEN or USERNAME and PASSWORD log in. */
export function listCalls(call: CallFacts, given: SampleInput): CallSample[] {
	const { input, body = JSON.stringify(input) } = given;
	const { webhook_url: url, signature } = call;
	const method = call.methods.find((each) => each !== "GET" && each !== "DELETE");
	const fields = toFormFields(input);
	const key = given.idempotencyKey;
	const options = [
		...(method === undefined || method === "POST" ? [] : [`-X ${method}`]),
		...buildAuthOptions(call.auth),
		...(key === undefined ? [] : [`-H ${quote(`Idempotency-Key: ${key}`)}`]),
	];
	const curl = (...rest: readonly string[]): string =>
		joinLines(`curl -sS ${quote(url)}`, ...options, ...rest);
	const typed = (contentType: string, sent: string): string | null =>
		signature === null
			? // `--data-raw`, so that a body starting with @ is not read as a file name.
				curl(`-H ${quote(`Content-Type: ${contentType}`)}`, `--data-raw ${quote(sent)}`)
			: buildSignedCurl({ url, body: sent, signature, contentType, options });
	const samples: Record<CallKind, () => string | null> = {
		json: () => typed("application/json", body),
		form: () =>
			signature === null
				? curl(...listFields(fields))
				: // Twilio signs the fields of a form in another way.
					signature.scheme === "twilio" || signature.scheme === "linear"
					? null
					: typed(FORM_TYPE, new URLSearchParams(fields.map(([...field]) => field)).toString()),
		files: () => (signature === null ? curl(...listParts(fields, listFileNames(given.schema))) : null),
		text: () => typed("text/plain; charset=utf-8", "Hello"),
		bytes: () =>
			signature === null
				? curl("-H 'Content-Type: application/octet-stream'", "--data-binary @photo.jpg")
				: null,
		query: () => (signature === null ? buildQueryCurl(url, input, buildAuthOptions(call.auth)) : null),
		html: () => (signature === null && call.auth === null ? buildHtmlForm(call, given) : null),
	};
	const isTaken = (kind: CallKind): boolean => {
		if (kind === "query") return call.methods.includes("GET");
		if (method === undefined) return false;
		if (kind === "html") return method === "POST" && (takesBody(call, "form") || takesBody(call, "files"));
		return takesBody(call, kind);
	};
	return KINDS.filter(isTaken).flatMap((kind) => {
		const text = samples[kind]();
		return text === null ? [] : [{ kind, text }];
	});
}

const KINDS: readonly CallKind[] = ["json", "form", "files", "html", "query", "text", "bytes"];

function buildAuthOptions(auth: Auth | null): string[] {
	switch (auth?.scheme) {
		case undefined:
			return [];
		case "bearer":
			return ['-H "Authorization: Bearer $TOKEN"'];
		case "basic":
			return ['-u "$USERNAME:$PASSWORD"'];
		case "header":
			return [`-H "${escapeQuoted(auth?.header ?? DEFAULT_AUTH_HEADER)}: $TOKEN"`];
	}
}

/** A GET call. Its input is the query, so all values are text. */
export function buildQueryCurl(url: string, input: JsonObject, options: readonly string[] = []): string {
	const query = new URLSearchParams(toFormFields(input).map(([...field]) => field)).toString();
	return joinLines(`curl -sS ${quote(query === "" ? url : `${url}?${query}`)}`, ...options);
}

/** Fields of a form are texts; a list repeats its name. */
export const toFormFields = (input: JsonObject): (readonly [name: string, value: string])[] =>
	Object.entries(input).flatMap(([name, value]) =>
		(Array.isArray(value) ? value : [value])
			.filter((each) => each !== null)
			.map((each) => [name, typeof each === "string" ? each : JSON.stringify(each)] as const),
	);

/** Without fields an empty body, because curl would send a GET. */
const listFields = (fields: ReturnType<typeof toFormFields>): string[] =>
	fields.length === 0
		? ["--data ''"]
		: fields.map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`);

/** `--form-string`, so that a value starting with @ or < is not read as a file name. */
/** A file for each property that is one; without a schema, under a name of its own. */
const listParts = (fields: ReturnType<typeof toFormFields>, files: readonly string[]): string[] => [
	...fields
		.filter(([name]) => !files.includes(name))
		.map(([name, value]) => `--form-string ${quote(`${name}=${value}`)}`),
	...(files.length === 0 ? ["file"] : files).map((name) => `-F ${quote(`${name}=@photo.jpg`)}`),
];
