import assert from "node:assert/strict";
import { EntryPage } from "@tripline/contract/entries";
import { RaisedEvents, SavedWorkflow, Validation, WorkflowDocument } from "@tripline/contract/executor";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";

const document = (fields: object = {}) => ({
	name: "greeting",
	description: "Says hello",
	version: "1.0.0",
	triplets: ["input >> ON_SUCCESS >> greet"],
	config: { greet: { component: "template", text: "Hello {{input.name}}" } },
	...fields,
});

const omitField = (field: keyof ReturnType<typeof document>) => {
	const { [field]: _, ...rest } = document();
	return rest;
};

const save = (world: World, body: object) =>
	world.executor.expect(201, SavedWorkflow, "POST", "/workflows", { body });

const runNamed = (world: World, name: string, body: object = {}) =>
	world.executor.expect(200, RunResult, "POST", `/webhooks/named/${encodeURIComponent(name)}/trigger`, {
		body,
	});

/** Asserts that the document is neither saved nor valid, and returns the paths of its errors. */
async function listFaults(world: World, body: object): Promise<string[]> {
	const { diagnostics = [] } = await world.executor.refuse(400, "POST", "/workflows", { body });
	const checked = await world.executor.expect(200, Validation, "POST", "/workflows/validate", { body });
	assert.equal(checked.valid, false);
	assert.deepEqual(checked.diagnostics, diagnostics);
	const query = { owner_id: world.owner };
	assert.deepEqual((await world.expect(200, EntryPage, "GET", "/entries", { query })).entries, []);
	return [...new Set(diagnostics.map(({ path }) => path))];
}

