import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { toHex } from "@tripline/contract/bytes";
import fc from "fast-check";
import { anyCharacter } from "../../../../test/any-character.ts";
import { TOOLS } from "../../../../test/conformance/scenarios/mcp/surface.ts";
import { type JsonSchema, ToolProblem } from "../../src/tools/tool.ts";
import { tools } from "../../src/tools/tools.ts";
import { echo, type Opened, openTools } from "./open-tools.ts";

const id = "019a3f0e-7c1b-7c3d-9e2f-0123456789ab";
const source = { uri: "https://example.com", hash: "1" };
const DESCRIPTION = `
openapi: 3.0.0
info: { title: Shop }
servers: [{ url: "https://shop.example.com" }]
paths:
  /orders: { get: { operationId: listOrders } }
`;
/** Valid arguments for each tool. */
const GOOD: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
	list_workflows: {},
	get_workflow: { name: "wf" },
	validate_workflow: { document: echo("wf") },
	save_workflow: { document: echo("wf") },
	list_versions: { name: "wf" },
	rollback_workflow: { name: "wf" },
	delete_workflow: { name: "wf" },
	set_workflow_enabled: { name: "wf", enabled: false },
	run_workflow: { name: "wf" },
	list_recent_executions: {},
	get_execution: { execution_id: id },
	cancel_execution: { execution_id: id },
	replay_execution: { execution_id: id },
	list_waiting: {},
	answer_question: { execution_id: id, id: "0".repeat(32), answer: { approved: true } },
	create_sign_in_link: { credential: "mail" },
	manage_mcp_servers: {},
	manage_conversations: {},
	list_components: {},
	get_component: { id: "github.create_issue" },
	import_openapi: { description: DESCRIPTION, operations: ["/orders"] },
	search_knowledge: { query: "x" },
	get_entry: { id },
	save_entry: { page_name: "p", content: "c" },
	ingest_triplet: { subject: "s", predicate: "p", object: "o", source },
	explore_graph: { name: "n" },
	trace_sources: { name: "n" },
	create_webhook: { document: echo("wf") },
	list_files: {},
	get_file: { id: "a".repeat(22) },
	save_file: { name: "a.csv", content: "a,b" },
};

