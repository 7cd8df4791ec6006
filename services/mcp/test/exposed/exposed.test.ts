import assert from "node:assert/strict";
import { test } from "node:test";
import { type Schema, Validator } from "@cfworker/json-schema";
import type { JsonObject } from "@tripline/contract/workflows";
import fc from "fast-check";
import { toListed } from "../../src/protocol/listed-tool.ts";
import { buildToolName } from "../../src/tools/exposed/name.ts";
import { findTenantTool, listTenantTools } from "../../src/tools/exposed.ts";
import { type Tool, type ToolAnswer, type ToolContext, ToolProblem } from "../../src/tools/tool.ts";
import { buildWorkflow, startWorld } from "../resources/world.ts";

const world = await startWorld();

const exposed = (name: string, input_schema?: JsonObject, more: JsonObject = {}): JsonObject =>
	buildWorkflow(name, {
		options: { expose: true, ...(input_schema !== undefined && { input_schema }) },
		...more,
	});

async function findTool(workflow: string, context: ToolContext): Promise<Tool> {
	const found = (await listTenantTools(context)).find(({ title }) => title === workflow);
	assert.ok(found, `no tool for ${workflow}`);
	return found;
}

const READS_NOTHING = { config: { say: { component: "template", text: "Hello" } } };
const NAME = { type: "object", required: ["name"], properties: { name: { type: "string" } } };

test("only workflows with options.expose are tools", async () => {
	const context = world.context("expose-1");
	await world.save("expose-1", exposed("greet", NAME));
	await world.save("expose-1", buildWorkflow("hidden"));
	await world.save("expose-1", buildWorkflow("closed", { options: { expose: false, input_schema: NAME } }));
	const tools = await listTenantTools(context);
	assert.deepEqual(
		tools.map(({ name, title }) => [name, title]),
		[["run_greet", "greet"]],
	);
	const [tool] = tools;
	assert.deepEqual(tool?.inputSchema, NAME);
	assert.match(tool?.description ?? "", /what greet does/);
	assert.match(tool?.description ?? "", /Runs the workflow "greet"/);
	assert.equal(tool?.hints.readOnly, false);
	assert.equal(tool?.hints.openWorld, true);
	assert.equal(await findTenantTool("run_hidden", context), null);
	assert.equal(await findTenantTool("run_closed", context), null);
});

test("its arguments are the run's input, and its answer is that of run_workflow", async () => {
	const context = world.context("expose-2");
	await world.save("expose-2", exposed("greet", NAME));
	const tool = await findTenantTool("run_greet", context);
	const answer = await tool?.call({ name: "Ada" }, context);
	assert.equal(answer?.structured.success, true);
	assert.equal(answer?.structured.data, "Hello Ada");
	assert.equal(typeof answer?.structured.execution_id, "string");
	assert.notEqual(answer?.isError, true);
});

test("rejects input that does not match the schema, without a run", async () => {
	const context = world.context("expose-3");
	await world.save("expose-3", exposed("greet", NAME));
	const tool = await findTool("greet", context);
	await assert.rejects(
		tool.call({ name: 7 }, context),
		(error) =>
			error instanceof ToolProblem && /name/.test(error.message) && /was not run/.test(error.message),
	);
});

test("a failed run is a result with isError", async () => {
	const context = world.context("expose-4");
	const config = { say: { component: "fail", message: "no tea left" } };
	await world.save("expose-4", exposed("brew", undefined, { config }));
	const answer = await (await findTool("brew", context)).call(undefined, context);
	assert.equal(answer.isError, true);
	assert.equal(answer.structured.error, "say: no tea left");
});

test("another tenant's exposed workflow is not a tool", async () => {
	await world.save("expose-5", exposed("theirs"));
	await world.save("expose-5", exposed("他們的"));
	const theirs = await findTool("他們的", world.context("expose-5"));
	const context = world.context("expose-6");
	assert.deepEqual(await listTenantTools(context), []);
	assert.equal(await findTenantTool("run_theirs", context), null);
	assert.equal(await findTenantTool(theirs.name, context), null);
});

