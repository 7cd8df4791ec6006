import assert from "node:assert/strict";
import { SavedWorkflow, Validation, WorkflowDocument } from "@tripline/contract/executor";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import { echo, everything, getNamedPath, listStored, otherTenant, run, save } from "./saving.ts";

const graph = {
	id: "greeting",
	nodes: [{ id: "greet", component: "template", params: { text: "hello {{input.name}}" } }],
	edges: [{ from: "input", to: "greet", on: "ON_SUCCESS" }],
};

const readDocument = (world: World, name: string, headers: Record<string, string> = {}) =>
	world.executor.expect(200, WorkflowDocument, "GET", getNamedPath(name), { headers });

export const workflowDocuments: readonly Scenario[] = [
	{
		name: "POST /workflows accepts a whole document as JSON and requires name, description and version",
		cites: [],
		async run(world) {
			const document = everything("whole");
			const saved = await world.executor.expect(201, SavedWorkflow, "POST", "/workflows", { body: document });
			assert.equal(saved.version, document.version);
			assert.equal(saved.cron_expr, "30 4 * * 1-5");
			await world.executor.expect(200, SavedWorkflow, "POST", "/workflows", { body: document });
			for (const field of ["name", "description", "version"]) {
				const { diagnostics } = await world.executor.refuse(400, "POST", "/workflows", {
					body: { ...document, [field]: undefined },
				});
				assert.deepEqual(
					diagnostics?.map(({ path, message }) => [path, message]),
					[[field, `${field} is required`]],
				);
			}
		},
	},
	{
		name: "POST /workflows accepts YAML and reports errors with line and column",
		cites: [],
		async run(world) {
			const headers = { "content-type": "application/yaml" };
			const yaml = [
				"name: from yaml",
				"description: 晨間報告",
				'version: "3"',
				"trigger: { type: schedule, cron: '@daily', timezone: Europe/Berlin }",
				"triplets:",
				"  - input >> ON_SUCCESS >> hello",
				"config:",
				"  hello:",
				"    component: template",
				"    text: good {{input.part}}",
			];
			const raw = yaml.join("\n");
			const saved = await world.executor.expect(201, SavedWorkflow, "POST", "/workflows", { raw, headers });
			assert.deepEqual([saved.name, saved.description, saved.version], ["from yaml", "晨間報告", "3"]);
			assert.equal(saved.cron_expr, "@daily");
			assert.equal((await run(world, "from yaml", { part: "morning" })).data, "good morning");
			const wrong = raw.replace("ON_SUCCESS", "ON_SUCESS").replace("    text:", "    txet:");
			const { diagnostics = [] } = await world.executor.refuse(400, "POST", "/workflows", {
				raw: wrong,
				headers,
			});
			const places = diagnostics.map(({ line, column }) => [line, column]);
			assert.deepEqual(places[0], [6, 14]);
			assert.ok(
				places.some(([line, column]) => line === 10 && column === 5),
				JSON.stringify(diagnostics),
			);
			assert.match(diagnostics[0]?.hint ?? "", /ON_SUCCESS/);
			const broken = await world.executor.refuse(400, "POST", "/workflows", { raw: "name: [a", headers });
			assert.equal(broken.diagnostics?.[0]?.line, 1);
		},
	},
	{
		name: "POST /workflows/validate compiles without saving, and returns 200 with all diagnostics",
		cites: [],
		async run(world) {
			const validate = (options: object) =>
				world.executor.expect(200, Validation.strict(), "POST", "/workflows/validate", options);
			const good = await validate({ body: everything("fine") });
			assert.equal(good.valid, true);
			assert.deepEqual(good.missing, []);
			assert.deepEqual(good.graph?.nodes.map(({ id }) => id).sort(), [
				"bad",
				"good",
				"mend",
				"my check",
				"note",
				"pick",
			]);
			const bad = await validate({
				body: {
					...echo("bad"),
					triplets: ["input >> NEVER >> only", "only >> then >> ghost"],
					trigger: { type: "schedule", cron: "61 * * * *" },
				},
			});
			assert.equal(bad.valid, false);
			assert.deepEqual(bad.missing, ["ghost"]);
			const paths = bad.diagnostics.map(({ path }) => path);
			for (const path of ["triplets.0", "trigger.cron", "triplets.1"]) assert.ok(paths.includes(path), path);
			const yaml = await validate({
				raw: "name: a\n\tb: c",
				headers: { "content-type": "application/yaml" },
			});
			assert.deepEqual([yaml.valid, yaml.graph], [false, null]);
			assert.equal(yaml.diagnostics[0]?.line, 2);
			assert.deepEqual(await listStored(world, "workflow"), []);
		},
	},
	{
		name: "the document of GET /webhooks/named/{name} is portable: another namespace can save the same workflow",
		cites: [],
		async run(world) {
			const headers = otherTenant(world);
			const first = await save(world, everything("orders"));
			const document = await readDocument(world, "orders");
			assert.deepEqual(document, everything("orders"));
			const second = await world.executor.expect(201, SavedWorkflow, "POST", "/workflows", {
				body: document,
				headers,
			});
			assert.deepEqual(second.graph, first.graph);
			assert.deepEqual(await readDocument(world, "orders", headers), document);
			const body = { orders: [{ id: 1 }, { id: 2 }] };
			const own = await run(world, "orders", body);
			const theirs = await world.executor.expect(200, RunResult, "POST", getNamedPath("orders", "trigger"), {
				body,
				headers,
			});
			assert.deepEqual(own.data, { notes: ["1 of corner", "2 of corner"], nested: { list: [1, null, "x"] } });
			assert.deepEqual(theirs.data, own.data);
		},
	},
	{
		name: "a workflow saved as a graph is portable too",
		cites: [],
		async run(world) {
			const headers = otherTenant(world);
			const saved = await save(world, { name: "g", description: "", graph });
			const document = await readDocument(world, "g");
			assert.equal(document.id, "greeting");
			const second = await world.executor.expect(201, SavedWorkflow, "POST", "/webhooks/named", {
				body: document,
				headers,
			});
			assert.deepEqual(second.graph, saved.graph);
			assert.deepEqual(await readDocument(world, "g", headers), document);
		},
	},
];
