import type { Json } from "@tripline/contract/json";
import type { GraphNode, JsonObject, Options, Trigger } from "@tripline/contract/workflows";
import type { Definition } from "./definition.ts";
import { formatTriplet } from "./triplets.ts";

/** In the order in which people usually write them. */
export const DOCUMENT_FIELDS = [
	"name",
	"description",
	"version",
	"tags",
	"trigger",
	"id",
	"triplets",
	"config",
	"context",
	"options",
	"result",
] as const;

/** A workflow as people write it and as it travels between instances. */
export interface WorkflowDocument {
	name?: string;
	description?: string;
	version?: string;
	tags?: readonly string[];
	trigger?: Trigger;
	id?: string;
	triplets: string[];
	config?: { [node: string]: JsonObject };
	context?: JsonObject;
	options?: Options;
	result?: Json;
}

/** The inverse of reading: reading the document again gives an equal definition. */
export function decompile({ graph, context, options, ...described }: Definition): WorkflowDocument {
	const config = graph.nodes.map((node) => [node.id, buildNodeConfig(node)] as const);
	const configured = config.filter(([, settings]) => Object.keys(settings).length > 0);
	return {
		...described,
		...(graph.id !== undefined && { id: graph.id }),
		triplets: graph.edges.map(formatTriplet),
		...(configured.length > 0 && { config: Object.fromEntries(configured) }),
		...(Object.keys(context).length > 0 && { context }),
		...(Object.keys(options).length > 0 && { options }),
		...(graph.result !== undefined && { result: graph.result }),
	};
}

function buildNodeConfig({ id, component, params, ...settings }: GraphNode): JsonObject {
	return { ...(component !== id && { component }), ...(settings as JsonObject), ...params };
}
