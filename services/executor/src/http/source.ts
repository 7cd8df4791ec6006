import { Failed } from "@tripline/contract/failures";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import type { Source } from "@tripline/engine/source";
import { readBody } from "@tripline/web/body";
import type { Incoming } from "@tripline/web/http-message";
import type { ExecutorParts } from "./deps.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });
const YAML = /^(?:application|text)\/(?:x-)?yaml\b/i;

/** Reads a workflow source from the body: YAML if the content type says so, else JSON. Compiling takes another turn. */
export async function readBodySource(
	request: Incoming,
	parts: Pick<ExecutorParts, "settings" | "turns">,
	namespace: string | null,
): Promise<Source> {
	return (await readWrittenSource(request, parts, namespace)).source;
}

/** The same with the text as it was sent. YAML is not read yet, so it may be half-written. */
export async function readWrittenSource(
	request: Incoming,
	{ settings, turns }: Pick<ExecutorParts, "settings" | "turns">,
	namespace: string | null,
): Promise<WrittenSource> {
	const bytes = await readBody(request, settings.maxBodyBytes);
	if (YAML.test(request.headers.get("content-type") ?? "")) {
		const text = decodeText(bytes, "yaml");
		const { yamlSource } = await import("@tripline/engine/yaml");
		return { text, format: "yaml", source: yamlSource(text) };
	}
	const text = decodeText(bytes, "json");
	const json = await turns.run(namespace ?? ANONYMOUS, () => parseJson(text));
	if (json === null) throw invalidJson();
	return { text, format: "json", source: { json } };
}

interface WrittenSource {
	readonly text: string;
	readonly format: "yaml" | "json";
	readonly source: Source;
}

function decodeText(bytes: Uint8Array, format: string): string {
	try {
		return decoder.decode(bytes);
	} catch {
		throw new Failed({ kind: "bad_request", message: `invalid ${format}` });
	}
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw invalidJson();
	}
}

const invalidJson = (): Failed => new Failed({ kind: "bad_request", message: "invalid json" });
