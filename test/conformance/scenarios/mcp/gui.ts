import assert from "node:assert/strict";
import { DeletedAnswer } from "@tripline/contract/entries";
import { ExecutionPage } from "@tripline/contract/execution-log";
import {
	ExecutionDetail,
	PortalWorkflows,
	SavedWorkflow,
	Validation,
	WorkflowDocument,
} from "@tripline/contract/executor";
import { GuiConnect, GuiOverview, GuiSession, GuiVerifyReport, GuiWorkflow } from "@tripline/contract/gui";
import { RunResult } from "@tripline/contract/workflows";
import * as z from "zod";
import type { Scenario } from "../../scenario.ts";
import {
	echo,
	everything,
	fails,
	getNamedPath,
	listRecords,
	save,
	waitForRecords,
} from "../executor/saving.ts";
import { openConsole, openOthersConsole } from "./console.ts";
import { login, MCP_ENVIRONMENT } from "./login.ts";
import { bearer, OPEN, putToken, withRestart } from "./settings.ts";
import { CONSOLE_ROUTES } from "./surface.ts";

const Content = z.record(z.string(), z.looseObject({}));
const Described = z.object({
	paths: z.record(
		z.string(),
		z.record(
			z.string(),
			z.object({
				summary: z.string().min(1),
				security: z.unknown(),
				requestBody: z.object({ content: Content }).optional(),
				responses: z.record(z.string(), z.object({ content: Content.optional() })),
			}),
		),
	),
	components: z.object({ securitySchemes: z.record(z.string(), z.looseObject({ type: z.string() })) }),
});

