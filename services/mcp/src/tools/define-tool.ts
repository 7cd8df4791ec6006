import { ServiceRefused, ServiceUnavailable } from "@tripline/web/service-call";
import * as z from "zod";
import { createArgumentProblem } from "./argument-problem.ts";
import { type JsonSchema, type Tool, type ToolDefinition, ToolProblem } from "./tool.ts";

/** Defines a tool. Its JSON Schemas are built once, on first use, and its arguments are validated. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
	described: ToolDefinition<Input, Output>,
): Tool {
	const { input, output, call, ...shown } = described;
	let inputSchema: JsonSchema | undefined;
	let outputSchema: JsonSchema | undefined;
	return {
		...shown,
		get inputSchema() {
			inputSchema ??= toSchema(input, "input");
			return inputSchema;
		},
		get outputSchema() {
			outputSchema ??= toSchema(output, "output");
			return outputSchema;
		},
		async call(args, context) {
			const checked = input.safeParse(args ?? {});
			if (!checked.success) throw createArgumentProblem(shown.name, input, args ?? {}, checked.error.issues);
			try {
				return await call(checked.data, context);
			} catch (error) {
				throw context.signal?.aborted === true ? error : toToolProblem(error);
			}
		},
	};
}

/** Without `$schema`: MCP assumes 2020-12, and older clients fail on the key. */
function toSchema(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
	const { $schema: _, ...plain } = z.toJSONSchema(schema, {
		io,
		unrepresentable: "any",
		reused: "inline",
		override: ({ jsonSchema }) => dropNoise(jsonSchema),
	});
	return plain as JsonSchema;
}

/** Drops keywords that cost tokens and tell a model nothing; an argument that breaks them is explained. */
function dropNoise(schema: z.core.JSONSchema.BaseSchema): void {
	if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
	if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
	delete schema.pattern;
	delete schema.minLength;
	delete schema.maxLength;
}

/** Turns errors of the services into messages for the model. */
function toToolProblem(error: unknown): unknown {
	if (error instanceof ServiceRefused) {
		const issues = error.issues.map(({ path, message }) => `\n- ${path === "" ? "" : `${path} `}${message}`);
		return new ToolProblem(`Rejected: ${error.message}${issues.join("")}`);
	}
	if (error instanceof ServiceUnavailable) {
		return new ToolProblem(
			`${error.message}. The call itself was fine: try again in a few seconds. If this keeps happening, tell the user that a part of the service is unavailable.`,
		);
	}
	return error;
}
