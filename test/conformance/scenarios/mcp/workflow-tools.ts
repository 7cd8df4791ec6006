import assert from "node:assert/strict";
import { ExecutionPage } from "@tripline/contract/execution-log";
import { ComponentDetail, ComponentList, Validation, WorkflowDocument } from "@tripline/contract/executor";
import type { Diagnostic } from "@tripline/contract/workflows";
import { RunResult } from "@tripline/contract/workflows";
import { ERAS } from "../../../mcp/wire.ts";
import type { Scenario, World } from "../../scenario.ts";
import { echo, everything, fails, getNamedPath, run, save, waitForRecords } from "../executor/saving.ts";
import { callFailing, callForProblem, callTool } from "./asking.ts";
import { openConsole } from "./console.ts";
import { OPEN } from "./settings.ts";

interface Saved {
	readonly saved: boolean;
	readonly name: string | null;
	readonly created: boolean;
	readonly webhook_url: string | null;
	readonly cron: string | null;
	readonly error: string | null;
	readonly diagnostics: readonly Diagnostic[];
	readonly missing: readonly string[];
	readonly next: string;
}

interface Run {
	readonly success: boolean;
	readonly execution_id: string;
	readonly data: unknown;
	readonly error: string | null;
	readonly failed_node: { readonly id: string; readonly component: string } | null;
	readonly nodes: readonly { readonly id: string; readonly status: string }[];
	readonly next: string;
}

interface Listed {
	readonly executions: readonly {
		readonly execution_id: string;
		readonly workflow: string;
		readonly time: string;
		readonly verdict: string;
		readonly duration_ms: number;
		readonly trigger: string;
		readonly failed_node: string | null;
		readonly error: string;
	}[];
	readonly next_cursor: string | null;
}

const TEXT = `# Greets whoever comes.
name: greet
description: Greets somebody
version: "1"
triplets:
  - input >> then >> hello # the only step
config:
  hello: { component: template, text: "Hello {{input.name}}" }
`;

const listExecutions = (world: World, args = {}, options = {}) =>
	callTool<Listed>(world, "list_recent_executions", args, options);

/** The same from the store's execution log. */
async function listLogged(world: World, query: object = {}) {
	const page = await world.expect(200, ExecutionPage, "GET", "/execution-log", {
		query: { owner_id: world.owner, ...query },
	});
	return page.executions.map(({ id, ...record }) => ({
		execution_id: id,
		workflow: record.workflow,
		time: record.time,
		verdict: record.verdict,
		duration_ms: record.duration_ms,
		trigger: record.trigger,
		failed_node: record.failed_node ?? null,
		error: record.error,
	}));
}