export const gui: readonly Scenario[] = [
	{
		name: "every endpoint of the console and /mcp are in the OpenAPI document, with the required bearer",
		cites: ["MCP-GUI-AUTH", "MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			const document = await world.anyone.expect(200, Described, "GET", "/openapi.json");
			const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
				Object.entries(methods).map(([method, operation]) => ({
					route: `${method.toUpperCase()} ${path}`,
					path,
					...operation,
				})),
			);
			const console = operations.filter(({ path }) => path.startsWith("/gui/"));
			assert.deepEqual(console.map(({ route }) => route).sort(), CONSOLE_ROUTES.toSorted());
			const mcp = operations.filter(({ path }) => path === "/mcp");
			assert.ok(mcp.length > 0);
			for (const { route, security } of [...console, ...mcp]) {
				assert.deepEqual(security, [{ owner: [] }], route);
			}
			assert.equal(document.components.securitySchemes.owner?.scheme, "bearer");
		},
	},
	{
		name: "the OpenAPI document lists the request and response content types of the console's endpoints and /mcp",
		cites: [],
		environment: OPEN,
		async run(world) {
			const { paths } = await world.anyone.expect(200, Described, "GET", "/openapi.json");
			const listRequestTypes = (path: string, method: string) =>
				Object.keys(paths[path]?.[method]?.requestBody?.content ?? {});
			const listResponseTypes = (path: string, method: string) =>
				Object.keys(paths[path]?.[method]?.responses[200]?.content ?? {});
			for (const [path, method] of [
				["/gui/validate", "post"],
				["/gui/workflows/{name}", "put"],
			] as const) {
				assert.deepEqual(listRequestTypes(path, method), ["application/json", "application/yaml"], path);
				assert.deepEqual(listResponseTypes(path, method), ["application/json"], path);
			}
			const run = listResponseTypes("/gui/workflows/{name}/run", "post");
			assert.deepEqual(run, ["application/json", "text/event-stream"]);
			assert.deepEqual(listResponseTypes("/mcp", "post"), run);
			await save(world, echo("job"));
			for (const accept of run) {
				const options = { body: {}, headers: { accept } };
				const { status, headers } = await openConsole(world).call("POST", "/workflows/job/run", options);
				assert.deepEqual([status, headers.get("content-type")?.split(";")[0]], [200, accept]);
			}
		},
	},
	{
		name: "the session shows the caller, the kind of credential, and where assistants connect",
		cites: ["MCP-GUI-AUTH"],
		environment: OPEN,
		async run(world) {
			const session = await openConsole(world).expect(200, GuiSession, "GET", "/session");
			assert.deepEqual(session, {
				namespace: world.owner,
				by: "plaintext",
				version: session.version,
				mode: "self-hosted",
				oauth: true,
				mcp_url: `${world.target.publicUrl}/mcp`,
			});
			await withRestart(world, OPEN, { ...OPEN, MCP_OWNER_SECRET: "" }, async () => {
				const { oauth } = await openConsole(world).expect(200, GuiSession, "GET", "/session");
				assert.equal(oauth, false);
			});
		},
	},
	{
		name: "the console saves, validates, shows, runs and deletes workflows of the executor",
		cites: ["MCP-GUI-AUTH", "MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			const console = openConsole(world);
			const name = "訂單 job";
			const path = `/workflows/${encodeURIComponent(name)}`;
			const document = echo(name);
			const checked = await console.expect(200, Validation, "POST", "/validate", { body: document });
			assert.equal(checked.valid, true);
			const broken = { ...document, triplets: ["input >> nonsense"] };
			const wrong = await console.expect(200, Validation, "POST", "/validate", { body: broken });
			assert.equal(wrong.valid, false);
			const refused = await console.refuse(400, "PUT", path, { body: broken });
			assert.ok((refused.diagnostics?.length ?? 0) > 0);
			await console.refuse(400, "PUT", "/workflows/other", { body: document });
			const saved = await console.expect(201, SavedWorkflow, "PUT", path, { body: document });
			assert.equal(saved.created, true);
			assert.ok(saved.webhook_url?.startsWith(`${world.target.publicUrl}/webhooks/named/${world.owner}/`));
			const yaml = {
				raw: `name: ${name}\ndescription: x\nversion: '2'\ntriplets:\n  - input >> then >> only\nconfig:\n  only:\n    component: set\n    values: { got: '{{input}}' }\n`,
				headers: { "content-type": "application/yaml" },
			};
			await console.expect(200, SavedWorkflow, "PUT", path, yaml);
			const ran = await console.expect(200, RunResult, "POST", `${path}/run`, { body: { a: 1 } });
			assert.deepEqual(ran.data, { got: { a: 1 } });
			await waitForRecords(world, name, 1);
			const shown = await console.expect(200, GuiWorkflow, "GET", path);
			assert.deepEqual(
				shown.document,
				await world.executor.expect(200, WorkflowDocument, "GET", getNamedPath(name)),
			);
			assert.deepEqual(
				shown.executions.map(({ id }) => id),
				[ran.execution_id],
			);
			const listed = await console.expect(200, PortalWorkflows, "GET", "/workflows");
			assert.deepEqual(
				listed.workflows.map((workflow) => [workflow.name, workflow.last_execution?.verdict]),
				[[name, "success"]],
			);
			await console.expect(200, DeletedAnswer, "DELETE", path);
			await console.refuse(404, "GET", path);
			await console.refuse(404, "DELETE", path);
			await console.refuse(404, "POST", `${path}/run`, { body: {} });
		},
	},
	{
		name: "the console gets the result and trace of a failed run",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			await save(world, fails("bad", "no tea"));
			const ran = await openConsole(world).expect(200, RunResult, "POST", "/workflows/bad/run", { body: {} });
			assert.deepEqual([ran.success, ran.error, ran.nodes?.[0]?.status], [false, "only: no tea", "failed"]);
		},
	},
	{
		name: "the console does not find another tenant's workflow",
		cites: ["MCP-GUI-AUTH", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("job"));
			const other = openOthersConsole(world);
			await other.refuse(404, "GET", "/workflows/job");
			await other.refuse(404, "DELETE", "/workflows/job");
			await other.refuse(404, "POST", "/workflows/job/run", { body: {} });
			const { workflows } = await other.expect(200, PortalWorkflows, "GET", "/workflows");
			assert.deepEqual(workflows, []);
			await other.expect(201, SavedWorkflow, "PUT", "/workflows/job", { body: fails("job", "theirs") });
			const ran = await openConsole(world).expect(200, RunResult, "POST", "/workflows/job/run", { body: {} });
			assert.equal(ran.success, true);
		},
	},
	{
		name: "the console shows only the caller's executions from the store's log",
		cites: ["MCP-GUI-AUTH", "MCP-EXPOSES-TENANT-DATA", "MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("good"));
			await save(world, fails("bad", "no tea"));
			const console = openConsole(world);
			await console.expect(200, RunResult, "POST", "/workflows/good/run", { body: {} });
			const failed = await console.expect(200, RunResult, "POST", "/workflows/bad/run", { body: {} });
			await waitForRecords(world, "good", 1);
			await waitForRecords(world, "bad", 1);
			const page = await console.expect(200, ExecutionPage, "GET", "/executions");
			assert.deepEqual(page.executions, await listRecords(world));
			const query = { verdict: "failed", limit: 1 };
			const bad = await console.expect(200, ExecutionPage, "GET", "/executions", { query });
			assert.deepEqual(
				bad.executions.map(({ id }) => id),
				[failed.execution_id],
			);
			const path = `/executions/${failed.execution_id}`;
			const detail = await console.expect(200, ExecutionDetail, "GET", path);
			assert.deepEqual([detail.status, detail.record?.error], ["failed", "only: no tea"]);
			const other = openOthersConsole(world);
			await other.refuse(404, "GET", path);
			assert.deepEqual((await other.expect(200, ExecutionPage, "GET", "/executions")).executions, []);
		},
	},
	{
		name: "the overview counts only the caller's runs, failures, schedules and knowledge",
		cites: ["MCP-GUI-AUTH", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			await save(world, everything("orders"));
			await save(world, fails("bad", "no tea"));
			const console = openConsole(world);
			await console.expect(200, RunResult, "POST", "/workflows/bad/run", { body: {} });
			await waitForRecords(world, "bad", 1);
			await console.call("POST", "/entries", { body: { entry_type: "note", page_name: "p", content: "c" } });
			const told = await console.expect(200, GuiOverview, "GET", "/overview", { query: { hours: 3 } });
			assert.equal(told.hours.length, 3);
			assert.equal(
				told.hours.reduce((sum, { failed }) => sum + failed, 0),
				1,
			);
			assert.deepEqual(
				told.failures.map(({ workflow, error }) => [workflow, error]),
				[["bad", "only: no tea"]],
			);
			assert.equal(told.upcoming.length, 1);
			assert.deepEqual([told.counts.workflows.count, told.counts.entries.count], [2, 1]);
			const other = await openOthersConsole(world).expect(200, GuiOverview, "GET", "/overview");
			assert.deepEqual([other.failures, other.upcoming, other.counts.workflows.count], [[], [], 0]);
		},
	},
	{
		name: "the console shows how each client connects, and tests the connection",
		cites: ["MCP-GUI-AUTH"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const console = openConsole(world, await login(world));
			const { mcp_url, clients } = await console.expect(200, GuiConnect, "GET", "/connect");
			assert.equal(mcp_url, `${world.target.publicUrl}/mcp`);
			for (const id of ["claude-code", "cursor", "vscode"]) {
				const client = clients.find((each) => each.id.startsWith(id));
				assert.ok((client?.steps.length ?? 0) > 0, `${id} in ${clients.map((each) => each.id)}`);
			}
			const report = await console.expect(200, GuiVerifyReport, "POST", "/connect/verify");
			assert.deepEqual(
				report.checks.filter(({ ok }) => !ok),
				[],
			);
			assert.equal(report.ok, true);
		},
	},
	{
		name: "an invalid request of the console is rejected with the path of the error, and nothing changes",
		cites: ["MCP-GUI-AUTH"],
		environment: OPEN,
		async run(world) {
			const console = openConsole(world);
			const wrong: [number, string, string, unknown?][] = [
				[422, "GET", "/executions?limit=0"],
				[422, "GET", "/executions?cursor=none"],
				[422, "GET", "/entries?entry_type=credential"],
				[422, "GET", "/entries/none"],
				[422, "POST", "/entries", { entry_type: "credential", page_name: "p", content: "c" }],
				[422, "POST", "/entries", { page_name: "p" }],
				[422, "POST", "/search", { q: 5 }],
				[422, "GET", "/graph/traverse?depth=99&name=x"],
				[422, "DELETE", "/tokens/none"],
				[422, "POST", "/workflows/w/run", []],
				[404, "GET", "/none"],
				[405, "PATCH", "/session"],
			];
			for (const [status, method, path, body] of wrong) {
				const { error } = await console.refuse(status, method, path, body === undefined ? {} : { body });
				assert.ok(error.length > 3);
			}
		},
	},
	{
		name: "the console accepts every credential of /mcp, with the same namespace",
		cites: ["MCP-GUI-AUTH"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const { token } = await putToken(world);
			const session = await openConsole(world, token).expect(200, GuiSession, "GET", "/session");
			assert.deepEqual([session.by, session.namespace], ["oauth", world.owner]);
			const answer = await world.anyone.call("GET", "/gui/session", { headers: bearer(`${token}x`) });
			assert.equal(answer.status, 401);
		},
	},
];
