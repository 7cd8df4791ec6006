import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { TenantExecutor } from "@tripline/executor/client";
import * as z from "zod";
import { budgeted, fit, shortened } from "./budget.ts";
import { tool } from "./described.ts";
import { maxChars, next } from "./fields.ts";
import { notFound } from "./not-found.ts";
import { AnyValue } from "./reading.ts";
import type { ToolContext, ToolProblem } from "./tool.ts";

type Detail = NonNullable<Awaited<ReturnType<TenantExecutor["components"]["get"]>>>;

export const getComponent = tool({
	name: "get_component",
	title: "Get a component",
	description:
		"Returns a component in full: its parameters and output as JSON Schema, examples, the hosts it calls and the credentials it takes. Read it before you use the component in a workflow: its parameters go next to component in the node's config.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({
		id: z
			.string()
			.min(1)
			.max(300)
			.meta({
				description: "The component's id, from list_components",
				examples: ["http_request", "github.create_issue"],
			}),
		max_chars: maxChars,
	}),
	output: z.object({
		id: z.string(),
		title: z.string(),
		description: z.string(),
		source: z.enum(["built-in", "recipe", "installed"]),
		version: z.string(),
		parameters: AnyValue.meta({ description: "JSON Schema" }),
		output: AnyValue.meta({ description: "JSON Schema" }),
		expressions: AnyValue.meta({
			description: "Parameters that are CEL expressions, and the variables they can use",
		}),
		examples: AnyValue.meta({ description: "Example parameters and their output" }),
		hosts: AnyValue.meta({ description: "Hosts that it may call" }),
		takes_credential: z.boolean().meta({ description: "Whether the node may set credential: NAME" }),
		auth_recipes: AnyValue.meta({ description: "Auth recipes that its credential may use; null: any" }),
		credentials: AnyValue.meta({ description: "Names of matching stored credentials" }),
		truncated: z.boolean(),
		next,
	}),
	async call({ id, max_chars }, context) {
		const detail = await context.executor.components.get(id);
		if (detail === null) throw await unknown(id, context);
		const credentials = detail.takes_credentials ? await fitting(detail, context) : [];
		return { structured: budgeted(max_chars, (room) => toldOf(detail, credentials, room)) };
	},
});

function toldOf(detail: Detail, credentials: readonly string[], room: number) {
	const parts = {
		parameters: plain(detail.params),
		output: plain(detail.output),
		expressions: detail.expressions,
		examples: detail.examples,
		hosts: detail.hosts,
		auth_recipes: detail.auth_recipes,
		credentials: [...credentials],
	};
	const { value, truncated } = fit(parts, Math.max(room, LEAST));
	const told = value as Record<keyof typeof parts, Json>;
	const { id, version, source, takes_credentials } = detail;
	return {
		id,
		title: shortened(detail.title, 100),
		description: shortened(detail.description, 500),
		source,
		version,
		...told,
		takes_credential: takes_credentials,
		truncated,
		next: truncated
			? "Call it again with a larger max_chars to see everything."
			: nextStep(detail, credentials),
	};
}

/** With less room, not every part would fit. */
const LEAST = 700;

/** Drops `$schema`: the dialect is always the same. */
const plain = ({ $schema: _, ...schema }: JsonObject): JsonObject => schema;

async function fitting({ auth_recipes }: Detail, { executor }: ToolContext): Promise<string[]> {
	const { credentials } = await executor.credentials.list();
	return credentials
		.filter(({ auth_recipe }) => auth_recipes === null || auth_recipes.includes(auth_recipe))
		.map(({ name }) => name);
}

function nextStep({ auth_recipes }: Detail, credentials: readonly string[]): string {
	const use = "Use it in a node's config, then save_workflow.";
	if (auth_recipes === null || auth_recipes.length === 0 || credentials.length > 0) return use;
	return `It needs a credential, and no matching one is stored: ask the user to store one. ${use}`;
}

async function unknown(id: string, { executor }: ToolContext): Promise<ToolProblem> {
	const { components } = await executor.components.list();
	const ids = components.map((component) => component.id);
	return notFound("component", id, ids, "Search with list_components and query.");
}