test("workflow names in any script have a tool that is found by its name", async () => {
	const context = world.context("expose-7");
	const names = [
		"日報",
		"Order totals",
		"order_totals",
		"order totals",
		"Émigré café",
		"a".repeat(128),
		"workflow",
		"💡",
	];
	for (const name of names) await world.save("expose-7", exposed(name));
	const tools = await listTenantTools(context);
	assert.equal(new Set(tools.map(({ name }) => name)).size, names.length);
	assert.deepEqual(new Set(tools.map(({ title }) => title)), new Set(names));
	for (const tool of tools) {
		assert.match(tool.name, /^[A-Za-z0-9_-]{1,48}$/);
		const found = await findTenantTool(tool.name, context);
		assert.equal(found?.title, tool.title);
		const answer = await found?.call({ name: "Ada" }, context);
		assert.equal(answer?.structured.workflow, tool.title);
	}
	assert.equal((await findTool("order_totals", context)).name, "run_order_totals");
	assert.match((await findTool("Order totals", context)).name, /^run_order_totals_[0-9a-f]{8}$/);
	assert.match((await findTool("Émigré café", context)).name, /^run_emigre_cafe_[0-9a-f]{8}$/);
});

test("a workflow cannot take the name of a built-in tool", async () => {
	const context = world.context("expose-8");
	await world.save("expose-8", exposed("workflow"));
	const tool = await findTool("workflow", context);
	assert.match(tool.name, /^run_workflow_[0-9a-f]{8}$/);
	assert.equal(await findTenantTool("run_workflow", context), null);
});

test("a workflow's tool keeps its name when other workflows are added", async () => {
	const context = world.context("expose-9");
	await world.save("expose-9", exposed("Daily report"));
	const before = (await findTool("Daily report", context)).name;
	for (const name of ["daily report", "daily_report", before.slice(4)])
		await world.save("expose-9", exposed(name));
	assert.equal((await findTool("Daily report", context)).name, before);
	assert.equal((await listTenantTools(context)).length, 4);
});

test("different workflows have different tools, whatever their names", async () => {
	const word = fc.constantFrom("a", "B", "_", " ", "-", "1", "é", "中", "deadbeef", "_0123abcd", ".");
	const name = fc.array(word, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(""));
	await fc.assert(
		fc.asyncProperty(name, name, async (one, other) => {
			fc.pre(one !== other);
			const tools = await Promise.all([one, other].map((each) => buildToolName(each, new Set())));
			assert.notEqual(tools[0], tools[1]);
			for (const tool of tools) assert.match(tool, /^run_[A-Za-z0-9_-]{1,44}$/);
		}),
		{ numRuns: 300 },
	);
});

test("returns null for any name that is not a tool of the tenant", async () => {
	const context = world.context("expose-10");
	const names = [
		"",
		"run_",
		"run_..",
		"run_%2e%2e",
		"run_nothing",
		"run_nothing_01234567",
		"x",
		`run_${"a".repeat(200)}`,
		"run___proto__",
		"run_\u0000",
		"run_\ud800",
	];
	for (const name of names) assert.equal(await findTenantTool(name, context), null, JSON.stringify(name));
});

test("an input schema without a type, or none at all, becomes an object schema", async () => {
	const context = world.context("expose-11");
	await world.save("expose-11", exposed("untyped", { properties: { a: { type: "number" } } }));
	await world.save("expose-11", exposed("free"));
	await world.save("expose-11", exposed("odd", { type: "array" }, READS_NOTHING));
	assert.deepEqual((await findTool("untyped", context)).inputSchema, {
		type: "object",
		properties: { a: { type: "number" } },
	});
	const any = { type: "object", additionalProperties: true };
	assert.deepEqual((await findTool("free", context)).inputSchema, any);
	assert.deepEqual((await findTool("odd", context)).inputSchema, any);
});