describe("every tool", () => {
	let service: Opened;
	before(async () => {
		service = await openTools();
	});
	after(() => service.close());

	test("is listed in this order, with a title, a description and all hints", () => {
		assert.deepEqual(
			tools.map(({ name }) => name),
			TOOLS,
		);
		for (const { title, description, hints } of tools) {
			assert.ok(title.length > 3 && title.length < 40);
			assert.ok(description.length > 80 && description.length < 700, description);
			for (const hint of ["readOnly", "destructive", "idempotent", "openWorld"] as const)
				assert.equal(typeof hints[hint], "boolean");
			assert.ok(!(hints.readOnly && hints.destructive));
		}
	});

	test("is in the guide's table, which names no others", () => {
		const page = readFileSync(new URL("../../../../docs/guides/assistants.md", import.meta.url), "utf8");
		const rows = page.split("| Tool | Does |")[1]?.split("\n\n")[0]?.split("\n").slice(2) ?? [];
		const named = rows.flatMap((row) => row.split(" | ")[0]?.match(/\w+(?=`)/g) ?? []);
		assert.deepEqual(named.sort(), [...TOOLS].sort());
	});

	test("describes each argument, and accepts no others", () => {
		for (const { name, inputSchema, outputSchema } of tools) {
			assert.equal(inputSchema.type, "object");
			assert.equal(inputSchema.additionalProperties, false);
			assert.equal(outputSchema.type, "object");
			assertDescribed(inputSchema, name);
			const text = JSON.stringify([inputSchema, outputSchema]);
			assert.doesNotMatch(text, /"\$(?:ref|schema|defs|id)"/, name);
			for (const word of ["anyOf", "oneOf", "allOf"])
				assert.ok(!(word in inputSchema), `${name}: clients refuse ${word} at the top`);
		}
	});

	test("builds its schemas once", () => {
		for (const tool of tools) {
			assert.equal(tool.inputSchema, tool.inputSchema);
			assert.equal(tool.outputSchema, tool.outputSchema);
		}
	});

	for (const name of TOOLS) {
		test(`${name} names every wrong argument`, async () => {
			const acme = service.as("wrong");
			const good = GOOD[name] as object;
			const unknown = await acme.problem(name, { ...good, surprise: 1 });
			assert.match(unknown, new RegExp(`arguments of ${name} are not valid:\n- surprise: is not known here`));
			const [first] = Object.keys(good);
			if (first !== undefined) {
				const wrong = await acme.problem(name, { ...good, [first]: 7, another: true });
				assert.match(wrong, new RegExp(`- ${first}: .*\n`));
				assert.match(wrong, /- another: is not known here/);
				const absent = await acme.problem(name, {});
				assert.match(absent, /is required|must be/);
			}
			for (const args of [[], "text", 7, true])
				assert.match(await acme.problem(name, args), /the arguments: must be an object/);
		});

		test(`${name} says to try again when the store is unavailable`, async () => {
			const acme = service.as(`away-${name.replaceAll("_", "-")}`);
			service.setStoreAway(true);
			try {
				// These need the store only for components that are not built in.
				if (["validate_workflow", "list_components", "create_webhook"].includes(name)) return;
				const problem = await acme.problem(name, GOOD[name]);
				assert.match(problem, /the store did not answer|cannot be reached|unavailable|try again/i);
				assert.match(problem, /try again|check list_recent_executions/);
				assert.doesNotMatch(problem, /the store is away|node:|\.ts\b/);
			} finally {
				service.setStoreAway(false);
			}
		});
	}

	test("returns an answer or a problem for any arguments", async () => {
		const acme = service.as("hostile");
		const text = fc.oneof(
			fc.string({ unit: anyCharacter }),
			fc.constantFrom(
				"\ud800",
				"__proto__",
				"constructor",
				"../..",
				"%00",
				"\u0000",
				"{{input}}",
				"日本 🌏",
				"",
			),
			fc.uint8Array({ maxLength: 8 }).map(toHex),
		);
		const value = fc.oneof(
			text,
			fc.json().map((json) => JSON.parse(json) as unknown),
			fc.integer(),
			fc.constant(id),
		);
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...tools), fc.array(value, { maxLength: 8 }), async (tool, values) => {
				const names = Object.keys(tool.inputSchema.properties as object);
				const given = values.map((each, place) => [names[place % names.length], each] as const);
				const good = GOOD[tool.name] as object;
				for (const args of [Object.fromEntries(given), { ...good, ...Object.fromEntries(given.slice(-1)) }]) {
					try {
						const { structured } = await tool.call(args, acme.context);
						assert.ok(JSON.stringify(structured).length <= 100_000);
					} catch (error) {
						assert.ok(error instanceof ToolProblem, `${tool.name} ${JSON.stringify(args)}: ${String(error)}`);
					}
				}
			}),
			{ numRuns: 300 },
		);
		assert.equal(({} as Record<string, unknown>).polluted, undefined);
	});

	test("passes a cancellation on unchanged", async () => {
		const stop = new AbortController();
		stop.abort(new Error("the client hung up"));
		const acme = service.as("gone", stop.signal);
		for (const name of ["run_workflow", "search_knowledge", "get_entry", "explore_graph"])
			await assert.rejects(acme.call(name, GOOD[name]), /the client hung up/);
	});
});

function assertDescribed(schema: JsonSchema | Readonly<Record<string, unknown>>, where: string): void {
	const properties = (schema.properties ?? {}) as Record<string, Readonly<Record<string, unknown>>>;
	for (const [name, property] of Object.entries(properties)) {
		assert.ok(String(property.description ?? "").length > 5, `${where}.${name} has no description`);
		assertDescribed(property, `${where}.${name}`);
	}
}
