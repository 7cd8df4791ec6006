import assert from "node:assert/strict";
import { DeletedAnswer } from "@tripline/contract/entries";
import { SavedWorkflow, WorkflowDocument, WorkflowList } from "@tripline/contract/executor";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import {
	echo,
	everything,
	fails,
	getNamedPath,
	listStored,
	otherTenant,
	run,
	save,
	says,
	trigger,
	waitForRecords,
} from "./saving.ts";

const graph = {
	id: "greeting",
	nodes: [{ id: "greet", component: "template", params: { text: "hello {{input.name}}" } }],
	edges: [{ from: "input", to: "greet", on: "ON_SUCCESS" }],
};

const list = async (world: World) =>
	(await world.executor.expect(200, WorkflowList, "GET", "/webhooks/named")).workflows;

const readDocument = (world: World, name: string, headers: Record<string, string> = {}) =>
	world.executor.expect(200, WorkflowDocument, "GET", getNamedPath(name), { headers });

export const named: readonly Scenario[] = [
	{
		name: "POST /webhooks/named creates a workflow with 201, replaces it with 200 and returns what it saved",
		cites: [
			"EXEC-NAMED-PUT-FIELDS",
			"EXEC-NAMED-PUT-TENANT",
			"EXEC-NAMED-PUT-CREATES",
			"EXEC-NAMED-PUT-REPLACES",
		],
		async run(world) {
			const body = { name: "greet all", description: "says hello", graph };
			const answer = { status: 201, created: true, description: "says hello", text: "hello {{input.name}}" };
			for (const { status, created, description, text } of [
				answer,
				{ status: 200, created: false, description: "says goodbye", text: "bye {{input.name}}" },
			]) {
				const nodes = [{ id: "greet", component: "template", params: { text } }];
				const sent = { ...body, description, graph: { ...graph, nodes } };
				const saved = await world.executor.expect(status, SavedWorkflow.strict(), "POST", "/webhooks/named", {
					body: sent,
				});
				assert.deepEqual(saved, {
					name: "greet all",
					description,
					created,
					webhook_url: `${world.target.publicUrl}/webhooks/named/${world.owner}/greet%20all/trigger`,
					graph: sent.graph,
					cron_expr: null,
					version: "1",
					version_number: created ? 1 : 2,
					updated_at: saved.updated_at,
					diagnostics: [],
				});
				assert.match(saved.updated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
			}
			assert.equal((await run(world, "greet all", { name: "Ada" })).data, "bye Ada");
		},
	},
	{
		name: "workflows are listed by their tags, which travel with the document",
		cites: [],
		async run(world) {
			const tags = ["support", "客服"];
			await save(world, echo("first", { tags }));
			await save(world, echo("second", { tags: ["support"] }));
			await save(world, echo("third"));
			const theirs = { body: echo("theirs", { tags: ["support"] }), headers: otherTenant(world) };
			await world.executor.expect(201, SavedWorkflow, "POST", "/webhooks/named", theirs);
			const find = async (tag: string, path = "/webhooks/named", more = {}) => {
				const query = { tag, ...more };
				const { workflows } = await world.executor.expect(200, WorkflowList, "GET", path, { query });
				return workflows.map(({ name, tags }) => [name, ...tags]).sort();
			};
			const both = [
				["first", "support", "客服"],
				["second", "support"],
			];
			assert.deepEqual(await find("support"), both);
			assert.deepEqual(await find("support", "/portal/data/workflows"), both);
			assert.deepEqual(await find("客服"), [both[0]]);
			assert.deepEqual(await find("support", "/webhooks/named", { name: "third" }), []);
			assert.deepEqual(await find("none"), []);
			assert.deepEqual((await list(world)).find(({ name }) => name === "third")?.tags, []);
			await world.executor.refuse(422, "GET", "/webhooks/named", { query: { tag: "a b" } });
			const document = await readDocument(world, "first");
			assert.deepEqual(document.tags, tags);
			assert.equal((await save(world, document)).version_number, 1, "nothing has changed");
			const yaml = await world.executor.call("GET", getNamedPath("first"), {
				headers: { accept: "application/yaml" },
			});
			assert.match(String(yaml.body), /\ntags:\n {2}- support\n {2}- 客服\n/);
			assert.equal((await save(world, echo("second", { tags: [] }))).version_number, 2);
			assert.deepEqual(await find("support"), [both[0]]);
			for (const [wrong, path] of [
				["support", "tags"],
				[["a", "a"], "tags"],
				[["a b"], "tags.0"],
				[[""], "tags.0"],
				[["x".repeat(41)], "tags.0"],
				[[7], "tags.0"],
				[Array.from({ length: 17 }, (_, index) => `t${index}`), "tags"],
			] as const) {
				const body = echo("bad", { tags: wrong });
				const { diagnostics = [] } = await world.executor.refuse(400, "POST", "/webhooks/named", { body });
				assert.deepEqual(
					diagnostics.map((each) => [each.code, each.path]),
					[["bad_field", path]],
					JSON.stringify(wrong),
				);
			}
		},
	},
	{
		name: "the webhook_url of a saved workflow runs it without a tenant header",
		cites: ["EXEC-NAMED-PATH-TRIGGER-NO-HEADER"],
		async run(world) {
			const { webhook_url } = await save(world, echo("空 格 & 100%?#"));
			const response = await fetch(webhook_url, { method: "POST", body: JSON.stringify({ a: 1 }) });
			assert.equal(response.status, 200);
			assert.deepEqual(RunResult.parse(await response.json()).data, { got: { a: 1 } });
		},
	},
	{
		name: "a workflow is one entry: its name is the page, its description the content, the rest metadata",
		cites: [
			"EXEC-WORKFLOW-ENTRY-TYPE",
			"EXEC-WORKFLOW-ENTRY-OWNER",
			"EXEC-WORKFLOW-ENTRY-PAGE",
			"EXEC-WORKFLOW-ENTRY-CONTENT",
			"EXEC-WORKFLOW-ENTRY-GRAPH",
			"EXEC-WORKFLOW-ENTRY-CONFIG",
			"EXEC-WORKFLOW-ENTRY-CRON",
		],
		async run(world) {
			const document = everything("orders");
			const saved = await save(world, document);
			const [entry, ...others] = await listStored(world, "workflow");
			assert.deepEqual(others, []);
			assert.equal(entry?.entry_type, "workflow");
			assert.equal(entry?.owner_id, world.owner);
			assert.equal(entry?.page_name, "orders");
			assert.equal(entry?.content, document.description);
			const { graph, config, cron_expr, ...rest } = JSON.parse(entry?.metadata_json ?? "");
			assert.deepEqual(graph, saved.graph);
			assert.equal(cron_expr, "30 4 * * 1-5");
			assert.equal(config.version, document.version);
			assert.deepEqual(config.trigger, document.trigger);
			assert.deepEqual(config.nodes, document.config);
			assert.deepEqual(config.context, document.context);
			assert.deepEqual(config.options, document.options);
			assert.deepEqual(rest, { tags: document.tags, embed: true });
			await save(world, echo("orders"));
			const [changed] = await listStored(world, "workflow");
			assert.equal(changed?.id, entry?.id);
			assert.equal(JSON.parse(changed?.metadata_json ?? "").cron_expr, null);
		},
	},
	{
		name: "saving a workflow repeatedly and in parallel leaves one entry in the store",
		cites: ["EXEC-NAMED-PUT-ONE-ENTRY"],
		async run(world) {
			const saved = await Promise.all(
				Array.from({ length: 12 }, (_, nth) => save(world, says("busy", `version ${nth}`))),
			);
			assert.equal(saved.filter(({ created }) => created).length, 1);
			await save(world, says("busy", "the last"));
			assert.equal((await listStored(world, "workflow")).length, 1);
			assert.equal((await list(world)).length, 1);
			assert.equal((await run(world, "busy")).data, "the last");
		},
	},
	{
		name: "POST /webhooks/named accepts triplets, flow, nodes and edges, and a whole document",
		cites: [],
		async run(world) {
			const config = { a: { component: "template", text: "x" } };
			const triplets = ["input >> ON_SUCCESS >> a"];
			const nodes = [{ id: "a", component: "template", params: { text: "x" } }];
			const ways = [
				{ triplets, config },
				{ flow: triplets, config },
				{ nodes, edges: [] },
				{ graph: { nodes: [{ id: "a", componentId: "template", data: { text: "x" } }], edges: [] } },
			];
			const graphs = [];
			for (const way of ways) graphs.push((await save(world, { name: "w", description: "", ...way })).graph);
			for (const each of graphs) assert.deepEqual(each, graphs[0]);
			assert.equal((await run(world, "w")).data, "x");
		},
	},
	{
		name: "a workflow that has no name or does not compile is rejected and not stored",
		cites: [],
		async run(world) {
			const { name: _, ...nameless } = echo("x");
			const refused = await world.executor.refuse(400, "POST", "/webhooks/named", { body: nameless });
			assert.equal(refused.diagnostics?.[0]?.path, "name");
			const unknown = { ...echo("x"), triplets: ["input >> WHENEVER >> only"] };
			const { error, diagnostics } = await world.executor.refuse(400, "POST", "/webhooks/named", {
				body: unknown,
			});
			assert.match(error, /does not compile/);
			assert.ok(diagnostics?.some(({ path }) => path === "triplets.0"));
			const { missing, components } = await world.executor.refuse(422, "POST", "/webhooks/named", {
				body: { ...echo("x"), config: { only: { component: "teleport" } } },
			});
			assert.deepEqual([missing, components], [["only"], ["teleport"]]);
			const raw = await world.executor.refuse(400, "POST", "/webhooks/named", { raw: '{"name":' });
			assert.equal(raw.error, "invalid json");
			assert.deepEqual(await listStored(world, "workflow"), []);
		},
	},
	{
		name: "GET /webhooks/named lists all workflows of the tenant and no others",
		cites: ["EXEC-NAMED-LIST-TENANT"],
		async run(world) {
			const { description, version, tags, trigger: schedule } = everything("orders");
			await save(world, everything("orders"));
			for (let nth = 0; nth < 24; nth++) await save(world, echo(`more ${nth}`));
			const theirs = { body: echo("theirs"), headers: otherTenant(world) };
			await world.executor.expect(201, SavedWorkflow, "POST", "/webhooks/named", theirs);
			const workflows = await list(world);
			assert.equal(workflows.length, 25);
			assert.ok(!workflows.some(({ name }) => name === "theirs"));
			const orders = workflows.find(({ name }) => name === "orders");
			assert.deepEqual(orders, {
				name: "orders",
				description,
				version,
				tags,
				trigger: schedule,
				cron_expr: "30 4 * * 1-5",
				webhook_url: `${world.target.publicUrl}/webhooks/named/${world.owner}/orders/trigger`,
				expose: true,
				input_schema: { type: "object" },
				output_schema: {},
				source: "store",
				next_run_at: orders?.next_run_at,
				updated_at: orders?.updated_at,
				version_number: 1,
				enabled: true,
			});
			assert.match(orders?.next_run_at ?? "", /T\d\d:30:00\.000Z$/);
			await world.anyone.refuse(401, "GET", "/webhooks/named");
		},
	},
	{
		name: "names can use any script, up to 128 characters without / and control characters",
		cites: [],
		async run(world) {
			const names = [
				"日報 — отчёт ✓",
				"😀".repeat(128),
				"a".repeat(128),
				"%2e",
				"__proto__",
				"query",
				"named",
			];
			for (const name of names) {
				await save(world, says(name, name));
				assert.equal((await run(world, name)).data, name, name);
				assert.equal((await readDocument(world, name)).name, name);
			}
			assert.deepEqual((await list(world)).map(({ name }) => name).sort(), names.toSorted());
			for (const name of ["a/b", "", "a".repeat(129), "😀".repeat(129), "a\nb"]) {
				const { diagnostics } = await world.executor.refuse(400, "POST", "/webhooks/named", {
					body: says(name, ""),
				});
				assert.equal(diagnostics?.[0]?.path, "name", JSON.stringify(name));
			}
			for (const name of ["a\ud800", "a\u0000b"]) {
				await world.executor.refuse(400, "POST", "/webhooks/named", { body: says(name, "") });
			}
			await world.executor.refuse(422, "POST", "/webhooks/named/a%2Fb/trigger");
		},
	},
	{
		name: "the names . and .. are rejected because a URL cannot contain them",
		cites: [],
		async run(world) {
			for (const name of [".", ".."]) {
				const { diagnostics } = await world.executor.refuse(400, "POST", "/webhooks/named", {
					body: says(name, ""),
				});
				assert.equal(diagnostics?.[0]?.path, "name");
			}
		},
	},
	{
		name: "a named trigger runs the workflow with the trigger context and returns the run's result",
		cites: ["EXEC-NAMED-TRIGGER", "EXEC-NAMED-TRIGGER-CONTEXT"],
		async run(world) {
			await save(world, echo("echo"));
			const result = await run(world, "echo", { order: { id: 7 } });
			assert.deepEqual(result.data, { got: { order: { id: 7 } } });
			assert.equal(result.success, true);
			assert.equal(result.workflow, "echo");
			assert.deepEqual(
				result.nodes?.map(({ id, status }) => [id, status]),
				[["only", "success"]],
			);
			const [record] = await waitForRecords(world, "echo", 1);
			assert.equal(record?.id, result.execution_id);
			assert.equal(record?.trigger, "named");
			for (const raw of ["", "[1]", '"text"', "no json", "null"]) {
				const { status, body } = await trigger(world, "echo", { raw });
				assert.equal(status, 200);
				assert.deepEqual(RunResult.parse(body).data, { got: {} });
			}
			const { body } = await trigger(world, "echo", { query: { trace: "false" } });
			assert.equal(RunResult.parse(body).nodes, undefined);
		},
	},
	{
		name: "a named trigger returns 500 with the result if the run failed",
		cites: [],
		async run(world) {
			await save(world, fails("broken", "no {{input.what}}"));
			const result = await run(world, "broken", { what: "paper", page_name: "printer" }, 500);
			assert.equal(result.success, false);
			assert.equal(result.error, "only: no paper");
			const [record] = await waitForRecords(world, "broken", 1);
			assert.equal(record?.error, "only: no paper");
			assert.equal(record?.target, "printer");
			assert.equal(record?.failed_node, "only");
			assert.deepEqual(record?.nodes, [{ id: "only", component: "fail" }]);
		},
	},
	{
		name: "a trigger of an unknown workflow returns 404 workflow not found",
		cites: [],
		async run(world) {
			for (const surface of [world.executor, world.anyone]) {
				const refused = await surface.refuse(404, "POST", `/webhooks/named/${world.owner}/nothing/trigger`);
				assert.deepEqual(refused, { error: "workflow not found" });
			}
			for (const [method, action] of [
				["POST", "trigger"],
				["POST", "query"],
				["GET", undefined],
				["DELETE", undefined],
			] as const) {
				const refused = await world.executor.refuse(404, method, getNamedPath("nothing", action));
				assert.deepEqual(refused, { error: "workflow not found" });
			}
		},
	},
	{
		name: "a trigger with the namespace in its path runs that namespace's workflow for any caller",
		cites: [
			"EXEC-NAMED-PATH-TRIGGER",
			"EXEC-NAMED-PATH-TRIGGER-CONTEXT",
			"EXEC-NAMED-PATH-TRIGGER-NO-HEADER",
		],
		async run(world) {
			await save(world, says("whose", "{{input.greeting}} from the owner"));
			await world.executor.call("POST", "/webhooks/named", {
				body: says("whose", "from another"),
				headers: otherTenant(world),
			});
			const path = `/webhooks/named/${world.owner}/whose/trigger`;
			const body = { greeting: "hello" };
			for (const headers of [{}, otherTenant(world)]) {
				const result = await world.anyone.expect(200, RunResult, "POST", path, { body, headers });
				assert.equal(result.data, "hello from the owner");
			}
			assert.equal((await waitForRecords(world, "whose", 2))[0]?.trigger, "named");
			await world.anyone.refuse(422, "POST", "/webhooks/named/_system/whose/trigger");
		},
	},
	{
		name: "DELETE /webhooks/named/{name} deletes only the tenant's own workflow",
		cites: ["EXEC-NAMED-DELETE-TENANT", "EXEC-NAMED-DELETE-STORE", "EXEC-NAMED-DELETE-BODY"],
		async run(world) {
			const headers = otherTenant(world);
			await save(world, echo("gone soon"));
			await world.executor.call("POST", "/webhooks/named", { body: echo("gone soon"), headers });
			await world.anyone.refuse(401, "DELETE", getNamedPath("gone soon"));
			const deleted = await world.executor.expect(
				200,
				DeletedAnswer.strict(),
				"DELETE",
				getNamedPath("gone soon"),
			);
			assert.deepEqual(deleted, { deleted: true });
			assert.deepEqual(await listStored(world, "workflow"), []);
			assert.deepEqual(await list(world), []);
			assert.equal((await trigger(world, "gone soon")).status, 404);
			await world.executor.refuse(404, "DELETE", getNamedPath("gone soon"));
			assert.equal((await trigger(world, "gone soon", { headers })).status, 200);
		},
	},
	{
		name: "every request about another tenant's workflow returns 404",
		cites: [],
		async run(world) {
			await save(world, echo("mine", { options: { query: true } }));
			const { execution_id } = await run(world, "mine");
			await waitForRecords(world, "mine", 1);
			const headers = otherTenant(world);
			for (const [method, path] of [
				["GET", getNamedPath("mine")],
				["DELETE", getNamedPath("mine")],
				["POST", getNamedPath("mine", "trigger")],
				["POST", getNamedPath("mine", "query")],
				["POST", `/webhooks/named/${world.owner}-other/mine/trigger`],
				["GET", `/q/${world.owner}-other/mine`],
				["GET", "/workflows/mine/executions"],
				["GET", `/executions/${execution_id}`],
			] as const) {
				const { status } = await world.executor.call(method, path, { headers });
				assert.equal(status, 404, `${method} ${path}`);
			}
			assert.equal((await run(world, "mine")).success, true);
		},
	},
	{
		name: "every route of named workflows needs the tenant header, except the path with the namespace",
		cites: [],
		async run(world) {
			await save(world, echo("mine"));
			for (const [method, path] of [
				["POST", "/webhooks/named"],
				["GET", "/webhooks/named"],
				["GET", getNamedPath("mine")],
				["DELETE", getNamedPath("mine")],
				["POST", getNamedPath("mine", "trigger")],
				["POST", getNamedPath("mine", "query")],
				["POST", "/workflows"],
				["POST", "/workflows/validate"],
				["POST", "/workflows/backfill-search-entries"],
				["GET", "/workflows/mine/executions"],
				["GET", "/portal/data/workflows"],
				["POST", "/events"],
				["GET", "/credentials"],
			] as const) {
				await world.anyone.refuse(401, method, path);
				await world.anyone.refuse(401, method, path, { headers: { "x-service-api-key": "" } });
				await world.anyone.refuse(401, method, path, { headers: { "x-service-api-key": "not a name" } });
			}
		},
	},
];
