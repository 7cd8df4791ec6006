import { listTools } from "@tripline/components/agent/list-tools";
import type { GraphNode, JsonObject } from "@tripline/contract/workflows";
import type { Surroundings } from "@tripline/engine/compile/advise";
import type { Definition } from "@tripline/engine/definition";
import { hasTemplate } from "@tripline/engine/expressions/compile-text";
import { didYouMean } from "@tripline/engine/nearest";
import { StoreUnavailable } from "@tripline/store/client";
import type { WorkflowFinder } from "./find.ts";

/** Names of called workflows that are looked up for one document. */
const MAX_NAMES = 20;

/** What the compiler should know about the workflows that a document calls by a constant name. */
export type CalledWorkflows = Required<Pick<Surroundings, "missingWorkflows" | "workflowOutputs">>;

/** Looks up the workflows that a document calls. Null if there is nothing to tell about them. */
export async function readCalledWorkflows(
	{ name: own, graph }: Definition,
	finder: Pick<WorkflowFinder, "readOutputSchema" | "recentNames">,
	namespace: string,
): Promise<CalledWorkflows | null> {
	const names = new Set<string>();
	for (const node of graph.nodes)
		for (const name of listCalled(node)) if (name !== own && names.size < MAX_NAMES) names.add(name);
	if (names.size === 0) return null;
	try {
		const missing: string[] = [];
		const workflowOutputs = new Map<string, JsonObject>();
		await Promise.all(
			[...names].map(async (name) => {
				const schema = await finder.readOutputSchema(namespace, name);
				if (schema === undefined) missing.push(name);
				else if (schema !== null) workflowOutputs.set(name, schema);
			}),
		);
		if (missing.length === 0 && workflowOutputs.size === 0) return null;
		const known = missing.length === 0 ? [] : await finder.recentNames(namespace);
		const missingWorkflows = new Map(missing.map((name) => [name, didYouMean(name, known)]));
		return { missingWorkflows, workflowOutputs };
	} catch (error) {
		// A warning is not worth failing for when the store cannot be reached.
		if (!(error instanceof StoreUnavailable)) throw error;
		return null;
	}
}

function listCalled(node: GraphNode): readonly string[] {
	const { name } = node.params;
	if (node.component === "workflow") return typeof name !== "string" || hasTemplate(name) ? [] : [name];
	return listTools(node).flatMap(({ workflow = [] }) => workflow);
}