export const workflowTools: readonly Scenario[] = [
	{
		name: "save_workflow saves a workflow to the executor, get_workflow reads it, delete_workflow deletes it",
		cites: ["MCP-THIN-SHELL", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			const document = everything("訂單 job");
			for (const era of ERAS) {
				const saved = await callTool<Saved>(world, "save_workflow", { document }, { era });
				assert.deepEqual([saved.saved, saved.name, saved.created], [true, "訂單 job", true]);
				assert.equal(saved.cron, "30 4 * * 1-5");
				assert.equal(
					saved.webhook_url,
					`${world.target.publicUrl}/webhooks/named/${world.owner}/${encodeURIComponent("訂單 job")}/trigger`,
				);
				const again = await callTool<Saved>(
					world,
					"save_workflow",
					{ document: JSON.stringify(document) },
					{ era },
				);
				assert.equal(again.created, false);
				const path = getNamedPath("訂單 job");
				const kept = await world.executor.expect(200, WorkflowDocument, "GET", path);
				const got = await callTool(world, "get_workflow", { name: "訂單 job" }, { era });
				assert.deepEqual(got.document, kept);
				const deleted = await callTool(world, "delete_workflow", { name: "訂單 job" }, { era });
				assert.equal(deleted.deleted, true);
				await world.executor.refuse(404, "GET", path);
				assert.match(await callForProblem(world, "get_workflow", { name: "訂單 job" }), /no workflow/);
				assert.match(await callForProblem(world, "delete_workflow", { name: "訂單 job" }), /no workflow/);
			}
		},
	},
	{
		name: "a workflow saved as YAML is returned as its text, and keeps its comments when the text is edited",
		cites: ["MCP-THIN-SHELL", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			const headers = { "content-type": "application/yaml" };
			await world.executor.call("POST", "/workflows", { raw: TEXT, headers });
			let text = TEXT;
			for (const era of ERAS) {
				const read = await callTool(world, "get_workflow", { name: "greet" }, { era });
				assert.equal(read.yaml, text);
				assert.match(String(read.next), /keep its comments/);
				text = text.replace("Hello", "Hello hello");
				const saved = await callTool<Saved>(world, "save_workflow", { document: text }, { era });
				assert.deepEqual([saved.saved, saved.created], [true, false]);
				const accept = { headers: { accept: "application/yaml" } };
				assert.equal((await world.executor.call("GET", getNamedPath("greet"), accept)).body, text);
				const args = { name: "greet", select: "yaml" };
				assert.equal((await callTool(world, "get_workflow", args, { era })).document, text);
				const theirs = { bearer: `${world.owner}-other`, era };
				assert.match(await callForProblem(world, "get_workflow", args, theirs), /no workflow/);
			}
			const ran = await callTool<Run>(world, "run_workflow", { name: "greet", input: { name: "Ada" } });
			assert.equal(ran.data, "Hello hello hello Ada");
			const { document } = await callTool(world, "get_workflow", { name: "greet" });
			await callTool(world, "save_workflow", { document });
			assert.equal((await callTool(world, "get_workflow", { name: "greet" })).yaml, null);
		},
	},
	{
		name: "save_workflow reports what is wrong with a document, and saves it once it is corrected",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			const config = { only: { component: "templat", text: "Hello {{input.name}}" } };
			const broken = { ...echo("greet"), config };
			for (const era of ERAS) {
				const refused = await callFailing<Saved>(world, "save_workflow", { document: broken }, { era });
				assert.equal(refused.saved, false);
				const [first] = refused.diagnostics;
				assert.match(JSON.stringify(first), /template/);
				assert.deepEqual(refused.missing, ["only"]);
				assert.match(refused.next, /save_workflow again/);
			}
			await world.executor.refuse(404, "GET", getNamedPath("greet"));
			const yaml =
				"name: greet\ndescription: x\nversion: '1'\ntriplets:\n  - input >> ON_SUCESS >> only\nconfig:\n  only:\n    component: template\n    text: 'Hello {{input.name}}'\n";
			const typo = await callFailing<Saved>(world, "save_workflow", { document: yaml });
			const [diagnostic] = typo.diagnostics;
			assert.equal(diagnostic?.severity, "error");
			assert.equal(diagnostic?.line, 5);
			const mended = yaml.replace("ON_SUCESS", "ON_SUCCESS");
			const saved = await callTool<Saved>(world, "save_workflow", { document: mended });
			assert.deepEqual([saved.saved, saved.diagnostics], [true, []]);
			const ran = await callTool<Run>(world, "run_workflow", { name: "greet", input: { name: "Ada" } });
			assert.equal(ran.data, "Hello Ada");
		},
	},
	{
		name: "validate_workflow returns the executor's diagnostics and saves nothing",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			const wrong = { ...echo("job"), triplets: ["input >> then >> only", "only >> then >> nowhere"] };
			for (const document of [echo("job"), wrong, { name: "job" }, {}]) {
				const body = document;
				const expected = await world.executor.expect(200, Validation, "POST", "/workflows/validate", {
					body,
				});
				const told = await callTool(world, "validate_workflow", { document });
				assert.equal(told.valid, expected.valid);
				assert.deepEqual(told.diagnostics, expected.diagnostics);
				assert.deepEqual(told.missing, expected.missing);
			}
			await world.executor.refuse(404, "GET", getNamedPath("job"));
		},
	},
	{
		name: "run_workflow runs a workflow for its tenant, and its record says that an assistant started it",
		cites: ["MCP-THIN-SHELL", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("job"));
			for (const era of ERAS) {
				const args = { name: "job", input: { 品: ["茶", 1.5, null] }, trace: true };
				const ran = await callTool<Run>(world, "run_workflow", args, { era });
				assert.deepEqual(ran.data, { got: { 品: ["茶", 1.5, null] } });
				assert.deepEqual(
					ran.nodes.map(({ id, status }) => [id, status]),
					[["only", "success"]],
				);
			}
			const records = await waitForRecords(world, "job", 2);
			assert.deepEqual(
				records.map(({ trigger, verdict }) => [trigger, verdict]),
				[
					["mcp", "success"],
					["mcp", "success"],
				],
			);
			const theirs = { bearer: `${world.owner}-other` };
			assert.match(await callForProblem(world, "run_workflow", { name: "job" }, theirs), /no workflow/);
		},
	},
	{
		name: "an external caller cannot claim that an assistant or the console started its run",
		cites: [],
		environment: OPEN,
		async run(world) {
			await save(world, echo("job"));
			for (const trigger of ["mcp", "console"]) {
				const headers = { "x-run-trigger": trigger };
				await world.executor.call("POST", getNamedPath("job", "trigger"), { headers });
			}
			const records = await waitForRecords(world, "job", 2);
			assert.deepEqual(
				records.map(({ trigger }) => trigger),
				["named", "named"],
			);
		},
	},
	{
		name: "a workflow whose webhook requires a signature runs for its owner without one",
		cites: ["MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			const body = { auth_recipe: "signing_secret", fields: { secret: "of-the-sender" } };
			assert.equal((await world.executor.call("PUT", "/credentials/signer", { body })).status, 201);
			await save(
				world,
				echo("signed", { options: { signature: { scheme: "github", credential: "signer" } } }),
			);
			await world.executor.refuse(401, "POST", getNamedPath("signed", "trigger"), { body: {} });
			const ran = await callTool<Run>(world, "run_workflow", { name: "signed", input: { a: 1 } });
			assert.deepEqual(ran.data, { got: { a: 1 } });
			const path = "/workflows/signed/run";
			const console = await openConsole(world).expect(200, RunResult, "POST", path, { body: { a: 2 } });
			assert.deepEqual(console.data, { got: { a: 2 } });
		},
	},
	{
		name: "an input that does not match the workflow's schema is rejected with the path of the error",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			const input_schema = { type: "object", required: ["id"], properties: { id: { type: "integer" } } };
			await save(world, echo("job", { options: { input_schema } }));
			const said = await callForProblem(world, "run_workflow", { name: "job", input: { id: "x" } });
			assert.match(said, /was not run[\s\S]*id/);
			assert.deepEqual((await listExecutions(world)).executions, []);
		},
	},
	{
		name: "list_recent_executions returns the store's execution log with its order, filters and pages",
		cites: ["MCP-TOOL-LIST-RECENT-EXECUTIONS", "MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("good"));
			await save(world, fails("bad", "no tea"));
			for (let nth = 0; nth < 3; nth++) {
				await run(world, "good");
				await run(world, "bad", {}, 500);
			}
			await waitForRecords(world, "good", 3);
			await waitForRecords(world, "bad", 3);
			for (const era of ERAS) {
				assert.deepEqual((await listExecutions(world, {}, { era })).executions, await listLogged(world));
				for (const filter of [{ workflow: "bad" }, { verdict: "failed" }, { verdict: "success", limit: 2 }]) {
					const told = await listExecutions(world, filter, { era });
					assert.deepEqual(told.executions, await listLogged(world, filter));
				}
				const seen: string[] = [];
				let cursor: string | null = null;
				do {
					const page: Listed = await listExecutions(world, { limit: 4, ...(cursor && { cursor }) }, { era });
					seen.push(...page.executions.map(({ execution_id }) => execution_id));
					cursor = page.next_cursor;
				} while (cursor !== null);
				assert.deepEqual(
					seen,
					(await listLogged(world)).map(({ execution_id }) => execution_id),
				);
			}
			const theirs = await listExecutions(world, {}, { bearer: `${world.owner}-other` });
			assert.deepEqual(theirs.executions, []);
		},
	},
	{
		name: "list_recent_executions includes the run that has just been answered",
		cites: ["MCP-TOOL-LIST-RECENT-EXECUTIONS"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("quick"));
			const ids: string[] = [];
			for (const era of ERAS)
				for (let nth = 0; nth < 5; nth++) {
					const { execution_id } = await callTool<{ execution_id: string }>(
						world,
						"run_workflow",
						{ name: "quick" },
						{ era },
					);
					ids.unshift(execution_id);
					const { executions } = await listExecutions(world, {}, { era });
					assert.deepEqual(
						executions.map((each) => each.execution_id),
						ids,
					);
				}
		},
	},
	{
		name: "list_recent_executions shows records that other programs wrote",
		cites: ["MCP-TOOL-LIST-RECENT-EXECUTIONS"],
		environment: OPEN,
		async run(world) {
			const body = {
				owner_id: world.owner,
				workflow: "elsewhere",
				verdict: "failed",
				duration_ms: 7,
				error: "x",
			};
			assert.equal((await world.call("POST", "/execution-log", { body })).status, 200);
			const { executions } = await listExecutions(world);
			assert.deepEqual(executions, await listLogged(world));
			assert.equal(executions[0]?.workflow, "elsewhere");
		},
	},
	{
		name: "get_execution shows where a run failed and why, and nothing of another tenant's run",
		cites: ["MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			await save(world, fails("bad", "no {{input.what}}"));
			const ran = await callFailing<Run>(world, "run_workflow", { name: "bad", input: { what: "tea" } });
			assert.deepEqual(ran.failed_node, { id: "only", component: "fail" });
			await waitForRecords(world, "bad", 1);
			for (const era of ERAS) {
				const { execution_id } = ran;
				const detail = await callTool(world, "get_execution", { execution_id }, { era });
				assert.deepEqual(
					[detail.status, detail.error, detail.failed_node, detail.trigger, detail.workflow],
					["failed", "only: no tea", "only", "mcp", "bad"],
				);
				const theirs = { bearer: `${world.owner}-other`, era };
				assert.match(await callForProblem(world, "get_execution", { execution_id }, theirs), /no execution/);
			}
		},
	},
	{
		name: "list_workflows lists every workflow with its trigger and latest run, and can search by words",
		cites: ["MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			await save(world, everything("orders"));
			await save(world, fails("invoice", "no tea"));
			await run(world, "invoice", {}, 500);
			await waitForRecords(world, "invoice", 1);
			for (const era of ERAS) {
				const { workflows, total } = await callTool<{
					workflows: { name: string; cron: string; exposed: boolean; last_run: { verdict: string } | null }[];
					total: number;
				}>(world, "list_workflows", {}, { era });
				assert.equal(total, 2);
				assert.deepEqual(
					workflows.map(({ name, cron, exposed, last_run }) => [
						name,
						cron,
						exposed,
						last_run?.verdict ?? null,
					]),
					[
						["invoice", null, false, "failed"],
						["orders", "30 4 * * 1-5", true, null],
					],
				);
				const found = await callTool<{ workflows: { name: string }[] }>(
					world,
					"list_workflows",
					{ query: "invoice" },
					{ era },
				);
				assert.equal(found.workflows[0]?.name, "invoice");
				const theirs = await callTool(world, "list_workflows", {}, { era, bearer: `${world.owner}-other` });
				assert.equal(theirs.total, 0);
			}
		},
	},
	{
		name: "list_components and get_component describe the executor's components",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			const { components } = await world.executor.expect(200, ComponentList, "GET", "/components");
			const detail = await world.executor.expect(200, ComponentDetail, "GET", "/components/http_request");
			for (const era of ERAS) {
				const listed = await callTool(world, "list_components", { limit: 200 }, { era });
				assert.equal(listed.total, components.length);
				const found = await callTool<{ components: { id: string }[] }>(
					world,
					"list_components",
					{ query: "http request", source: "built-in" },
					{ era },
				);
				assert.equal(found.components[0]?.id, "http_request");
				const told = await callTool(
					world,
					"get_component",
					{ id: "http_request", max_chars: 100_000 },
					{ era },
				);
				const { $schema: _, ...params } = detail.params as Record<string, unknown>;
				assert.deepEqual(told.parameters, params);
				assert.deepEqual(told.examples, detail.examples);
				assert.match(
					await callForProblem(world, "get_component", { id: "http_requst" }, { era }),
					/http_request/,
				);
			}
		},
	},
	{
		name: "create_webhook creates a secret URL that runs a copy of a workflow, or a document",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("job"));
			const { name: _, version: __, ...graph } = echo("unnamed");
			for (const args of [{ workflow: "job" }, { document: graph }]) {
				for (const era of ERAS) {
					const made = await callTool<{ webhook_url: string }>(world, "create_webhook", args, { era });
					const url = new URL(made.webhook_url);
					assert.equal(url.origin, world.target.publicUrl);
					assert.match(url.pathname, /^\/webhooks\/[^/]{16,}\/trigger$/);
					const ran = await world.anyone.expect(200, RunResult, "POST", url.pathname, { body: { a: 1 } });
					assert.deepEqual(ran.data, { got: { a: 1 } });
				}
			}
			const broken = { ...graph, config: { only: { component: "nothing" } } };
			const refused = await callFailing<Saved & { created: boolean }>(world, "create_webhook", {
				document: broken,
			});
			assert.equal(refused.created, false);
			assert.ok(refused.diagnostics.length > 0);
			assert.match(await callForProblem(world, "create_webhook", { workflow: "none" }), /no workflow/);
		},
	},
];
