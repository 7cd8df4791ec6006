import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { describeAdding } from "@tripline/engine/add-credential";
import type { TenantExecutor } from "@tripline/executor/client";
import * as z from "zod";
import { buildWithin, fit } from "./budget.ts";
import { defineTool } from "./define-tool.ts";
import { maxChars, next } from "./fields.ts";
import { createNotFound } from "./not-found.ts";
import { AnyValue } from "./reading.ts";
import type { ToolContext, ToolProblem } from "./tool.ts";

type Detail = NonNullable<Awaited<ReturnType<TenantExecutor["components"]["get"]>>>;

export const getComponent = defineTool({
	name: "get_component",
	title: "Get a component",
	description:
		"Returns a component in full: its parameters and output as JSON Schema, examples, the hosts it calls and the credentials it takes. Read it before you use the component: its parameters go next to component in the node's config, and {{node.field}} reads the fields of its output.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({
		id: z
			.string()
			.min(1)
			.max(300)
			.meta({ description: "The component's id, such as http_request or github.create_issue" }),
		max_chars: maxChars,
	}),
	output: z.object({
		id: z.string(),
		title: z.string(),
		description: z.string(),
		source: z.enum(["built-in", "recipe", "installed", "mcp"]),
		version: z.string(),
		parameters: AnyValue,
		output: AnyValue,
		expressions: AnyValue.meta({ description: "Parameters that are CEL, and their variables" }),
		examples: AnyValue,
		hosts: AnyValue,
		takes_credential: z.boolean(),
		auth_recipes: AnyValue.meta({ description: "Kinds of credential that it takes; null: any" }),
		credentials: AnyValue.meta({ description: "Stored ones that match, by name" }),
		not_signed_in: AnyValue.meta({ description: "Those of them whose owner must sign in before a run" }),
		truncated: z.boolean(),
		next,
	}),
	async call({ id, max_chars }, context) {
		const detail = await context.executor.components.get(id);
		if (detail === null) throw await createUnknown(id, context);
		const credentials = detail.takes_credentials ? await listMatchingCredentials(detail, context) : [];
		return { structured: buildWithin(max_chars, (room) => describeComponent(detail, credentials, room)) };
	},
});

interface Matching {
	readonly name: string;
	readonly mustSignIn: boolean;
}

function describeComponent(detail: Detail, credentials: readonly Matching[], room: number) {
	const parts = {
		title: detail.title,
		description: detail.description,
		parameters: dropDialect(detail.params),
		output: dropDialect(detail.output),
		expressions: detail.expressions,
		examples: detail.examples,
		hosts: detail.hosts,
		auth_recipes: detail.auth_recipes,
		credentials: credentials.map(({ name }) => name),
		not_signed_in: credentials.filter(({ mustSignIn }) => mustSignIn).map(({ name }) => name),
	};
	const { value, truncated } = fit(parts, Math.max(room, MIN_ROOM));
	const told = value as Record<keyof typeof parts, Json>;
	const { id, version, source, takes_credentials } = detail;
	return {
		id,
		...told,
		title: told.title as string,
		description: told.description as string,
		source,
		version,
		takes_credential: takes_credentials,
		truncated,
		next: truncated
			? "Call it again with a larger max_chars to see everything."
			: nextStep(detail, credentials),
	};
}

/** With less room, not every part would fit. */
const MIN_ROOM = 700;

/** Drops `$schema`: the dialect is always the same. */
const dropDialect = ({ $schema: _, ...schema }: JsonObject): JsonObject => schema;

async function listMatchingCredentials(
	{ auth_recipes }: Detail,
	{ executor }: ToolContext,
): Promise<Matching[]> {
	const { credentials } = await executor.credentials.list();
	return credentials
		.filter(({ auth_recipe }) => auth_recipes === null || auth_recipes.includes(auth_recipe))
		.map(({ name, sign_in }) => ({ name, mustSignIn: sign_in?.state === "required" }));
}

function nextStep({ auth_recipes }: Detail, credentials: readonly Matching[]): string {
	const use = "Use it in a node's config, then save_workflow.";
	if (credentials.length > 0 && credentials.every(({ mustSignIn }) => mustSignIn))
		return `Its credential is not signed in: create_sign_in_link gives a link for the user. ${use}`;
	if (auth_recipes === null || auth_recipes.length === 0 || credentials.length > 0) return use;
	return `It needs a credential, and no matching one is stored: the user adds one ${describeAdding(auth_recipes)}. ${use}`;
}

async function createUnknown(id: string, { executor }: ToolContext): Promise<ToolProblem> {
	const { components } = await executor.components.list();
	const ids = components.map((component) => component.id);
	return createNotFound("component", id, ids, "Search with list_components and query.");
}
