import type { Definition } from "@tripline/engine/definition";
import { hasTemplate } from "@tripline/engine/expressions/compile-text";
import { didYouMean } from "@tripline/engine/nearest";
import { StoreUnavailable } from "@tripline/store/client";
import type { WorkflowFinder } from "./find.ts";

/** Names of called workflows that are looked up for one document. */
const MAX_NAMES = 20;

/** Of the workflows that a document calls by a constant name, those that do not exist, with hints. */
export async function findMissingWorkflows(
	{ name: own, graph }: Definition,
	finder: Pick<WorkflowFinder, "exists" | "recentNames">,
	namespace: string,
): Promise<ReadonlyMap<string, string | undefined>> {
	const names = new Set<string>();
	for (const { component, params } of graph.nodes) {
		const { name } = params;
		if (component !== "workflow" || typeof name !== "string" || name === own || hasTemplate(name)) continue;
		if (names.size < MAX_NAMES) names.add(name);
	}
	if (names.size === 0) return NONE;
	try {
		const found = await Promise.all([...names].map((name) => finder.exists(namespace, name)));
		const missing = [...names].filter((_, index) => !found[index]);
		if (missing.length === 0) return NONE;
		const known = await finder.recentNames(namespace);
		return new Map(missing.map((name) => [name, didYouMean(name, known)]));
	} catch (error) {
		// A warning is not worth failing for when the store cannot be reached.
		if (!(error instanceof StoreUnavailable)) throw error;
		return NONE;
	}
}

const NONE: ReadonlyMap<string, undefined> = new Map();
