import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { type Environment, platforms, type Target } from "../conformance/platforms.ts";
import { ERAS, type Fields, MODERN } from "../mcp/wire.ts";
import { type Answer, JSON_TYPE } from "./client.ts";
import { ask, bearer } from "./mcp-client.ts";
import { CANARY_ROUTES, GUI_CASES, type GuiCase } from "./mcp-gui-cases.ts";
import { OWNER_SECRET } from "./mcp-login.ts";
import { manyClients } from "./mcp-many-clients.ts";
import { CANARY, INSTALLED, type Names, plantData } from "./mcp-planted.ts";
import { sharedService } from "./mcp-shared.ts";
import { createPartnerKey, INTERNAL, putToken } from "./mcp-tenants.ts";
import { CANARY_TOOLS, TOOL_CASES } from "./mcp-tool-cases.ts";
import { buildPath, type DescribedRoute, readRoutes } from "./routes.ts";
import { tally } from "./tally.ts";

const SAME: Environment = { MCP_OWNER_SECRET: OWNER_SECRET, STORE_INTERNAL_TOKEN: INTERNAL };

/** The credentials by which the two tenants authenticate. */
const MODES = {
	"self-hosted, by access tokens": {
		environment: { ...SAME, MULTI_TENANT: "false" },
		eras: ERAS,
		credential: (target: Target, namespace: string) => putToken(target, { namespace }),
	},
	"multi-tenant, by partner keys": {
		environment: { ...SAME, MULTI_TENANT: "true", RATE_LIMIT_PER_MINUTE: "0" },
		eras: [MODERN],
		credential: createPartnerKey,
	},
} as const;

