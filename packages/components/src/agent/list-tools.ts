import type { JsonObject } from "@tripline/contract/workflows";
import { isObject } from "../schemas.ts";

/** A tool of an agent as its document writes it, which may be wrong otherwise. */
interface WrittenTool {
	readonly component: string | undefined;
	readonly workflow: string | undefined;
	readonly credential: string | undefined;
	readonly params: JsonObject;
	/** Within the node's parameters. */
	readonly path: readonly (string | number)[];
}

/** The tools of a node; none if it is no agent. */
export function listTools(node: { readonly component: string; readonly params: JsonObject }): WrittenTool[] {
	const { tools } = node.params;
	if (node.component !== "agent" || !Array.isArray(tools)) return [];
	return tools.flatMap((tool, index) => {
		if (!isObject(tool)) return [];
		const readText = (name: string) => {
			const text = tool[name];
			return typeof text === "string" ? text : undefined;
		};
		return {
			component: readText("component"),
			workflow: readText("workflow"),
			credential: readText("credential"),
			params: isObject(tool.params) ? tool.params : {},
			path: ["tools", index],
		};
	});
}
