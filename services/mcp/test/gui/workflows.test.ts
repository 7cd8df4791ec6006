import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DeletedAnswer } from "@tripline/contract/entries";
import { ExecutionPage } from "@tripline/contract/execution-log";
import { ExecutionDetail, PortalWorkflows, SavedWorkflow, Validation } from "@tripline/contract/executor";
import { GuiWorkflow } from "@tripline/contract/gui";
import { RunResult } from "@tripline/contract/workflows";
import { failing, greeting, NOON, ORIGIN, startWorld } from "./world.ts";

const world = await startWorld();

const saveWorkflow = (name: string, document: object = greeting(name)) =>
	world.expect(201, SavedWorkflow, "PUT", `/gui/workflows/${encodeURIComponent(name)}`, { body: document });

describe("the console's workflows", () => {
	test("creates, replaces, shows and deletes a workflow", async () => {
		const made = await saveWorkflow("晨報 1");
		assert.equal(made.created, true);
		const path = `/gui/workflows/${encodeURIComponent("晨報 1")}`;
		const again = await world.expect(200, SavedWorkflow, "PUT", path, { body: greeting("晨報 1") });
		assert.equal(again.created, false);
		const shown = await world.expect(200, GuiWorkflow, "GET", path);
		assert.deepEqual(shown.document.triplets, ["input >> ON_SUCCESS >> say"]);
		assert.equal(
			shown.workflow.webhook_url,
			`${ORIGIN}/webhooks/named/acme/${encodeURIComponent("晨報 1")}/trigger`,
		);
		assert.deepEqual(shown.executions, []);
		await world.expect(200, DeletedAnswer, "DELETE", path);
		await world.refuse(404, "GET", path);
		await world.refuse(404, "DELETE", path);
	});

	test("accepts YAML documents, whose diagnostics have lines", async () => {
		const yaml = [
			"name: from-yaml",
			"description: d",
			'version: "1"',
			"triplets:",
			"  - input >> ON_SUCCESS >> say",
			"config:",
			"  say: { component: template, text: hi }",
		].join("\n");
		const type = "application/yaml";
		await world.expect(201, SavedWorkflow, "PUT", "/gui/workflows/from-yaml", { raw: yaml, type });
		const wrong = yaml.replace("component: template", "component: templat");
		const validation = await world.expect(200, Validation, "POST", "/gui/validate", { raw: wrong, type });
		assert.equal(validation.valid, false);
		assert.equal(validation.diagnostics[0]?.line, 7);
		const bytes = new Uint8Array([0xff, 0xfe]);
		await world.refuse(400, "PUT", "/gui/workflows/from-yaml", { raw: bytes, type });
	});

	test("rejects a document that does not compile with 400 and its diagnostics, and missing components with 422", async () => {
		const path = "/gui/workflows/broken";
		const { diagnostics } = await world.refuse(400, "PUT", path, {
			body: greeting("broken", { triplets: ["nonsense"] }),
		});
		assert.ok((diagnostics?.length ?? 0) > 0);
		const { missing } = await world.refuse(422, "PUT", path, {
			body: greeting("broken", { config: { say: { component: "nowhere" } } }),
		});
		assert.deepEqual(missing, ["say"]);
		await world.refuse(404, "GET", path);
	});

	test("rejects a document with another name than in the URL, and saves nothing", async () => {
		const { diagnostics } = await world.refuse(400, "PUT", "/gui/workflows/one", { body: greeting("other") });
		assert.equal(diagnostics?.[0]?.path, "name");
		await world.refuse(404, "GET", "/gui/workflows/one");
		await world.refuse(404, "GET", "/gui/workflows/other");
	});

	test("rejects a body that is not a document", async () => {
		for (const raw of ["{", "", "null", "[]", '"text"', '{"__proto__":{"name":"x"}}', "[".repeat(70)]) {
			await world.refuse(400, "PUT", "/gui/workflows/bad", { raw });
		}
		const { headers: _, ...large } = await world.refuse(413, "PUT", "/gui/workflows/bad", {
			raw: " ".repeat(100_001),
		});
		assert.match(large.error, /100000 bytes/);
		await world.refuse(422, "GET", `/gui/workflows/${"n".repeat(129)}`);
	});

	test("lists the latest execution, the trigger, the next run, and whether a workflow is exposed", async () => {
		await saveWorkflow("listed", greeting("listed", { trigger: { type: "schedule", cron: "@hourly" } }));
		await saveWorkflow("shown", greeting("shown", { options: { expose: true } }));
		const run = await world.expect(200, RunResult, "POST", "/gui/workflows/listed/run", {
			body: { who: "x" },
		});
		await world.recorded(run.execution_id);
		const { workflows } = await world.expect(200, PortalWorkflows, "GET", "/gui/workflows");
		const listed = workflows.find(({ name }) => name === "listed");
		assert.equal(listed?.last_execution?.verdict, "success");
		assert.equal(listed?.trigger?.type, "schedule");
		assert.equal(listed?.next_run_at, new Date(NOON + 3_600_000).toISOString());
		const shown = workflows.find(({ name }) => name === "shown");
		assert.deepEqual([shown?.expose, shown?.next_run_at, shown?.last_execution], [true, null, null]);
		const { workflow } = await world.expect(200, GuiWorkflow, "GET", "/gui/workflows/listed");
		assert.equal(workflow.next_run_at, listed?.next_run_at);
	});

	test("a workflow may be named like a segment of a URL", async () => {
		for (const name of ["validate", "run", "__proto__"]) {
			await saveWorkflow(name);
			await world.expect(200, GuiWorkflow, "GET", `/gui/workflows/${name}`);
		}
	});

	test("another tenant's workflows are not found", async () => {
		await saveWorkflow("mine");
		const as = "other";
		await world.refuse(404, "GET", "/gui/workflows/mine", { as });
		await world.refuse(404, "DELETE", "/gui/workflows/mine", { as });
		await world.refuse(404, "POST", "/gui/workflows/mine/run", { as, body: {} });
		const { workflows } = await world.expect(200, PortalWorkflows, "GET", "/gui/workflows", { as });
		assert.deepEqual(workflows, []);
	});
});