test("moves schema keywords that model APIs reject into the description", async () => {
	const context = world.context("expose-12");
	const schema = {
		$schema: "https://json-schema.org/draft/2020-12/schema",
		type: "object",
		required: ["名字", "age"],
		additionalProperties: false,
		properties: { 名字: { type: "string" }, age: { type: "number" } },
	};
	await world.save("expose-12", exposed("script", schema, READS_NOTHING));
	await world.save("expose-12", exposed("either", { anyOf: [{ required: ["a"] }, { required: ["b"] }] }));
	const script = await findTool("script", context);
	assert.deepEqual(script.inputSchema, {
		type: "object",
		required: ["age"],
		additionalProperties: true,
		properties: { age: { type: "number" } },
	});
	assert.match(script.description, /名字/);
	const either = await findTool("either", context);
	assert.equal("anyOf" in either.inputSchema, false);
	assert.match(either.description, /anyOf/);
	await assert.rejects(either.call({}, context), ToolProblem);
});

test("drops the schema keyword that asks clients to send arguments in headers", async () => {
	const context = world.context("expose-14");
	const region = { type: "string", "x-mcp-header": "Region" };
	const nested = { type: "array", items: { type: "string", "x-mcp-header": "bad name" } };
	await world.save("expose-14", exposed("headed", { type: "object", properties: { region, nested } }));
	assert.deepEqual((await findTool("headed", context)).inputSchema, {
		type: "object",
		properties: { region: { type: "string" }, nested: { type: "array", items: { type: "string" } } },
	});
});

const MAX_TOOL_LENGTH = 900;
const measure = (tool: Tool): number => JSON.stringify(toListed(tool)).length;

