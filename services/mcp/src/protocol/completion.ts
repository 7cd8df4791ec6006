import * as z from "zod";
import type { ToolContext } from "../tools/tool.ts";
import { type Method, method } from "./methods.ts";
import { INVALID_PARAMS, RequestProblem } from "./problems.ts";
import { requirePrompt } from "./prompts.ts";
import type { Surface } from "./surface.ts";

const CompleteParams = z.object({
	ref: z.discriminatedUnion("type", [
		z.object({ type: z.literal("ref/prompt"), name: z.string() }),
		z.object({ type: z.literal("ref/resource"), uri: z.string() }),
	]),
	argument: z.object({ name: z.string(), value: z.string() }),
});

/** The protocol's limit. */
const MAX_VALUES = 100;

export const completionMethods = (surface: Surface): [string, Method][] => [
	[
		"completion/complete",
		method(CompleteParams, async (params, { context }) => {
			const values = await listValues(params, context, surface);
			return {
				completion: {
					values: values.slice(0, MAX_VALUES),
					total: values.length,
					hasMore: values.length > MAX_VALUES,
				},
			};
		}),
	],
];

async function listValues(
	{ ref, argument: { name, value } }: z.output<typeof CompleteParams>,
	context: ToolContext,
	{ prompts, resources }: Surface,
): Promise<readonly string[]> {
	if (ref.type === "ref/prompt")
		return (await requirePrompt(prompts, ref.name).complete?.(name, value, context)) ?? [];
	if (resources.templates.some(({ uriTemplate }) => uriTemplate === ref.uri))
		return resources.complete(ref.uri, name, value, context);
	throw new RequestProblem(
		INVALID_PARAMS,
		"unknown resource template: resources/templates/list lists all templates",
	);
}
