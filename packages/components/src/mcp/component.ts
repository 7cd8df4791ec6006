import type { Json } from "@tripline/contract/json";
import { type McpServerWithName, type PinnedTool, toMcpComponentId } from "@tripline/contract/mcp-servers";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Component, NodeCall } from "@tripline/engine/component";
import { compileParameterSchema, compileSchema } from "@tripline/engine/json-schema";
import * as z from "zod";
import type { Effects } from "../effects.ts";
import { isObject } from "../schemas.ts";
import { CONTENTS, toOutput } from "./result.ts";
import { toOutputSchema, toParameters } from "./schema.ts";

/** One component for each accepted tool of a server. */
export const createMcpComponents = (server: McpServerWithName): Component<Effects>[] =>
	server.tools.map((tool) => createComponent(server, tool));

/** A tool's schemas as they are used here. Prepared on first use: a workflow uses a few tools of many. */
interface Prepared {
	readonly isWrapped: boolean;
	readonly schemas: { readonly params: JsonObject; readonly output: JsonObject };
	readonly params: z.ZodType;
	readonly output: z.ZodType;
}

function createComponent(server: McpServerWithName, tool: PinnedTool): Component<Effects> {
	let prepared: Prepared | undefined;
	const get = (): Prepared => {
		prepared ??= prepare(tool);
		return prepared;
	};
	const title = tool.title ?? tool.name;
	return {
		id: toMcpComponentId(server.name, tool.name),
		version: "1.0.0",
		title: `${server.title ?? server.name}: ${title}`,
		description: tool.description === "" ? title : tool.description,
		get schemas() {
			return get().schemas;
		},
		get params() {
			return get().params;
		},
		get output() {
			return get().output;
		},
		hosts: [new URL(server.url).host],
		// The server's credential is sent, and no other.
		takesCredentials: false,
		authRecipes: [],
		examples: [],
		async run(call: NodeCall<Effects>): Promise<Json> {
			const { isWrapped, output } = get();
			const args = isWrapped ? (call.params.arguments ?? {}) : call.params;
			const result = await call.effects.mcp.call(server, tool, args as JsonObject, call);
			return toOutput(result, tool.output_schema === null ? null : output, call);
		},
	};
}

function prepare({ input_schema, output_schema }: PinnedTool): Prepared {
	const { schema, isWrapped } = toParameters(input_schema);
	const output = output_schema === null ? {} : toOutputSchema(output_schema);
	return {
		isWrapped,
		schemas: { params: schema, output: allowContents(output) },
		params: toUsable(compileParameterSchema(schema)),
		output: toUsable(compileSchema(output)),
	};
}

/** What a closed object would refuse to a template that reads it. */
function allowContents(output: JsonObject): JsonObject {
	if (!isObject(output.properties)) return output;
	const contents = { type: "array", description: "Images and files beside the structured content" };
	return { ...output, properties: { ...output.properties, [CONTENTS]: contents } };
}

/** The schemas are made such that they compile. */
const toUsable = (type: z.ZodType | { readonly problem: string }): z.ZodType =>
	"problem" in type ? z.custom<never>(() => false, `cannot be checked: the schema ${type.problem}`) : type;