test("shortens a long schema to names and types, and says where the rest is", async () => {
	const context = world.context("expose-13");
	const describe = (nth: number) => ({ type: "string", description: `The field ${nth}, ${"x".repeat(120)}` });
	const fields = (count: number) =>
		Object.fromEntries(Array.from({ length: count }, (_, nth) => [`field_${nth}`, describe(nth)]));
	const required = ["field_0"];
	for (const count of [4, 12, 400])
		await world.save(
			"expose-13",
			exposed(`of-${count}`, { type: "object", required, properties: fields(count) }),
		);
	const some = await findTool("of-4", context);
	assert.ok(measure(some) <= MAX_TOOL_LENGTH, `${measure(some)}`);
	assert.match(
		JSON.stringify(some.inputSchema),
		/"field_3":\{"type":"string","description":"The field 3, x+…"/,
	);
	assert.deepEqual([some.inputSchema.required, some.inputSchema.additionalProperties], [required, true]);
	assert.match(some.description, /get_workflow returns them in options\.input_schema/);
	const more = await findTool("of-12", context);
	assert.ok(measure(more) <= MAX_TOOL_LENGTH, `${measure(more)}`);
	assert.deepEqual((more.inputSchema.properties as JsonObject).field_11, { type: "string" });
	const many = await findTool("of-400", context);
	assert.ok(measure(many) <= MAX_TOOL_LENGTH, `${measure(many)}`);
	assert.deepEqual(many.inputSchema, { type: "object", additionalProperties: true });
	assert.match(many.description, /get_workflow returns it in options\.input_schema/);
	assert.match(many.description, /what of-400 does/);
});

test("shortens a long description and says how to read it", async () => {
	const context = world.context("expose-15");
	const description = `Tells the weather. ${"d".repeat(50_000)}`;
	await world.save("expose-15", exposed("long", NAME, { description }));
	const tool = await findTool("long", context);
	assert.ok(measure(tool) <= MAX_TOOL_LENGTH && measure(tool) > MAX_TOOL_LENGTH - 20, `${measure(tool)}`);
	assert.match(
		tool.description,
		/^Tells the weather\. d+… get_workflow returns the whole description\.\n\nRuns/,
	);
	assert.deepEqual(tool.inputSchema, NAME);
});

test("a tool stays within its length, whatever its name, description and schema", async () => {
	const context = world.context("expose-16");
	const text = fc.string({ unit: fc.constantFrom("a", '"', "\\", "日", "🌏", " ", "n"), maxLength: 2_000 });
	const schema = fc.dictionary(
		fc.constantFrom("a", "b b", "名", "long_name_of_a_field", '"'),
		fc.record({ type: fc.constantFrom("string", "number"), description: text }, { requiredKeys: ["type"] }),
	);
	await fc.assert(
		fc.asyncProperty(
			fc.string({ unit: fc.constantFrom("a", '"', "\\", "日"), minLength: 1, maxLength: 128 }),
			text.map((each) => `.${each}`),
			schema,
			async (name, description, properties) => {
				await world.save("expose-16", exposed(name, { type: "object", properties }, { description }));
				const tool = await findTool(name, context);
				assert.ok(measure(tool) <= MAX_TOOL_LENGTH, `${measure(tool)} ${JSON.stringify(toListed(tool))}`);
				await context.executor.workflows.delete(name);
			},
		),
		{ numRuns: 100 },
	);
});

const EUROS = { type: "object", required: ["euros"], properties: { euros: { $ref: "#/$defs/amount" } } };
const PRICED = { ...EUROS, $defs: { amount: { type: "number", minimum: 0 } } };
const priced = (name: string, values: JsonObject): JsonObject =>
	exposed(name, undefined, {
		config: { say: { component: "set", values } },
		options: { expose: true, output_schema: PRICED },
	});

/** Checks an answer the way a client does. */
function assertMatches({ outputSchema }: Tool, answer: ToolAnswer): void {
	const result = new Validator(outputSchema as Schema, "2020-12").validate(answer.structured);
	assert.deepEqual(result.errors, []);
}

test("a tool says what its data is, and its answers match that", async () => {
	const context = world.context("expose-15");
	await world.save("expose-15", priced("good", { euros: 11 }));
	const tool = await findTool("good", context);
	const { properties, $defs } = tool.outputSchema as unknown as { properties: JsonObject; $defs: JsonObject };
	assert.deepEqual((properties.data as { anyOf: JsonObject[] }).anyOf[0], EUROS);
	assert.deepEqual($defs, PRICED.$defs);
	assert.deepEqual(
		await findTenantTool(tool.name, context).then((found) => found?.outputSchema),
		tool.outputSchema,
	);
	const answer = await tool.call({}, context);
	assert.deepEqual(answer.structured.data, { euros: 11 });
	assertMatches(tool, answer);
});

test("data that does not match the output schema is an error, and the answer still matches", async () => {
	const context = world.context("expose-16");
	await world.save("expose-16", priced("bad", { euros: "eleven" }));
	const tool = await findTool("bad", context);
	const answer = await tool.call({}, context);
	assert.equal(answer.isError, true);
	assert.match(String(answer.structured.error), /^result: does not match options\.output_schema: euros: /);
	assertMatches(tool, answer);
});

test("data that is too long for one answer is a preview", async () => {
	const context = world.context("expose-17");
	await world.save("expose-17", priced("long", { euros: 1, note: "x".repeat(100_000) }));
	const tool = await findTool("long", context);
	const answer = await tool.call({}, context);
	assert.equal(answer.structured.data, null);
	assert.equal((answer.structured.preview as { euros: number }).euros, 1);
	assert.match(String(answer.structured.next), /get_execution/);
	assertMatches(tool, answer);
});

test("an output schema that is too long is not part of the tool", async () => {
	const context = world.context("expose-18");
	const output_schema = { type: "object", description: "d".repeat(10_000) };
	await world.save("expose-18", exposed("wordy", undefined, { options: { expose: true, output_schema } }));
	assert.equal(JSON.stringify(await findTool("wordy", context)).includes("dddd"), false);
});
