import { resolve } from "node:path";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { readSecret } from "../config.ts";
import type { Io } from "../io.ts";
import { toPrintable } from "../printable.ts";
import { readPrivateText } from "../private-file.ts";
import { readTriggerContext } from "../workflows/trigger-context.ts";
import { buildRequest } from "./build-request.ts";
import { describeTarget } from "./describe.ts";
import { explainAnswer } from "./explain.ts";
import { findTarget } from "./target.ts";

const USAGE = 2;
const MAX_SHOWN_BYTES = 256 * 1024;
const MAX_WAIT_MS = 120_000;

const SHOWN_HEADERS: readonly string[] = [
	"content-type",
	"location",
	"allow",
	"www-authenticate",
	"retry-after",
	"idempotent-replayed",
	"access-control-allow-origin",
	"content-disposition",
	"x-request-id",
];

export async function run({ positionals, flags, io, progress }: Invocation): Promise<Outcome> {
	const given = flags as Readonly<Record<string, string | undefined>>;
	if ([given.input, given["secret-file"], given["token-file"]].filter((each) => each === "-").length > 1)
		throw new CliProblem("standard input can be read only once", {
			code: USAGE,
			hint: "pass - to one of --input, --secret-file and --token-file",
		});
	const kind = chooseKind(flags.form === true, flags.query === true);
	const target = await findTarget(io, positionals.workflow as string);
	const input = given.input === undefined ? target.sample : await readTriggerContext(io, given.input);
	if (flags.send !== true) return describeTarget(target, input, given.from);
	const secret = await readKey(io, given["secret-file"], "WEBHOOK_SECRET");
	const token = await readKey(io, given["token-file"], "WEBHOOK_TOKEN");
	const headers = (flags.header as readonly string[] | undefined) ?? [];
	const wanted = { input, kind, method: given.method, headers, secret, token, now: io.now() };
	const { request, kind: sentKind } = buildRequest(target, wanted);
	const { method, url } = request;
	const contentType = request.headers.get("content-type");
	progress(`${method} ${url}`);
	const from = io.now();
	const response = await io.fetch(request, { signal: AbortSignal.timeout(MAX_WAIT_MS) }).catch(() => {
		throw new CliProblem(`${new URL(url).origin} does not answer`, {
			hint: "the address comes from BASE_URL of the service",
		});
	});
	const body = await readShown(response);
	const duration_ms = io.now() - from;
	const sent = { hasSecret: secret !== undefined, hasToken: token !== undefined, method, contentType };
	const explanation = explainAnswer(target, sent, {
		status: response.status,
		headers: response.headers,
		body,
	});
	const shown = SHOWN_HEADERS.flatMap((name): [string, string][] => {
		const value = response.headers.get(name);
		return value === null ? [] : [[name, value]];
	});
	return {
		code: response.status < 400 ? 0 : 1,
		json: {
			method,
			url,
			sent: sentKind,
			status: response.status,
			duration_ms,
			headers: Object.fromEntries(shown),
			body,
			explanation,
		},
		text: [
			`${response.status} ${response.statusText}, ${duration_ms} ms`,
			...shown.map(([name, value]) => toPrintable(`${name}: ${value}`)),
			...(body === "" ? [] : ["", toPrintable(body)]),
			...(explanation === null ? [] : ["", explanation]),
		].join("\n"),
	};
}

function chooseKind(isForm: boolean, isQuery: boolean): "form" | "query" | undefined {
	if (isForm && isQuery) throw new CliProblem("pass either --form or --query", { code: USAGE });
	return isForm ? "form" : isQuery ? "query" : undefined;
}

/** A secret is never an argument, which others on the machine could read. */
async function readKey(io: Io, path: string | undefined, variable: string): Promise<string | undefined> {
	if (path === undefined) return readSecret(io, variable);
	const text = path === "-" ? await io.stdin() : readPrivateText(resolve(io.cwd, path), path);
	const key = text.replace(/\r?\n$/, "");
	if (key !== "") return key;
	throw new CliProblem(`${path === "-" ? "standard input" : path} is empty`, { code: USAGE });
}

/** The answer as text, or its size and type if it is none. */
async function readShown(response: Response): Promise<string> {
	const bytes = new Uint8Array(await response.arrayBuffer());
	const type = response.headers.get("content-type") ?? "";
	try {
		const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		if (bytes.length <= MAX_SHOWN_BYTES && !text.includes("\0")) return text;
	} catch {
		// Not a text.
	}
	return `(${bytes.length} bytes${type === "" ? "" : ` of ${type}`})`;
}
