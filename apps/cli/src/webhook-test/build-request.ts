import { DEFAULT_AUTH_HEADER, takesBody } from "@tripline/contract/calling/facts";
import { toFormFields } from "@tripline/contract/calling/samples";
import type { JsonObject } from "@tripline/contract/workflows";
import { CliProblem } from "../command.ts";
import { signCall } from "./sign.ts";
import type { Target } from "./target.ts";

type SentKind = "json" | "form" | "files" | "text" | "query";

export interface Wanted {
	readonly input: JsonObject;
	/** Undefined: what the trigger takes. */
	readonly kind: "form" | "query" | undefined;
	readonly method: string | undefined;
	readonly headers: readonly string[];
	/** Signs the call. */
	readonly secret: string | undefined;
	/** Sent as `auth` says; for basic, `name:password`. */
	readonly token: string | undefined;
	readonly now: number;
}

export interface Built {
	readonly request: Request;
	readonly kind: SentKind;
}

/** The call as its sender would make it, to the public address. */
export function buildRequest({ call }: Target, wanted: Wanted): Built {
	const kind =
		wanted.kind === "form" && !takesBody(call, "form") && takesBody(call, "files")
			? "files"
			: (wanted.kind ?? chooseKind(call));
	const method = (wanted.method ?? chooseMethod(call, kind)).toUpperCase();
	const headers = parseHeaders(wanted.headers);
	addAuth(headers, call, wanted.token);
	// Without this the answer to a redirect would hide the redirect.
	const redirect = "manual";
	const fields = toFormFields(wanted.input);
	if (kind === "query") {
		const url = new URL(call.webhook_url);
		for (const [name, value] of fields) url.searchParams.append(name, value);
		return { kind, request: createRequest(url.href, { method, headers, redirect }) };
	}
	if (kind === "files") {
		const body = new FormData();
		for (const [name, value] of fields) body.append(name, value);
		return { kind, request: createRequest(call.webhook_url, { method, headers, redirect, body }) };
	}
	if (!headers.has("content-type")) headers.set("content-type", TYPES[kind]);
	const unsigned = {
		url: call.webhook_url,
		body: writeBody(kind, wanted.input, fields),
		fields: kind === "form" ? fields : null,
	};
	const signed =
		call.signature === null || wanted.secret === undefined
			? null
			: signCall(unsigned, call.signature, wanted.secret, wanted.now);
	for (const [name, value] of Object.entries(signed?.headers ?? {})) headers.set(name, value);
	const { url, body } = signed ?? unsigned;
	return { kind, request: createRequest(url, { method, headers, redirect, body }) };
}

const TYPES = {
	json: "application/json",
	form: "application/x-www-form-urlencoded",
	text: "text/plain; charset=utf-8",
} as const;

function chooseKind(call: Target["call"]): SentKind {
	if (!call.methods.some((method) => method !== "GET" && method !== "DELETE")) return "query";
	return (["json", "form", "files", "text"] as const).find((kind) => takesBody(call, kind)) ?? "json";
}

const chooseMethod = ({ methods }: Target["call"], kind: SentKind): string =>
	kind === "query"
		? (methods.find((method) => method === "DELETE" && !methods.includes("GET")) ?? "GET")
		: (methods.find((method) => method !== "GET" && method !== "DELETE") ?? "POST");

function writeBody(
	kind: keyof typeof TYPES,
	input: JsonObject,
	fields: ReturnType<typeof toFormFields>,
): string {
	if (kind === "json") return JSON.stringify(input);
	if (kind === "form") return new URLSearchParams(fields.map(([...field]) => field)).toString();
	return typeof input.text === "string" ? input.text : "Hello";
}

/** Others on the machine can read the arguments of a command. */
const SECRET_HEADERS: readonly string[] = ["authorization", "proxy-authorization", "cookie"];

function parseHeaders(given: readonly string[]): Headers {
	const headers = new Headers();
	for (const line of given) {
		const [, name = "", value = ""] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
		if (SECRET_HEADERS.includes(name.toLowerCase()))
			throw new CliProblem(`${name} is a secret, which --header would show to others on this machine`, {
				code: 2,
				hint: "use --token-file, or the variable WEBHOOK_TOKEN",
			});
		try {
			headers.append(name, value);
		} catch {
			throw new CliProblem(`${JSON.stringify(line)} is not a header`, {
				code: 2,
				hint: "--header 'Name: value'",
			});
		}
	}
	return headers;
}

function addAuth(headers: Headers, { auth }: Target["call"], token: string | undefined): void {
	if (auth === null || token === undefined) return;
	const value =
		auth.scheme === "bearer"
			? `Bearer ${token}`
			: auth.scheme === "basic"
				? `Basic ${Buffer.from(token).toString("base64")}`
				: token;
	const name = auth.scheme === "header" ? (auth.header ?? DEFAULT_AUTH_HEADER) : "authorization";
	try {
		headers.set(name, value);
	} catch {
		throw new CliProblem(
			"the token cannot be sent in a header: it has a line break or another control character",
		);
	}
}

function createRequest(url: string, init: RequestInit): Request {
	try {
		return new Request(url, init);
	} catch {
		throw new CliProblem(`a call by ${init.method} cannot be made this way`, {
			code: 2,
			hint: "a GET has no body: use --query",
		});
	}
}
