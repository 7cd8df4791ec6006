import * as z from "zod";
import type { Tool, ToolAnswer, ToolContext } from "../tools/tool.ts";
import { type Method, method, type Served } from "./methods.ts";
import { nearestNames } from "./nearest.ts";
import { PageParams, pageOf } from "./pages.ts";
import { INVALID_PARAMS, RequestProblem } from "./problems.ts";
import type { Surface } from "./surface.ts";

const CallParams = z.object({ name: z.string(), arguments: z.unknown().optional() });

export function toolMethods(surface: Surface): [string, Method][] {
	const fixed = surface.tools.map(listed);
	const byName = new Map(surface.tools.map((tool) => [tool.name, tool]));

	return [
		[
			"tools/list",
			method(PageParams, async ({ cursor }, { context }) => {
				const { items, ...next } = pageOf([...fixed, ...(await ofTenant(context)).map(listed)], cursor);
				return { tools: items, ...next };
			}),
		],
		[
			"tools/call",
			method(CallParams, async ({ name, arguments: args = {} }, served) => {
				try {
					const tool = byName.get(name) ?? (await surface.tenantTool(name, served.context));
					if (tool === null) throw await unknownTool(name, served.context);
					return resultOf(await tool.call(args, served.context));
				} catch (error) {
					return failureOf(error, served);
				}
			}),
		],
	];

	async function ofTenant(context: ToolContext): Promise<Tool[]> {
		return (await surface.tenantTools(context)).filter(({ name }) => !byName.has(name));
	}

	async function unknownTool(name: string, context: ToolContext): Promise<RequestProblem> {
		const known = [...byName.keys(), ...(await ofTenant(context)).map((tool) => tool.name)];
		const near = nearestNames(name, known);
		const hint = near.length === 0 ? "tools/list lists all tools" : `did you mean ${near.join(", ")}?`;
		return new RequestProblem(INVALID_PARAMS, `there is no tool ${shown(name)}: ${hint}`);
	}
}

const listed = ({ name, title, description, hints, inputSchema, outputSchema }: Tool) => ({
	name,
	title,
	description,
	inputSchema,
	outputSchema,
	annotations: {
		title,
		readOnlyHint: hints.readOnly,
		destructiveHint: hints.destructive,
		idempotentHint: hints.idempotent,
		openWorldHint: hints.openWorld,
	},
});

/** The text copy is for clients without support for structured content. */
const resultOf = ({ structured, content, isError }: ToolAnswer): Record<string, unknown> => ({
	content: content ?? [{ type: "text", text: JSON.stringify(structured) }],
	structuredContent: structured,
	...(isError === true && { isError }),
});

/** Returned as a result and not as a protocol error, because only results reach the model. */
function failureOf(error: unknown, { told }: Served): Record<string, unknown> {
	if (error instanceof RequestProblem) throw error;
	return { content: [{ type: "text", text: told(error).message }], isError: true };
}

const MOST_SHOWN = 80;

const shown = (name: string): string =>
	JSON.stringify(name.length > MOST_SHOWN ? `${name.slice(0, MOST_SHOWN)}…` : name);
