import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { nodeSettings } from "@tripline/contract/workflows";
import fc from "fast-check";
import * as z from "zod";
import { builtIn, builtInCatalogue } from "../src/catalogue.ts";
import type { Effects } from "../src/effects.ts";
import { addExampleFiles } from "./example-files.ts";
import { memoryFiles } from "./memory-files.ts";
import { memoryFolders } from "./memory-folders.ts";
import { openKnowledge } from "./open-knowledge.ts";
import { listProblems, runForOutput, runNode } from "./run-node.ts";

/** The workflows that the examples call, and the events that have listeners. */
const WORKFLOWS: Readonly<Record<string, { component: string; values: z.core.util.JSONType }>> = {
	weather: { component: "set", values: { city: "{{input.city}}", degrees: 21 } },
	"daily report": { component: "set", values: { sent: true } },
};
const LISTENED_TO = ["order.paid"];

describe("the catalogue", () => {
	let opened: Awaited<ReturnType<typeof openKnowledge>>;
	let effects: Partial<Effects>;

	before(async () => {
		opened = await openKnowledge("examples");
		const { files, add } = memoryFiles();
		add("prices.csv", "text/csv", "a,b\r\n1,2\r\n", "AAAAAAAAAAAAAAAAAAAAAA");
		addExampleFiles(add);
		effects = {
			knowledge: opened.knowledge,
			state: opened.state,
			files,
			folders: memoryFolders(
				new Map([
					["/srv/orders/march.csv", "id\n"],
					["/srv/orders/april.csv", "id\n"],
				]),
			),
			databases: {
				async *read() {
					yield { columns: ["id", "total"], rows: [[1, "12.50"]], hasMore: false };
				},
				run: async (_, { statements }) =>
					statements.map(({ sql }) =>
						sql.startsWith("select")
							? { columns: ["id", "total"], rows: [[1, "12.50"]], changed: 0, hasMore: false }
							: { columns: [], rows: [], changed: 1, hasMore: false },
					),
			},
			mail: {
				async send(_, { to, message }) {
					for await (const _chunk of message.open());
					return { accepted: to, rejected: [], response: "250 2.0.0 Ok: queued as 1" };
				},
			},
			emitEvent: async (type) => LISTENED_TO.filter((listened) => listened === type).length,
			runWorkflow: async (name, input) => {
				const called = WORKFLOWS[name];
				if (called === undefined) throw new Error(`there is no workflow ${name}`);
				return runForOutput(called.component, { values: called.values as never }, { input });
			},
		};
		const { signal } = new AbortController();
		const tea = {
			entry_type: "note",
			page_name: "Tea",
			content: "Green tea at 80 degrees.",
			metadata_json: "{}",
		};
		await opened.knowledge.upsert(tea, signal);
		const source = { uri: "https://example.com/people", hash: "1" };
		await opened.knowledge.ingest({ subject: "Ada", predicate: "knows", object: "Charles", source }, signal);
	});
	after(() => opened.close());

	for (const component of builtIn) {
		const { id, params, output, examples } = component;

		test(`${id} describes all its parameters, and none is named like a node setting`, () => {
			const { properties = {}, additionalProperties } = z.toJSONSchema(params, {
				io: "input",
				unrepresentable: "any",
			});
			assert.equal(additionalProperties, false);
			for (const [name, property] of Object.entries(properties)) {
				assert.ok((property as z.core.JSONSchema.BaseSchema).description, `${name} has no description`);
				assert.ok(!Object.hasOwn(nodeSettings, name) && name !== "component");
			}
			for (const name of Object.keys(component.expressions ?? {})) assert.ok(Object.hasOwn(properties, name));
		});

		test(`${id} rejects unknown parameters, and handles any value`, () => {
			assert.equal(params.safeParse({ ...examples[0]?.params, unknown_parameter: 1 }).success, false);
			const { properties = {} } = z.toJSONSchema(params, { io: "input", unrepresentable: "any" });
			const any = fc.record(
				Object.fromEntries(Object.keys(properties).map((name) => [name, fc.jsonValue()])),
				{ requiredKeys: [] },
			);
			fc.assert(fc.property(fc.oneof(any, fc.jsonValue()), (value) => void params.safeParse(value)));
		});

		test(`${id} has at least two examples`, () => assert.ok(examples.length >= 2));

		for (const example of examples) {
			// Components that call out are only compiled here; their calls are tested elsewhere.
			const calls = component.hosts.length > 0 && example.error === undefined;
			test(`${id}: ${example.title}`, async () => {
				if (calls) {
					assert.deepEqual(listProblems(id, example.params), []);
					return;
				}
				const { input = {} } = example;
				const outcome = await runNode(id, example.params, { input, effects });
				if (example.error !== undefined) {
					assert.deepEqual(outcome, { error: example.error });
					return;
				}
				assert.ok("output" in outcome, `failed: ${"error" in outcome && outcome.error}`);
				if (example.output !== undefined) assert.deepEqual(outcome.output, example.output);
				assert.equal(output.safeParse(outcome.output).error, undefined);
			});
		}
	}

	test("has unique ids, and only some components call hosts and take credentials", () => {
		assert.equal(new Set(builtInCatalogue.ids()).size, builtIn.length);
		assert.equal(builtInCatalogue.get("filter")?.id, "filter");
		assert.equal(builtInCatalogue.get("constructor"), undefined);
		const calling = builtIn.filter(({ hosts, takesCredentials }) => hosts.length > 0 || takesCredentials);
		assert.deepEqual(
			calling.map(({ id }) => id),
			["http_request", "llm_chat", "agent", "embed", "google_sheets_rows", "sql_query", "email_send"],
		);
	});
});