for (const platform of platforms) {
	describe(`tenants of the MCP server on ${platform.name}`, () => {
		const shared = sharedService(platform, SAME);
		const { client } = shared;

		for (const [mode, { environment, credential, eras }] of Object.entries(MODES)) {
			describe(mode, () => {
				let alice: string;
				let mallory: string;
				let names: Names;
				let routes: readonly DescribedRoute[];
				let atFirst: readonly unknown[];

				before(async () => {
					await shared.target.restart(environment);
					const [owner, other] = environment.MULTI_TENANT === "true" ? ["anna", "max"] : ["alice", "mallory"];
					alice = await credential(shared.target, owner as string);
					mallory = await credential(shared.target, other as string);
					names = await plantData(client, shared.target, alice, owner as string);
					routes = (await readRoutes(client)).filter(({ path }) => path.startsWith("/gui/"));
					atFirst = await readAlicesData();
				});

				test("every tool, prompt and route is covered by this test", async () => {
					assert.deepEqual(await listTools(mallory, "tools"), Object.keys(TOOL_CASES).sort());
					assert.deepEqual(await listTools(mallory, "prompts"), Object.keys(PROMPT_CASES).sort());
					assert.deepEqual(
						routes.map(({ method, path }) => `${method} ${path}`).sort(),
						Object.keys(GUI_CASES).sort(),
					);
				});

				test("the owner sees the canary wherever another tenant could find it", async () => {
					const own = [...Object.keys(TOOL_CASES), "run_private"].sort();
					assert.deepEqual(await listTools(alice, "tools"), own);
					for (const tool of CANARY_TOOLS) {
						const answers = await Promise.all(
							getCases(tool).map(({ args }) =>
								ask(client, alice, "tools/call", { name: tool, arguments: args }),
							),
						);
						assert.ok(
							answers.some(({ text }) => text.includes(CANARY)),
							tool,
						);
					}
					for (const route of CANARY_ROUTES) {
						const answers = await Promise.all(
							(GUI_CASES[route]?.(names) ?? []).map((each) => send(alice, findRoute(route), each)),
						);
						assert.ok(
							answers.some(({ text }) => text.includes(CANARY)),
							route,
						);
					}
				});

				test("no tool shows or changes what another tenant has", async (t) => {
					await tally(t, `${Object.keys(TOOL_CASES).length} tools in ${eras.length} eras`, async (count) => {
						for (const era of eras) {
							for (const tool of [...Object.keys(TOOL_CASES), "run_private"]) {
								for (const { args, isRefused } of getCases(tool)) {
									const told = await ask(
										client,
										mallory,
										"tools/call",
										{ name: tool, arguments: args },
										{ era },
									);
									const about = `${tool} ${JSON.stringify(args)}: ${told.text.slice(0, 300)}`;
									count(isHidden(told) && told.status === 200, about);
									const wasRefused = told.error !== undefined || told.result?.isError === true;
									count(wasRefused === isRefused, about);
									count(!isRefused || REFUSALS.test(told.text), about);
								}
								const [first] = getCases(tool);
								for (const more of [
									{ owner_id: names.namespace },
									{ namespace: names.namespace },
									{ _meta: { namespace: names.namespace } },
								]) {
									const args = { ...first?.args, ...more };
									const told = await ask(
										client,
										mallory,
										"tools/call",
										{ name: tool, arguments: args },
										{ era },
									);
									count(isHidden(told), `${tool} ${JSON.stringify(more)}: ${told.text.slice(0, 300)}`);
									count(
										told.error !== undefined || told.result?.isError === true,
										`${tool} ${JSON.stringify(more)}`,
									);
								}
							}
						}
					});
				});

				test("no resource, prompt or completion shows what another tenant has", async (t) => {
					const { result: own = {} } = await ask(client, alice, "resources/list");
					// A refusal repeats the address that it was asked for.
					const uris = (own.resources as { uri: string }[])
						.map(({ uri }) => uri)
						.filter((uri) => !uri.includes(CANARY));
					assert.ok(uris.length >= 8, uris.join(" "));
					await tally(t, `resources, prompts and completions in ${eras.length} eras`, async (count) => {
						for (const era of eras) {
							const assertHidden = async (method: string, params: Fields, isRefused: boolean | null) => {
								const told = await ask(client, mallory, method, params, { era });
								const about = `${method} ${JSON.stringify(params)}: ${told.text.slice(0, 300)}`;
								count(isHidden(told) && told.status < 500, about);
								if (isRefused !== null) count((told.error !== undefined) === isRefused, about);
							};
							await assertHidden("resources/list", {}, false);
							for (const place of [
								{ workflow: "a" },
								{ workflow: "failing" },
								{ entries: null },
								{ entries: names.entryCursor },
							]) {
								const cursor = Buffer.from(JSON.stringify(place)).toString("base64url");
								await assertHidden("resources/list", { cursor }, false);
							}
							await assertHidden("resources/templates/list", {}, false);
							for (const uri of uris) {
								const isMallorysToo = MALLORYS.includes(uri.split("/").at(-1) ?? "");
								await assertHidden(
									"resources/read",
									{ uri },
									isMallorysToo ? null : !uri.startsWith("tripline://guide/"),
								);
							}
							for (const uri of [
								`tripline://entries/${names.entryId.toUpperCase()}`,
								`tripline://entries/${names.entryId}?owner_id=${names.namespace}`,
								`tripline://workflows/private?namespace=${names.namespace}`,
								`tripline://workflows/${names.namespace}%2Fprivate`,
								`tripline://workflows/${names.namespace}/private`,
								`tripline://${names.namespace}@workflows/private`,
								`tripline://executions/${names.heldId}`,
								`tripline://files/${names.fileId}`,
								`tripline://files/${names.fileId}?owner_id=${names.namespace}`,
							])
								await assertHidden("resources/read", { uri }, true);
							for (const [name, all] of Object.entries(PROMPT_CASES))
								for (const args of all) await assertHidden("prompts/get", { name, arguments: args }, false);
							for (const ref of [
								{ type: "ref/resource", uri: "tripline://workflows/{name}", argument: "name" },
								{ type: "ref/resource", uri: "tripline://entries/{id}", argument: "id" },
								{ type: "ref/resource", uri: "tripline://files/{id}", argument: "id" },
								{ type: "ref/prompt", name: "write_workflow", argument: "name" },
								{ type: "ref/prompt", name: "debug_last_failure", argument: "workflow" },
							]) {
								for (const value of ["", "pri", "daily", "secret plans", names.entryId.slice(0, 8)]) {
									const params = { ref, argument: { name: ref.argument, value } };
									const { result = {} } = await ask(client, mallory, "completion/complete", params, { era });
									const { values } = result.completion as { values: string[] };
									const theirs = values.filter((each) =>
										["private", "daily", names.entryId, names.fileId].includes(each),
									);
									count(theirs.length === 0, `${JSON.stringify(params)}: ${values}`);
								}
							}
						}
					});
				});

				test("no route of the console shows or changes what another tenant has", async (t) => {
					await tally(t, `${routes.length} routes of the console`, async (count) => {
						for (const route of routes) {
							const key = `${route.method} ${route.path}`;
							for (const each of GUI_CASES[key]?.(names) ?? []) {
								const answer = await send(mallory, route, each);
								const about = `${key} ${JSON.stringify(each)}: ${answer.status} ${answer.text.slice(0, 300)}`;
								count(isHidden(answer), about);
								count(answer.status === each.status, about);
								if (key === "GET /gui/components")
									count(!answer.text.includes('"source":"installed"'), about);
								const query = { ...each.query, owner_id: names.namespace, namespace: names.namespace };
								if (route.method !== "GET") continue;
								const forged = await send(mallory, route, { ...each, query });
								count(isHidden(forged) && forged.status < 500, `${about} with an owner`);
							}
						}
					});
				});

				test("another tenant's data is indistinguishable from missing data", async (t) => {
					await tally(t, "answers about what another has and about what nobody has", async (count) => {
						const compared = async (about: string, send: (name: string) => Promise<Answer>, pair: Pair) => {
							const [theirs, nobodys] = await Promise.all(pair.map(send));
							const normalizeAnswer = (answer: Answer | undefined, name: string) =>
								`${answer?.status} ${answer?.text.replaceAll(name, "NAME")}`;
							const isSame = normalizeAnswer(theirs, pair[0]) === normalizeAnswer(nobodys, pair[1]);
							count(isSame, `${about}: ${theirs?.text.slice(0, 200)} / ${nobodys?.text.slice(0, 200)}`);
						};
						// Of equal length, so that name suggestions do not differ.
						const workflow: Pair = ["private", "nothing"];
						const execution: Pair = [names.heldId, NOBODYS_ID];
						const unfinished: Pair = [names.unfinishedId, NOBODYS_ID];
						const trashed: Pair = [names.deletedId, NOBODYS_ID];
						const entry: Pair = [names.entryId, NOBODYS_ID];
						const file: Pair = [names.fileId, "A".repeat(22)];
						const deleted: Pair = ["removed", "nothing"];
						for (const [tool, argument, pair, more] of [
							["get_workflow", "name", workflow],
							["list_versions", "name", workflow],
							["list_versions", "name", workflow, { from: 1, to: 1 }],
							["rollback_workflow", "name", workflow, { version_number: 1 }],
							["rollback_workflow", "name", deleted],
							["rollback_workflow", "name", deleted, { version_number: 1 }],
							["set_workflow_enabled", "name", workflow, { enabled: false }],
							["delete_workflow", "name", workflow],
							["run_workflow", "name", workflow],
							["create_webhook", "workflow", workflow],
							["list_recent_executions", "workflow", workflow],
							["get_execution", "execution_id", execution],
							["cancel_execution", "execution_id", execution],
							["replay_execution", "execution_id", execution],
							["replay_execution", "execution_id", execution, { from: "failed" }],
							["create_sign_in_link", "credential", workflow],
							["manage_mcp_servers", "name", workflow],
							["manage_mcp_servers", "name", workflow, { sign_in: true }],
							["get_entry", "id", entry],
							["get_file", "id", file],
						] as const) {
							const call = (name: string) =>
								ask(client, mallory, "tools/call", { name: tool, arguments: { [argument]: name, ...more } });
							await compared(tool, call, pair);
						}
						for (const [route, parameter, pair, body] of [
							["GET /gui/workflows/{name}", "name", workflow],
							["DELETE /gui/workflows/{name}", "name", workflow],
							["GET /gui/workflows/{name}/versions", "name", workflow],
							["GET /gui/workflows/{name}/draft", "name", workflow],
							["DELETE /gui/workflows/{name}/draft", "name", workflow],
							["POST /gui/workflows/{name}/draft/publish", "name", workflow],
							["POST /gui/deleted-workflows/{id}/restore", "id", trashed],
							["DELETE /gui/deleted-workflows/{id}", "id", trashed],
							["GET /gui/executions/{id}", "id", execution],
							["POST /gui/executions/{id}/cancel", "id", unfinished],
							["POST /gui/executions/{id}/replay", "id", execution, {}],
							["POST /gui/executions/{id}/replay", "id", execution, { from: "failed" }],
							["POST /gui/executions/{id}/replay", "id", unfinished, { input: {} }],
							["GET /gui/executions/{id}/data", "id", execution],
							["DELETE /gui/executions/{id}/data", "id", execution],
							["GET /gui/entries/{id}", "id", entry],
							["DELETE /gui/entries/{id}", "id", entry],
							["GET /gui/files/{id}", "id", file],
							["GET /gui/files/{id}/content", "id", file],
							["POST /gui/files/{id}/link", "id", file],
							["DELETE /gui/files/{id}", "id", file],
							["POST /gui/credentials/{name}/sign-in", "name", workflow],
							["POST /gui/credentials/{name}/test", "name", workflow],
							["GET /gui/mcp-servers/{name}", "name", workflow],
							["DELETE /gui/mcp-servers/{name}", "name", workflow],
							["POST /gui/mcp-servers/{name}/refresh", "name", workflow],
							["POST /gui/mcp-servers/{name}/sign-in", "name", workflow],
							["DELETE /gui/credentials/{name}", "name", workflow],
							["DELETE /gui/components/{id}", "id", [INSTALLED.id, "nobodys"]],
							["DELETE /gui/tokens/{id}", "id", [names.tokenId, "0".repeat(64)]],
						] as const) {
							const call = (name: string) =>
								send(mallory, findRoute(route), {
									values: { [parameter]: name },
									...(body !== undefined && { body }),
									status: 404,
								});
							await compared(route, call, pair);
						}
						for (const pair of [
							["tripline://workflows/private", "tripline://workflows/nothing"],
							[`tripline://entries/${names.entryId}`, `tripline://entries/${NOBODYS_ID}`],
							[`tripline://files/${names.fileId}`, `tripline://files/${"A".repeat(22)}`],
						] as const)
							await compared(
								"resources/read",
								(uri) => ask(client, mallory, "resources/read", { uri }),
								pair,
							);
					});
				});

				test("the owner's data is unchanged", async () => {
					assert.deepEqual(await readAlicesData(), atFirst);
				});

				const getCases = (tool: string) => TOOL_CASES[tool]?.(names) ?? [{ args: {}, isRefused: true }];

				function findRoute(wanted: string): DescribedRoute {
					return (
						routes.find(({ method, path }) => `${method} ${path}` === wanted) ??
						assert.fail(`the service does not describe ${wanted}`)
					);
				}

				function send(token: string, route: DescribedRoute, { values = {}, query = {}, body }: GuiCase) {
					const path = buildPath(route, values);
					return client.call(route.method, `${path}?${new URLSearchParams(query)}`, {
						headers: [...bearer(token), ...JSON_TYPE],
						...(body !== undefined && { body: JSON.stringify(body) }),
					});
				}

				async function listTools(token: string, what: "tools" | "prompts"): Promise<string[]> {
					const { result = {} } = await ask(client, token, `${what}/list`);
					return (result[what] as { name: string }[]).map(({ name }) => name).sort();
				}

				function isHidden({ text, headers }: Answer): boolean {
					const shown = text + JSON.stringify(headers);
					return !shown.includes(CANARY) && !shown.includes(names.webhookToken);
				}

				/** The owner's data that reading does not change. */
				async function readAlicesData(): Promise<unknown[]> {
					const read = async (path: string) => {
						const { status, body, text } = await client.call("GET", path, { headers: bearer(alice) });
						assert.equal(status, 200, `${path}: ${text}`);
						return body;
					};
					const dropRuns = async (name: string) => {
						const { document, draft, workflow } = (await read(`/gui/workflows/${name}`)) as Fields;
						return { document, draft, workflow };
					};
					const run = await client.call("POST", `/webhooks/${names.webhookToken}/trigger`);
					const callAsAlice = async (name: string, args: Fields) =>
						(await ask(client, alice, "tools/call", { name, arguments: args })).result;
					return [
						...(await Promise.all(["private", "failing", "long", "daily"].map(dropRuns))),
						await read("/gui/entries"),
						await read("/gui/entries?entry_type=triplet"),
						await read("/gui/deleted-workflows"),
						await read("/gui/workflows/private/versions"),
						await read("/gui/credentials"),
						await read("/gui/recipes"),
						await read("/gui/mcp-servers"),
						await read(`/gui/components/${INSTALLED.id}`),
						await read("/gui/tokens"),
						await read(`/gui/executions/${names.failedId}`),
						(run.body as { data: unknown }).data,
						await callAsAlice("get_execution", { execution_id: names.heldId }),
						await callAsAlice("list_workflows", { deleted: true }),
						...(await Promise.all(
							["private", "failing", "daily"].map((name) => callAsAlice("list_versions", { name })),
						)),
					];
				}
			});
		}

		manyClients(shared);
	});
}

type Pair = readonly [theirs: string, nobodys: string];

const NOBODYS_ID = "01890000-0000-7000-8000-000000000000";
/** Names of the owner's workflows that the other tenant uses too. */
const MALLORYS = ["long", "failing", "caller"];
const REFUSALS = /[Tt]here is no|are not valid|unknown component|is not a public address/;

const PROMPT_CASES: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
	write_workflow: [
		{ goal: "secret plans" },
		{ goal: "secret plans", name: "private" },
		{ goal: "x", name: "daily" },
	],
	debug_last_failure: [{}, { workflow: "failing" }, { workflow: "private" }],
};