describe("the console's runs", () => {
	test("a run returns its result with the trace, and is found by its id", async () => {
		await saveWorkflow("hello");
		const body = { who: "Ada", __proto__x: 1 };
		const result = await world.expect(200, RunResult, "POST", "/gui/workflows/hello/run", { body });
		assert.deepEqual([result.success, result.data], [true, "Hello Ada"]);
		assert.deepEqual(
			result.nodes?.map(({ id, status }) => [id, status]),
			[["say", "success"]],
		);
		await world.recorded(result.execution_id);
		const path = `/gui/executions/${result.execution_id}`;
		const detail = await world.expect(200, ExecutionDetail, "GET", path);
		assert.deepEqual(
			[detail.status, detail.record?.trigger, detail.nodes?.length],
			["success", "console", 1],
		);
		await world.refuse(404, "GET", path, { as: "other" });
	});

	test("answers a failed run with 200, its error and its trace", async () => {
		await saveWorkflow("fails", failing("fails"));
		const result = await world.expect(200, RunResult, "POST", "/gui/workflows/fails/run", { body: {} });
		assert.deepEqual([result.success, result.error], [false, "say: it went wrong"]);
		assert.equal(result.nodes?.[0]?.error, "it went wrong");
	});

	test("rejects input that is not an object, and unknown workflows", async () => {
		await saveWorkflow(
			"strict",
			greeting("strict", { options: { input_schema: { type: "object", required: ["who"] } } }),
		);
		for (const body of [[], "text", 5, null]) {
			await world.refuse(422, "POST", "/gui/workflows/strict/run", { body });
		}
		await world.refuse(400, "POST", "/gui/workflows/strict/run", { raw: "{" });
		const { issues } = await world.refuse(422, "POST", "/gui/workflows/strict/run", { body: {} });
		assert.ok((issues?.length ?? 0) > 0);
		await world.refuse(404, "POST", "/gui/workflows/none/run", { body: {} });
	});

	test("filters executions by workflow, verdict, time and text, in pages", async () => {
		const as = "logs";
		const write = (workflow: string, verdict: "success" | "failed", minute: number, error = "") =>
			world.store.executionLog.append([
				{
					owner_id: as,
					workflow,
					verdict,
					duration_ms: minute,
					error,
					time: new Date(NOON - minute * 60_000).toISOString(),
				},
			]);
		await write("a", "success", 1);
		await write("a", "failed", 2, "Timed out");
		await write("b", "failed", 3);
		const listDurations = async (query: string) => {
			const page = await world.expect(200, ExecutionPage, "GET", `/gui/executions?${query}`, { as });
			return page.executions.map((record) => record.duration_ms);
		};
		assert.deepEqual(await listDurations(""), [1, 2, 3]);
		assert.deepEqual(await listDurations("workflow=a"), [1, 2]);
		assert.deepEqual(await listDurations("verdict=failed"), [2, 3]);
		assert.deepEqual(await listDurations("q=timed"), [2]);
		assert.deepEqual(await listDurations(`since=${NOON / 1000 - 120}`), [1, 2]);
		assert.deepEqual(await listDurations(`until=${new Date(NOON - 120_000).toISOString()}`), [2, 3]);
		const first = await world.expect(200, ExecutionPage, "GET", "/gui/executions?limit=2", { as });
		assert.deepEqual(await listDurations(`limit=2&cursor=${first.next_cursor}`), [3]);
		for (const query of ["limit=0", "limit=101", "cursor=x!", "verdict=maybe", "owner_id=acme", "q="]) {
			await world.refuse(422, "GET", `/gui/executions?${query}`, { as });
		}
		await world.refuse(422, "GET", "/gui/executions/none");
		await world.refuse(404, "GET", "/gui/executions/01890000-0000-7000-8000-000000000000");
	});
});
