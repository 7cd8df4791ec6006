import * as z from "zod";
import type { Tool, ToolAnswer, ToolContext } from "../tools/tool.ts";
import { toListed } from "./listed-tool.ts";
import { type Method, type MethodContext, method } from "./methods.ts";
import { PageParams, pickPage } from "./pages.ts";
import { INVALID_PARAMS, RequestProblem } from "./problems.ts";
import { listSimilarNames } from "./similar-names.ts";
import type { Surface } from "./surface.ts";

const CallParams = z.object({ name: z.string(), arguments: z.unknown().optional() });

export function toolMethods(surface: Surface): [string, Method][] {
	const fixed = surface.tools.map(toListed);
	const byName = new Map(surface.tools.map((tool) => [tool.name, tool]));

	return [
		[
			"tools/list",
			method(PageParams, async ({ cursor }, { context }) => {
				const { items, ...next } = pickPage(
					[...fixed, ...(await listOwnTools(context)).map(toListed)],
					cursor,
				);
				return { tools: items, ...next };
			}),
		],
		[
			"tools/call",
			method(CallParams, async ({ name, arguments: args = {} }, served) => {
				try {
					const tool = byName.get(name) ?? (await surface.findTenantTool(name, served.context));
					if (tool === null) throw await createUnknownTool(name, served.context);
					return toResult(await tool.call(args, served.context));
				} catch (error) {
					return toFailure(error, served);
				}
			}),
		],
	];

	async function listOwnTools(context: ToolContext): Promise<Tool[]> {
		return (await surface.listTenantTools(context)).filter(({ name }) => !byName.has(name));
	}

	async function createUnknownTool(name: string, context: ToolContext): Promise<RequestProblem> {
		const known = [...byName.keys(), ...(await listOwnTools(context)).map((tool) => tool.name)];
		const near = listSimilarNames(name, known);
		const hint = near.length === 0 ? "tools/list lists all tools" : `did you mean ${near.join(", ")}?`;
		return new RequestProblem(INVALID_PARAMS, `there is no tool ${quoteName(name)}: ${hint}`);
	}
}

/** The text copy is for clients without support for structured content. */
const toResult = ({
	structured,
	content,
	attachments = [],
	isError,
}: ToolAnswer): Record<string, unknown> => ({
	content: [...(content ?? [{ type: "text", text: JSON.stringify(structured) }]), ...attachments],
	structuredContent: structured,
	...(isError === true && { isError }),
});

/** Returned as a result and not as a protocol error, because only results reach the model. */
function toFailure(error: unknown, { describeError: told }: MethodContext): Record<string, unknown> {
	if (error instanceof RequestProblem) throw error;
	return { content: [{ type: "text", text: told(error).message }], isError: true };
}

const MAX_SHOWN_LENGTH = 80;

const quoteName = (name: string): string =>
	JSON.stringify(name.length > MAX_SHOWN_LENGTH ? `${name.slice(0, MAX_SHOWN_LENGTH)}…` : name);