export const documents: readonly Scenario[] = [
	{
		name: "a workflow document with the required fields is saved as a graph, and runs",
		cites: [
			"EXEC-KEEPS-GRAPHS",
			"EXEC-DOC-NAME",
			"EXEC-DOC-DESCRIPTION",
			"EXEC-DOC-VERSION",
			"EXEC-DOC-TRIPLETS",
		],
		async run(world) {
			const saved = await save(world, document());
			assert.equal(saved.name, "greeting");
			assert.equal(saved.description, "Says hello");
			assert.equal(saved.version, "1.0.0");
			assert.deepEqual(saved.graph, {
				nodes: [{ id: "greet", component: "template", params: { text: "Hello {{input.name}}" } }],
				edges: [{ from: "input", to: "greet", on: "ON_SUCCESS" }],
			});
			assert.equal((await runNamed(world, "greeting", { name: "Ada" })).data, "Hello Ada");
		},
	},
	{
		name: "a document without name, description, version or triplets is rejected, and each is reported",
		cites: ["EXEC-DOC-NAME", "EXEC-DOC-DESCRIPTION", "EXEC-DOC-VERSION", "EXEC-DOC-TRIPLETS"],
		async run(world) {
			assert.deepEqual(await listFaults(world, omitField("name")), ["name"]);
			assert.deepEqual(await listFaults(world, omitField("description")), ["description"]);
			assert.deepEqual(await listFaults(world, omitField("version")), ["version"]);
			assert.ok((await listFaults(world, omitField("triplets"))).includes(""));
		},
	},
	{
		name: "name, description and version are strings and triplets is an array of strings",
		cites: ["EXEC-DOC-NAME", "EXEC-DOC-DESCRIPTION", "EXEC-DOC-VERSION", "EXEC-DOC-TRIPLETS"],
		async run(world) {
			for (const field of ["name", "description", "version"]) {
				for (const value of [5, true, [], {}]) {
					assert.deepEqual(await listFaults(world, document({ [field]: value })), [field]);
				}
			}
			assert.ok((await listFaults(world, document({ name: "" }))).includes("name"));
			assert.ok((await listFaults(world, document({ name: "a/b" }))).includes("name"));
			assert.ok((await listFaults(world, document({ version: "v".repeat(65) }))).includes("version"));
			assert.ok((await listFaults(world, document({ triplets: "a >> then >> b" }))).includes("triplets"));
			assert.ok((await listFaults(world, document({ triplets: [5] }))).includes("triplets.0"));
		},
	},
	{
		name: "trigger is optional, and is an object with the type schedule, webhook or event",
		cites: ["EXEC-DOC-TRIGGER", "EXEC-DOC-TRIGGER-TYPE", "EXEC-DOC-TRIGGER-KINDS"],
		async run(world) {
			assert.equal((await save(world, document({ name: "none" }))).cron_expr, null);
			for (const trigger of [
				{ type: "webhook" },
				{ type: "schedule", cron: "*/5 * * * *" },
				{ type: "event", event: "order.*" },
			]) {
				const name = trigger.type;
				await save(world, document({ name, trigger }));
				const path = `/webhooks/named/${name}`;
				const read = await world.executor.expect(200, WorkflowDocument, "GET", path);
				assert.deepEqual(read.trigger, trigger);
			}
		},
	},
	{
		name: "a trigger that is not an object or has a missing or unknown type is rejected",
		cites: ["EXEC-DOC-TRIGGER", "EXEC-DOC-TRIGGER-TYPE", "EXEC-DOC-TRIGGER-KINDS"],
		async run(world) {
			assert.deepEqual(await listFaults(world, document({ trigger: "webhook" })), ["trigger"]);
			assert.deepEqual(await listFaults(world, document({ trigger: { cron: "@daily" } })), ["trigger.type"]);
			assert.deepEqual(await listFaults(world, document({ trigger: { type: "manual" } })), ["trigger.type"]);
			assert.deepEqual(await listFaults(world, document({ trigger: { type: 5 } })), ["trigger.type"]);
		},
	},
	{
		name: "trigger.cron is a cron expression and becomes the workflow's schedule",
		cites: ["EXEC-DOC-TRIGGER-CRON"],
		async run(world) {
			const schedule = { type: "schedule", cron: "30 20 * * *", timezone: "Asia/Taipei" };
			assert.equal((await save(world, document({ trigger: schedule }))).cron_expr, "30 20 * * *");
		},
	},
	{
		name: "a schedule without cron and an event trigger without event are saved with a warning, and never fire",
		cites: ["EXEC-DOC-TRIGGER-CRON"],
		async run(world) {
			for (const [type, path] of [
				["schedule", "trigger.cron"],
				["event", "trigger.event"],
			] as const) {
				const body = document({ name: type, trigger: { type } });
				const saved = await save(world, body);
				assert.equal(saved.cron_expr, null);
				assert.deepEqual(
					saved.diagnostics?.map(({ severity, code, path }) => [severity, code, path]),
					[["warning", "never_fires", path]],
				);
				const checked = await world.executor.expect(200, Validation, "POST", "/workflows/validate", { body });
				assert.equal(checked.valid, true);
				const read = await world.executor.expect(200, WorkflowDocument, "GET", `/webhooks/named/${type}`);
				assert.deepEqual(read.trigger, { type });
				assert.equal((await runNamed(world, type, { name: "Ada" })).data, "Hello Ada");
			}
			const event = { type: "order.paid", data: {} };
			const { matched } = await world.executor.expect(202, RaisedEvents, "POST", "/events", { body: event });
			assert.equal(matched, 0);
		},
	},
	{
		name: "a trigger.cron that is invalid, or not on a schedule trigger, is rejected",
		cites: ["EXEC-DOC-TRIGGER-CRON"],
		async run(world) {
			for (const cron of ["whenever", "* * *", "61 * * * *", 5]) {
				const trigger = { type: "schedule", cron };
				assert.deepEqual(await listFaults(world, document({ trigger })), ["trigger.cron"], String(cron));
			}
			const misplaced = { type: "webhook", cron: "@daily" };
			assert.deepEqual(await listFaults(world, document({ trigger: misplaced })), ["trigger.cron"]);
		},
	},
	{
		name: "context is an object with any keys, which templates can read",
		cites: ["EXEC-DOC-CONTEXT", "EXEC-DOC-CONTEXT-KEYS"],
		async run(world) {
			const context = { "任意 key": [1, { deep: true }], "a.b": null, "": "empty", greeting: "Hello" };
			const config = {
				greet: {
					component: "set",
					values: {
						all: "{{context}}",
						odd: '{{context["任意 key"][1].deep}}',
						word: "{{context.greeting}}",
					},
				},
			};
			await save(world, document({ context, config }));
			const { data } = await runNamed(world, "greeting");
			assert.deepEqual(data, { all: context, odd: true, word: "Hello" });
			assert.deepEqual(
				(await world.executor.expect(200, WorkflowDocument, "GET", "/webhooks/named/greeting")).context,
				context,
			);
		},
	},
	{
		name: "a context that is not an object is rejected",
		cites: ["EXEC-DOC-CONTEXT"],
		async run(world) {
			for (const context of [[], "text", 5, true]) {
				assert.deepEqual(await listFaults(world, document({ context })), ["context"]);
			}
		},
	},
	{
		name: "all errors of a document are reported at once, each with its path and a hint",
		cites: [],
		async run(world) {
			const body = document({
				trigger: { type: "schedule", cron: "whenever" },
				triplets: ["input >> ON_SUCCES >> greet", "greet >> then >> late"],
				config: {
					greet: { component: "template", text: "{{late.x}}", colour: "red" },
					late: { component: "set", values: {} },
					stray: { component: "set" },
				},
			});
			const { diagnostics = [] } = await world.executor.refuse(400, "POST", "/workflows", { body });
			const codes = diagnostics.map(({ code }) => code);
			for (const code of ["unknown_relation", "bad_cron", "unused_settings"]) assert.ok(codes.includes(code));
			const relation = diagnostics.find(({ code }) => code === "unknown_relation");
			assert.equal(relation?.path, "triplets.0");
			assert.match(relation?.hint ?? "", /ON_SUCCESS/);
		},
	},
	{
		name: "a document in YAML is saved as the same workflow, and its errors have lines and columns",
		cites: [],
		async run(world) {
			const headers = { "content-type": "application/yaml" };
			const yaml = [
				"name: greeting",
				"description: Says hello",
				'version: "1.0.0"',
				"triplets:",
				"  - input >> ON_SUCCESS >> greet",
				"config:",
				"  greet: { component: template, text: 'Hello {{input.name}}' }",
			];
			const raw = yaml.join("\n");
			const saved = await world.executor.expect(201, SavedWorkflow, "POST", "/workflows", { raw, headers });
			const json = await world.executor.expect(200, SavedWorkflow, "POST", "/workflows", {
				body: document(),
			});
			assert.deepEqual(json.graph, saved.graph);
			const broken = raw.replace("ON_SUCCESS", "ON_SUCCES");
			const refused = await world.executor.refuse(400, "POST", "/workflows", { raw: broken, headers });
			const [fault] = refused.diagnostics ?? [];
			assert.deepEqual([fault?.code, fault?.line, fault?.column], ["unknown_relation", 5, 14]);
		},
	},
	{
		name: "an exported workflow can be saved as the same workflow elsewhere",
		cites: [],
		async run(world) {
			const context = { greeting: "Hello" };
			const options = { timeout_ms: 1000 };
			const aliases = ["input >> then >> greet"];
			const saved = await save(world, document({ context, options, triplets: aliases }));
			const path = "/webhooks/named/greeting";
			const read = await world.executor.expect(200, WorkflowDocument, "GET", path);
			assert.deepEqual(read.triplets, aliases);
			const headers = { "x-service-api-key": `${world.owner}-other` };
			const copy = await world.anyone.expect(201, SavedWorkflow, "POST", "/workflows", {
				body: read,
				headers,
			});
			assert.deepEqual(copy.graph, saved.graph);
			assert.deepEqual(await world.anyone.expect(200, WorkflowDocument, "GET", path, { headers }), read);
		},
	},
	{
		name: "POST /workflows/validate compiles only: nothing is saved",
		cites: [],
		async run(world) {
			const checked = await world.executor.expect(200, Validation, "POST", "/workflows/validate", {
				body: document(),
			});
			assert.deepEqual([checked.valid, checked.diagnostics, checked.missing], [true, [], []]);
			assert.deepEqual(
				checked.graph?.nodes.map(({ id }) => id),
				["greet"],
			);
			const config = { greet: { component: "nothing_like_it" } };
			const unknown = await world.executor.expect(200, Validation, "POST", "/workflows/validate", {
				body: document({ config }),
			});
			assert.deepEqual([unknown.valid, unknown.missing], [false, ["greet"]]);
			await world.executor.refuse(404, "GET", "/webhooks/named/greeting");
		},
	},
];
