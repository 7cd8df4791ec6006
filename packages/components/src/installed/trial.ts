import type { Json } from "@tripline/contract/json";
import type { Manifest } from "@tripline/contract/registry";
import { quoteText } from "@tripline/engine/diagnostics";
import { compileParameterSchema, compileSchema } from "@tripline/engine/json-schema";
import { MAX_NODE_UNITS, Meter } from "@tripline/engine/meter";
import type { Sandbox } from "@tripline/platform/sandbox";
import { isWithin } from "../outbound/hosts.ts";
import { addQuery, toQueryPairs } from "../outbound/query.ts";
import { toCanonicalJson } from "./canonical.ts";
import { runCode } from "./code.ts";
import { type CodeRequest, readRequest } from "./request.ts";

type CodeManifest = Extract<Manifest, { kind: "code" }>;
type Example = CodeManifest["examples"][number];
type Exchange = NonNullable<Example["http"]>[number];

interface TrialResult {
	readonly title: string;
	readonly ok: boolean;
	readonly problem?: string;
}

/** Runs each example of a component's code against its recorded exchanges. A recipe has no code to run. */
export async function runTrial(
	manifest: Manifest,
	sandbox: Pick<Sandbox, "run">,
	signal: AbortSignal,
): Promise<{ readonly ok: boolean; readonly results: readonly TrialResult[] }> {
	const results: TrialResult[] = [];
	if (manifest.kind === "code") {
		for (const example of manifest.examples) {
			const problem = await findProblem(manifest, example, sandbox, signal);
			const { title } = example;
			results.push(problem === null ? { title, ok: true } : { title, ok: false, problem });
		}
	}
	return { ok: results.every(({ ok }) => ok), results };
}

async function findProblem(
	manifest: CodeManifest,
	example: Example,
	sandbox: Pick<Sandbox, "run">,
	signal: AbortSignal,
): Promise<string | null> {
	const [params, output] = [compileParameterSchema(manifest.params), compileSchema(manifest.output)];
	if ("problem" in params || "problem" in output) return "its schemas are not usable";
	const read = params.safeParse(example.params);
	if (!read.success) return "its parameters do not match the schema";
	const recorded = new Recording(manifest, example.http ?? []);
	const http = manifest.hosts.length === 0 ? undefined : (text: string) => recorded.answer(text);
	let found: { output: Json } | { error: string };
	try {
		const given = read.data as { [name: string]: Json };
		found = { output: await runCode(manifest.code, given, output, { sandbox, http, log() {} }, signal) };
	} catch (error) {
		if (signal.aborted) throw error;
		found = { error: (error as Error).message };
	}
	return recorded.problem ?? findDifference(example, found);
}

function findDifference(
	{ output, error }: Example,
	found: { output: Json } | { error: string },
): string | null {
	if ("error" in found) {
		if (error === undefined) return `it failed: ${truncate(found.error)}`;
		return found.error === error
			? null
			: `it failed with ${quoteText(found.error)}, not with ${quoteText(error)}`;
	}
	if (error !== undefined) return `it returned an output, but the error ${quoteText(error)} was expected`;
	const [given, wanted] = [toCanonicalJson(found.output), toCanonicalJson(output)];
	return given === wanted ? null : `it returned ${truncate(given)}, not ${truncate(wanted)}`;
}

const truncate = (text: string): string =>
	text.length > 300 ? `${text.slice(0, 300).toWellFormed()}…` : text;

/** Replays the responses that were recorded with the example. Nothing is sent. */
class Recording {
	readonly #manifest: CodeManifest;
	readonly #exchanges: readonly Exchange[];
	#calls = 0;
	#wrong: string | null = null;

	constructor(manifest: CodeManifest, exchanges: readonly Exchange[]) {
		this.#manifest = manifest;
		this.#exchanges = exchanges;
	}

	/** How the code's calls differ from the recording, even if the code ignored the error. */
	get problem(): string | null {
		const left = this.#exchanges.length - this.#calls;
		return (
			this.#wrong ?? (left > 0 ? `it made ${this.#calls} of ${this.#exchanges.length} recorded calls` : null)
		);
	}

	async answer(text: string): Promise<string> {
		const exchange = this.#exchanges[this.#calls++];
		try {
			this.#compare(readRequest(text), exchange?.request);
		} catch (error) {
			this.#wrong ??= (error as Error).message;
			throw error;
		}
		if (exchange === undefined) throw new Error("no response is recorded");
		const { status, headers = {}, data } = exchange.response;
		return JSON.stringify({ status, headers, data });
	}

	#compare(request: CodeRequest, recorded: Exchange["request"] | undefined): void {
		const { method, url, query = {}, json, form, text, use_credential } = request;
		const address = URL.parse(url);
		if (address === null) throw new Error(`it called ${quoteText(url)}, which is not a URL`);
		addQuery(address, toQueryPairs(query, new Meter(MAX_NODE_UNITS)));
		const call = `${method} ${address.href}`;
		if (!isWithin(address, this.#manifest.hosts))
			throw new Error(`it called ${quoteText(call)}, which is not in hosts`);
		if (use_credential === true && this.#manifest.credentials.length === 0)
			throw new Error("it used a credential, but none is declared");
		if (recorded === undefined)
			throw new Error(`it called ${quoteText(call)}, for which no response is recorded`);
		const wanted = `${recorded.method.toUpperCase()} ${URL.parse(recorded.url)?.href ?? recorded.url}`;
		if (call !== wanted)
			throw new Error(`it called ${quoteText(call)} where ${quoteText(wanted)} is recorded`);
		const [sent, body] = [
			toCanonicalJson(json ?? form ?? text ?? null),
			toCanonicalJson(recorded.body ?? null),
		];
		if (sent !== body) throw new Error(`it sent ${truncate(sent)} where ${truncate(body)} is recorded`);
	}
}
