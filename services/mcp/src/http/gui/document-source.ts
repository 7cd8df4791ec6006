import { Failed } from "@tripline/contract/failures";
import type { JsonObject } from "@tripline/contract/workflows";
import type { DocumentSource } from "@tripline/executor/client";
import { readBody, readJson } from "@tripline/web/body";
import type { Incoming } from "@tripline/web/http-message";

const YAML = /^(?:application|text)\/(?:x-)?yaml\b/i;
const decoder = new TextDecoder("utf-8", { fatal: true });

/** The workflow document of a request: YAML if the content type says so, else JSON. The executor validates it. */
export async function readDocumentSource(request: Incoming, maxBytes: number): Promise<DocumentSource> {
	if (!YAML.test(request.headers.get("content-type") ?? ""))
		return { json: (await readJson(request, maxBytes)) as JsonObject };
	const bytes = await readBody(request, maxBytes);
	try {
		return { yaml: decoder.decode(bytes) };
	} catch {
		throw new Failed({ kind: "bad_request", message: "invalid yaml" });
	}
}
