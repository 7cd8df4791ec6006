import assert from "node:assert/strict";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileSchema } from "@tripline/engine/json-schema";
import * as z from "zod";
import { heldOutputs } from "../../src/tools/held-outputs.ts";
import { type Tool, type ToolContext, ToolProblem } from "../../src/tools/tool.ts";
import { tools } from "../../src/tools/tools.ts";
import { openServices } from "../open-services.ts";

type Structured = Readonly<Record<string, unknown>>;
export type Opened = Awaited<ReturnType<typeof openTools>>;

/** The real store and executor on in-memory SQLite, and the tools as tenants call them. */
export async function openTools() {
	let ahead = 0;
	const clock = { now: () => Date.now() + ahead };
	const { store, executor, seed, away, close } = await openServices({
		clock,
		log: () => {},
		report: () => {},
	});
	const clients = { store, executor, outputs: heldOutputs({ clock, maxBytes: 1_000_000, maxAgeMs: 60_000 }) };

	return {
		clients,
		/** The bundled recipes, for all tenants. */
		seed,
		as: (namespace: string, signal?: AbortSignal) => tenant(namespace, signal),
		setStoreAway(isAway: boolean) {
			if (isAway) away.add("store");
			else away.delete("store");
		},
		advance(milliseconds: number) {
			ahead += milliseconds;
		},
		close,
	};

	function tenant(namespace: string, signal: AbortSignal | undefined) {
		const told: string[] = [];
		const context: ToolContext = {
			namespace,
			origin: "http://tripline.test",
			store: clients.store,
			executor: clients.executor.as(namespace, { by: { client: "mcp" } }),
			outputs: clients.outputs,
			signal,
			async progress(_done, _total, message) {
				told.push(message);
			},
		};
		return {
			context,
			/** The progress messages. */
			told,
			/** The answer, which must match its schema and fit the budget. */
			async call<Answer extends object = Structured>(name: string, args: unknown = {}): Promise<Answer> {
				const { structured, isError } = await answer(name, args);
				assert.notEqual(isError, true, JSON.stringify(structured));
				return structured as Answer;
			},
			/** The answer of a call with isError. */
			async failing<Answer extends object = Structured>(name: string, args: unknown): Promise<Answer> {
				const { structured, isError } = await answer(name, args);
				assert.equal(isError, true);
				return structured as Answer;
			},
			/** The message of a rejected call. */
			async problem(name: string, args: unknown): Promise<string> {
				const error = await answer(name, args).then(
					({ structured }) => assert.fail(`was answered: ${JSON.stringify(structured)}`),
					(reason: unknown) => reason,
				);
				assert.ok(error instanceof ToolProblem, `not a problem of the call: ${error}`);
				assert.ok(error.message.length < 4_000);
				return error.message;
			},
		};

		async function answer(name: string, args: unknown) {
			const { structured, isError } = await findTool(name).call(args, context);
			// Serialized, as a client gets it.
			const sent = JSON.stringify(structured);
			const most = (args as { max_chars?: number }).max_chars ?? 20_000;
			assert.ok(sent.length <= most, `${name} answers ${sent.length} of ${most} characters`);
			const checked = findSchema(name).safeParse(JSON.parse(sent));
			assert.ok(
				checked.success,
				`${name} does not answer as it says: ${JSON.stringify(checked.error?.issues)} ${sent}`,
			);
			return { structured: JSON.parse(sent) as Structured, isError };
		}
	}
}

function findTool(name: string): Tool {
	const found = tools.find((tool) => tool.name === name);
	assert.ok(found, `there is no tool ${name}`);
	return found;
}

const schemas = new Map<string, z.ZodType>();

function findSchema(name: string): z.ZodType {
	const known = schemas.get(name);
	if (known !== undefined) return known;
	const schema = compileSchema(findTool(name).outputSchema as JsonObject);
	assert.ok(schema instanceof z.ZodType, JSON.stringify(schema));
	schemas.set(name, schema);
	return schema;
}

/** A workflow that returns its input. */
export const echo = (name: string, more: JsonObject = {}): JsonObject => ({
	name,
	description: `Says back what it gets, as ${name}`,
	version: "1",
	triplets: ["input >> ON_SUCCESS >> back"],
	config: { back: { component: "set", values: { got: "{{input}}" } } },
	...more,
});

export const failing = (name: string): JsonObject => ({
	name,
	description: "Always fails",
	version: "1",
	triplets: ["input >> ON_SUCCESS >> first", "first >> ON_SUCCESS >> break it"],
	config: {
		first: { component: "set", values: { a: 1 } },
		"break it": { component: "fail", message: "nothing {{input.what | default('works')}}" },
	},
});
