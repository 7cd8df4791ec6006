import type { Json } from "@tripline/contract/json";
import type { Manifest } from "@tripline/contract/registry";
import { shown } from "@tripline/engine/diagnostics";
import { parametersOf, schemaOf } from "@tripline/engine/json-schema";
import { MAX_NODE_UNITS, Meter } from "@tripline/engine/meter";
import type { Sandbox } from "@tripline/platform/sandbox";
import { isWithin } from "../outbound/hosts.ts";
import { addQuery, pairs } from "../outbound/query.ts";
import { canonicalJson } from "./canonical.ts";
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
export async function trialRun(
	manifest: Manifest,
	sandbox: Pick<Sandbox, "run">,
	signal: AbortSignal,
): Promise<{ readonly ok: boolean; readonly results: readonly TrialResult[] }> {
	const results: TrialResult[] = [];
	if (manifest.kind === "code") {
		for (const example of manifest.examples) {
			const problem = await problemOf(manifest, example, sandbox, signal);
			const { title } = example;
			results.push(problem === null ? { title, ok: true } : { title, ok: false, problem });
		}
	}
	return { ok: results.every(({ ok }) => ok), results };
}

async function problemOf(
	manifest: CodeManifest,
	example: Example,
	sandbox: Pick<Sandbox, "run">,
	signal: AbortSignal,
): Promise<string | null> {
	const [params, output] = [parametersOf(manifest.params), schemaOf(manifest.output)];
	if ("problem" in params || "problem" in output) return "its schemas are not usable";
	const read = params.safeParse(example.params);
	if (!read.success) return "its parameters do not match the schema";
	const recorded = new Recorded(manifest, example.http ?? []);
	const http = manifest.hosts.length === 0 ? undefined : (text: string) => recorded.answer(text);
	let found: { output: Json } | { error: string };
	try {
		const given = read.data as { [name: string]: Json };
		found = { output: await runCode(manifest.code, given, output, { sandbox, http, log() {} }, signal) };
	} catch (error) {
		if (signal.aborted) throw error;
		found = { error: (error as Error).message };
	}
	return recorded.problem ?? difference(example, found);
}

function difference({ output, error }: Example, found: { output: Json } | { error: string }): string | null {
	if ("error" in found) {
		if (error === undefined) return `it failed: ${cut(found.error)}`;
		return found.error === error ? null : `it failed with ${shown(found.error)}, not with ${shown(error)}`;
	}
	if (error !== undefined) return `it returned an output, but the error ${shown(error)} was expected`;
	const [given, wanted] = [canonicalJson(found.output), canonicalJson(output)];
	return given === wanted ? null : `it returned ${cut(given)}, not ${cut(wanted)}`;
}

const cut = (text: string): string => (text.length > 300 ? `${text.slice(0, 300).toWellFormed()}…` : text);

/** Replays the responses that were recorded with the example. Nothing is sent. */
class Recorded {
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
		if (address === null) throw new Error(`it called ${shown(url)}, which is not a URL`);
		addQuery(address, pairs(query, new Meter(MAX_NODE_UNITS)));
		const call = `${method} ${address.href}`;
		if (!isWithin(address, this.#manifest.hosts))
			throw new Error(`it called ${shown(call)}, which is not in hosts`);
		if (use_credential === true && this.#manifest.credentials.length === 0)
			throw new Error("it used a credential, but none is declared");
		if (recorded === undefined)
			throw new Error(`it called ${shown(call)}, for which no response is recorded`);
		const wanted = `${recorded.method.toUpperCase()} ${URL.parse(recorded.url)?.href ?? recorded.url}`;
		if (call !== wanted) throw new Error(`it called ${shown(call)} where ${shown(wanted)} is recorded`);
		const [sent, body] = [canonicalJson(json ?? form ?? text ?? null), canonicalJson(recorded.body ?? null)];
		if (sent !== body) throw new Error(`it sent ${cut(sent)} where ${cut(body)} is recorded`);
	}
}
