import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CredentialList } from "@tripline/contract/credentials";
import { AcceptedRun, CreatedWebhook, WorkflowList } from "@tripline/contract/executor";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import { type OpenQuestion, QuestionPage } from "@tripline/contract/questions";
import type { Manifest } from "@tripline/contract/registry";
import {
	DeletedWorkflowPage,
	WorkflowDraft,
	WorkflowVersionPage,
} from "@tripline/contract/workflow-versions";
import { RunResult } from "@tripline/contract/workflows";
import { market } from "@tripline/registry/market/market";
import { type Environment, node as nodePlatform, platforms, type Target } from "../conformance/platforms.ts";
import { createMcpServer } from "../conformance/scenarios/executor/mcp-host.ts";
import { type Answer, type Client, createClient, forEachItem, JSON_TYPE, tenant } from "./client.ts";
import { API_RECIPE, AUTH_RECIPE, pinManifest } from "./extensions.ts";
import { buildPath, type DescribedRoute, readPlainRoutes } from "./routes.ts";

/** Appears in all data of the owner that nobody else may see. */
const CANARY = "canary_8f3a1c";
const INTERNAL = "internal-token-of-the-tests";
const SAME = { STORE_INTERNAL_TOKEN: INTERNAL, REGISTRY_ADMIN_TOKEN: "admin-token-of-the-tests" };
const METHODS = ["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "OPTIONS"];

const MODES: Readonly<Record<string, Environment>> = {
	"self-hosted": { ...SAME, MULTI_TENANT: "false" },
	"multi-tenant": { ...SAME, MULTI_TENANT: "true", RATE_LIMIT_PER_MINUTE: "0" },
};

/** The names of the owner's data. A route with an unlisted parameter fails the tests. */
interface Names extends Readonly<Record<string, string>> {
	readonly token: string;
	readonly name: string;
	readonly namespace: string;
	readonly id: string;
	readonly version: string;
	readonly number: string;
	readonly execution_id: string;
}

const NOBODYS_ID = "01890000-0000-7000-8000-000000000000";
const ANSWER = "/questions/{execution_id}/{id}/answer";

/** Bodies that pass the checks of routes which check the body before they look for the workflow. */
const BODIES: Readonly<Record<string, object>> = {
	"/workflows/{name}/rollback": { version: 1 },
	"/workflows/{name}/rename": { to: "mine" },
	"/workflows/{name}/enabled": { enabled: false },
	"/workflows/{name}/draft": {},
	"/mcp-servers/{name}/accept": { hash: "0".repeat(64) },
	[ANSWER]: { answer: { approved: true } },
};
/** Checked before the data is looked for. */
const HAS_UUID = /^\/(?:executions|deleted-workflows)\/\{id\}/;

/** The owner's extensions. Other tenants' extensions with the same names are different ones. */
const OWN_AUTH = { ...AUTH_RECIPE, title: CANARY };
const OWN_RECIPE = { ...API_RECIPE, title: CANARY, description: CANARY };
const INSTALLED = market.find(({ kind, hosts }) => kind === "code" && hosts.length === 0) as Manifest;
const SHOP = "api.shop.example";
const SECRET = `${CANARY}-token-of-the-owner`;

const node = (settings: object) => ({
	triplets: ["input >> ON_SUCCESS >> only"],
	config: { only: settings },
});

/** A workflow whose result does not reveal its definition. */
const PRIVATE = {
	name: "private",
	description: CANARY,
	version: CANARY,
	triplets: ["input >> ON_SUCCESS >> hidden", "hidden >> ON_SUCCESS >> out"],
	config: {
		hidden: { component: "set", values: { hidden: CANARY } },
		out: { component: "set", values: { ok: true } },
	},
	context: { hidden: CANARY },
};

const ASKING = node({ component: "ask", question: CANARY, show: { hidden: CANARY }, to: CANARY });

for (const platform of platforms) {
	for (const [mode, environment] of Object.entries(MODES)) {
		describe(`tenants on ${platform.name}, ${mode}`, () => {
			const isMultiTenant = mode === "multi-tenant";
			const isNode = platform === nodePlatform;
			let target: Target;
			let client: Client;
			let routes: readonly DescribedRoute[];
			let owner: readonly string[];
			let other: readonly string[];
			let ownerKey: string;
			let names: Names;
			let ids: readonly string[];
			let deletedId: string;
			let questionId: string;

			before(async () => {
				target = await platform.start(environment);
				client = createClient(() => target.publicUrl);
				routes = await readPlainRoutes(client);
				ownerKey = await createKey("alice");
				owner = tenant(ownerKey);
				other = tenant(await createKey("mallory"));
				const token = CreatedWebhook.parse((await own("POST", "/webhooks", PRIVATE)).body).token;
				await own("POST", "/workflows", PRIVATE);
				await own("POST", "/workflows", { ...PRIVATE, name: "asked", options: { query: true } });
				const heard = { ...PRIVATE, name: "heard", trigger: { type: "event", event: "alice.event" } };
				await own("POST", "/workflows", heard);
				const failing = { ...PRIVATE, name: "failing", ...node({ component: "fail", message: CANARY }) };
				await own("POST", "/workflows", failing);
				const tools = [{ name: "look", description: CANARY, inputSchema: { type: "object" } }];
				const { serve } = createMcpServer({ tools, call: () => ({ content: [] }) });
				target.outside.serve("mcp.alice.example", serve);
				for (const [path, body] of [
					["/mcp-servers/private", { url: "https://mcp.alice.example/" }],
					[`/auth-recipes/${CANARY}`, OWN_AUTH],
					["/auth-recipes/private", OWN_AUTH],
					["/recipes/private", OWN_RECIPE],
					["/credentials/private", { auth_recipe: CANARY, fields: { token: SECRET, region: "eu" } }],
					[`/components/${INSTALLED.id}`, await pinManifest(INSTALLED)],
				] as const) {
					const put = await own("PUT", path, body);
					assert.equal(put.status, 201, put.text);
				}
				target.outside.requests.length = 0;
				target.outside.serve(SHOP, () => ({ json: { order: 7 } }));
				const note = { component: "kb_upsert", page_name: "private page", content: CANARY };
				const kept = { component: "state_set", name: "private page", value: CANARY };
				const triplets = ["note >> then >> kept"];
				await own("POST", "/workflows", { ...PRIVATE, name: "noting", triplets, config: { note, kept } });
				const failed = await own("POST", "/webhooks/named/failing/trigger", { page_name: CANARY });
				assert.equal(failed.status, 500, failed.text);
				const noted = await own("POST", "/webhooks/named/noting/trigger", {});
				assert.equal(noted.status, 200, noted.text);
				const accept = async (name: string): Promise<string> => {
					const headers = [...owner, "prefer", "respond-async"];
					const accepted = await client.call("POST", `/webhooks/named/${name}/trigger`, { headers });
					return AcceptedRun.parse(accepted.body).execution_id;
				};
				await own("POST", "/workflows", { ...PRIVATE, name: "asking", ...ASKING });
				await accept("asking");
				const question = await waitForQuestion();
				questionId = question.id;
				ids = [
					RunResult.parse(failed.body).execution_id,
					RunResult.parse(noted.body).execution_id,
					await accept("private"),
				];
				await own("PUT", "/workflows/private/draft", PRIVATE);
				await own("POST", "/workflows", { ...PRIVATE, name: "gone" });
				await client.call("DELETE", "/webhooks/named/gone", { headers: owner });
				const deleted = await client.call("GET", "/deleted-workflows", { headers: owner });
				deletedId = DeletedWorkflowPage.parse(deleted.body).workflows[0]?.id ?? "";
				names = {
					...{ token, name: "private", namespace: "alice", id: ids[0] as string },
					...{ version: "1.0.0", number: "1", execution_id: question.execution_id },
					...{ ticket: "A".repeat(43), auth_recipe: "private" },
				};
			});

			after(async () => {
				client.close();
				await target.close();
			});

			test("every parameter of every route is covered by this test", () => {
				const unknown = routes.flatMap(({ path, parameters }) =>
					parameters.filter((name) => !(name in names)).map((name) => `${path}: ${name}`),
				);
				assert.deepEqual(unknown, []);
				assert.ok(routes.filter(({ isOpen }) => !isOpen).length >= 28);
			});

			test("no route or method shows another tenant's data, whatever the names are", async () => {
				const all = routes.flatMap((route) =>
					METHODS.flatMap((method) => {
						const values = isNode || method === route.method ? listNames() : [names];
						return values.map((each) => ({ route, method, values: each }));
					}),
				);
				// workerd closes the connection if a body is not read, which also breaks calls that have just arrived.
				const atOnce = isNode ? undefined : 1;
				const work = async ({ route, method, values }: (typeof all)[number]) => {
					const path = buildPath(route, values);
					const given = BODIES[route.path];
					const body = JSON.stringify(given ?? {});
					const answer = await client.call(method, path, { headers: [...other, ...JSON_TYPE], body });
					const shown = `${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`;
					assertHidden(answer, shown);
					assert.ok(answer.status < 500, shown);
					if (route.parameters.length === 0 || route.isOpen || method !== route.method) return;
					const isOdd =
						(HAS_UUID.test(route.path) && ![...ids, deletedId].includes(values.id ?? "")) ||
						(route.path === ANSWER && values.id !== questionId);
					const isRefusedFirst = (method === "PUT" && given === undefined) || isOdd;
					assert.equal(answer.status, isRefusedFirst ? 422 : 404, shown);
				};
				await forEachItem(all, work, atOnce);
				await assertUnchanged();
			});

			test("another tenant's data is indistinguishable from missing data", async () => {
				const nobodys = {
					...names,
					token: "A".repeat(32),
					name: "unknown",
					id: NOBODYS_ID,
				};
				for (const route of routes.filter(({ isOpen, parameters }) => !isOpen && parameters.length > 0)) {
					for (const from of [other, []]) {
						const [theirs, none] = await Promise.all(
							[
								{ ...names, ...pickId(route, deletedId, questionId) },
								route.path === ANSWER ? { id: "0".repeat(32), execution_id: NOBODYS_ID } : nobodys,
							].map((values) =>
								client.call(route.method, buildPath(route, values), {
									headers: [...from, ...JSON_TYPE],
									...(route.path in BODIES && { body: JSON.stringify(BODIES[route.path]) }),
								}),
							),
						);
						assert.deepEqual(
							[theirs?.status, theirs?.text],
							[none?.status, none?.text],
							`${route.method} ${route.path}`,
						);
					}
				}
			});

			test("workflows, webhooks, credentials and recipes of the same name are separate per tenant", async () => {
				const theirs = { ...PRIVATE, description: "mine", version: "2", context: {}, ...node(SAYS_MINE) };
				const from = { headers: [...other, ...JSON_TYPE] };
				for (const [method, path, body] of [
					["POST", "/workflows", theirs],
					["POST", "/webhooks/named", theirs],
					["PUT", "/auth-recipes/private", { ...AUTH_RECIPE, hosts: ["evil.example"] }],
					["PUT", "/recipes/private", { ...API_RECIPE, base_url: "https://evil.example" }],
					[
						"PUT",
						"/credentials/private",
						{ auth_recipe: "private", fields: { token: "mine", region: "eu" } },
					],
				] as const) {
					const answer = await client.call(method, path, { ...from, body: JSON.stringify(body) });
					assert.ok(answer.status === 200 || answer.status === 201, answer.text);
					assertHidden(answer, path);
				}
				const ran = await client.call("POST", "/webhooks/named/private/trigger", from);
				assert.deepEqual(RunResult.parse(ran.body).data, { of: "mine" });
				await assertUnchanged();
				for (const path of [
					"/webhooks/named/private",
					"/credentials/private",
					"/recipes/private",
					"/auth-recipes/private",
				]) {
					assert.equal((await client.call("DELETE", path, { headers: other })).status, 200);
				}
				await assertUnchanged();
			});

			test("a run cannot reach another tenant's data", async () => {
				const page = { page_name: "private page" };
				const cases: readonly (readonly [object, number])[] = [
					[{ component: "workflow", name: "private", input: {} }, 500],
					[{ component: "kb_get", ...page }, 200],
					[{ component: "kb_search", q: "private page" }, 200],
					[{ component: "kb_neighbors", name: "private" }, 200],
					[{ component: "kb_list" }, 200],
					[{ component: "kb_list", entry_type: "note", metadata: {} }, 200],
					[{ component: "kb_delete", ...page }, 200],
					[{ component: "kb_why", subject: "private", predicate: "is", object: "private" }, 200],
					[{ component: "record_list", template: "private" }, 500],
					[{ component: "state_get", name: "private page" }, 200],
					[{ component: "state_set", name: "private page", value: 1, if_absent: true }, 200],
					[{ component: "state_set", name: "private page", value: null }, 200],
					[{ component: "state_increment", name: "private page" }, 200],
					[{ component: "emit_event", type: "alice.event", data: {} }, 200],
				];
				for (const [settings, status] of cases) {
					const made = await send(other, "POST", "/webhooks", node(settings));
					const ran = await client.call("POST", getPath(made), { headers: owner, body: "{}" });
					const shown = `${JSON.stringify(settings)} ${ran.text}`;
					assert.equal(ran.status, status, shown);
					assertHidden(ran, shown);
					if ("type" in settings) assert.match(ran.text, /"data":(?:0|\{"matched":0\})/);
				}
				for (const settings of [
					{ component: "kb_get", owner_id: "alice", ...page },
					{ component: "kb_upsert", owner_id: "alice", ...page, content: "" },
					{ component: "kb_get", entry_type: "workflow", page_name: "private" },
					{ component: "kb_list", owner_id: "alice" },
					{ component: "kb_list", entry_type: "credential" },
					{ component: "kb_list", entry_type: "state_value" },
					{ component: "state_get", owner_id: "alice", name: "private page" },
				]) {
					const made = await send(other, "POST", "/webhooks", node(settings));
					assert.equal(made.status, 400, made.text);
				}
				const get = { component: "http_request", url: `https://${SHOP}/` };
				for (const settings of [
					{ ...get, credential: "private" },
					{ ...get, headers: { "x-token": "{{credential.private.token}}" } },
				]) {
					const made = await send(other, "POST", "/webhooks", node(settings));
					const ran = await client.call("POST", getPath(made), { headers: owner, body: "{}" });
					assert.match(ran.text, /there is no credential \\"private\\"/);
					assertHidden(ran, "credential");
				}
				for (const component of ["private.get_order", "mcp:private.look", INSTALLED.id]) {
					const made = await send(other, "POST", "/webhooks", node({ component, id: "7" }));
					assert.equal(made.status, 422, made.text);
				}
				assert.deepEqual(target.outside.requests, []);
				const signature = { scheme: "hmac-sha256", credential: "private" };
				const signed = await send(other, "POST", "/webhooks", { ...node(SAYS_MINE), options: { signature } });
				const refused = await client.call("POST", getPath(signed));
				assert.equal(refused.status, 401);
				assertHidden(refused, "signature");
				await assertUnchanged();
			});

			test("the owner's own runs use its credential, recipe and component", async () => {
				const get = { component: "http_request", url: `https://${SHOP}/`, credential: "private" };
				const params = INSTALLED.kind === "code" ? INSTALLED.examples[0]?.params : {};
				for (const settings of [
					get,
					{ component: "private.get_order", id: "7" },
					{ component: INSTALLED.id, ...params },
				]) {
					const made = await send(owner, "POST", "/webhooks", node(settings));
					const ran = await client.call("POST", getPath(made), { body: "{}" });
					assert.equal(ran.status, 200, ran.text);
					assertHidden(ran, JSON.stringify(settings));
				}
				const tokens = target.outside.sentTo(SHOP).map(({ headers }) => headers["x-shop-token"]);
				assert.deepEqual(tokens, [`Token ${SECRET}`, undefined]);
			});

			test("an absent, empty, repeated, padded or malformed tenant header gives no access", async () => {
				const open = await send([], "POST", "/webhooks", node(SAYS_MINE));
				for (const header of listWrongHeaders()) {
					const shown = JSON.stringify(header);
					for (const route of routes.filter(({ isOpen }) => !isOpen)) {
						const path = buildPath(route, names);
						// OpenAI's clients send the key as a bearer.
						if (path.startsWith("/v1/") && header.includes(`Bearer ${ownerKey}`)) continue;
						const answer = await client.call(route.method, path, { headers: [...header, ...JSON_TYPE] });
						assert.equal(
							answer.status,
							401,
							`${route.method} ${path} ${shown.slice(0, 100)}: ${answer.text}`,
						);
						assertHidden(answer, shown);
					}
					for (const path of [
						"/components",
						"/components/private.get_order",
						`/components/${INSTALLED.id}`,
					]) {
						const { status, text } = await client.call("GET", path, { headers: header });
						assert.ok(!text.includes(CANARY) && !text.includes(INSTALLED.id), `${path} ${shown}`);
						assert.ok(status === 401 || (isAbsent(header) && status < 500), `${path} ${shown}: ${text}`);
					}
					// An open trigger needs no header: with an invalid one it runs anonymously.
					const ran = await client.call("POST", getPath(open), { headers: header });
					assert.equal(ran.status, 200, `${shown}: ${ran.text}`);
				}
				// HTTP strips blanks around a value; a platform that keeps them refuses the value.
				const padded = await client.call("GET", "/credentials", { headers: tenant(`  ${ownerKey}\t `) });
				assert.ok(padded.status === 200 || padded.status === 401, padded.text);
				await assertUnchanged();
			});

			test("no other spelling of a path gets past the tenant header", async () => {
				for (const route of routes.filter(({ path, isOpen }) => !(isOpen && PUBLIC.test(path)))) {
					const path = buildPath(route, { ...names, ...pickId(route, deletedId, questionId) });
					const all = listSpellings(path);
					for (const spelling of isNode ? all : all.filter((_, index) => index % 2 === 0)) {
						const alone = await client.call(route.method, spelling);
						const shown = `${route.method} ${spelling}: ${alone.status} ${alone.text.slice(0, 200)}`;
						assertHidden(alone, shown);
						// workerd resolves dots first, so the path may become an open route.
						if (isNode || !route.isOpen) assert.ok(alone.status >= 400 && alone.status < 500, shown);
						const answer = await client.call(route.method, spelling, { headers: other });
						assertHidden(answer, shown);
						if (isNode) assert.ok(answer.status >= 400 && answer.status < 500, shown);
					}
				}
				await assertUnchanged();
			});

			/** Every name of the owner in every parameter. */
			const listNames = (): Readonly<Record<string, string>>[] => [
				...(isNode ? ids : ids.slice(0, 1)).map((id) => ({ ...names, id })),
				{ ...names, id: deletedId },
				{ ...names, id: questionId },
				{ ...names, name: "asked" },
				{ ...names, name: names.token, token: "private" },
				{ ...names, name: names.id, id: "private" },
				{ ...names, id: CANARY },
				{ ...names, id: INSTALLED.id },
			];

			function listWrongHeaders(): (readonly string[])[] {
				const name = "x-service-api-key";
				const wrong = isMultiTenant
					? [
							"alice",
							"default",
							ownerKey.slice(0, -1),
							`${ownerKey}A`,
							ownerKey.toLowerCase(),
							ownerKey.slice(4),
							"tlk_",
							`tlk_${"A".repeat(32)}`,
							`"${ownerKey}"`,
							`Bearer ${ownerKey}`,
							`${ownerKey},${ownerKey}`,
							`${ownerKey}\xa0`,
							`${ownerKey}%20`,
							"' or 1=1 --",
							"x".repeat(4_000),
						]
					: [
							"alice,mallory",
							"alice, alice",
							'"alice"',
							"alice;x",
							"Bearer alice",
							"alice%20",
							"%61lice/",
							"alice\xa0",
							"\xc2\xa0alice",
							"al\tice",
							"al ice",
							"../alice",
							"alice/../bob",
							"alice:wf",
							"_system",
							"*",
							"alice\xef\xbf\xbd",
							"' or 1=1 --",
							"-alice",
							"x".repeat(65),
							"x".repeat(4_000),
						];
				return [
					[],
					[name, ""],
					[name, " "],
					[name, ownerKey, name, ownerKey],
					[name, ownerKey, "X-SERVICE-API-KEY", "mallory"],
					[name, "", name, ownerKey],
					[name, ownerKey, name, ""],
					["x-service-api-key-", ownerKey],
					["x_service_api_key", ownerKey],
					["authorization", `Bearer ${ownerKey}`],
					["cookie", `x-service-api-key=${ownerKey}`],
					...wrong.map((value) => [name, value]),
				];
			}

			async function assertUnchanged(): Promise<void> {
				const { workflows } = WorkflowList.parse((await own("GET", "/webhooks/named")).body);
				assert.deepEqual(workflows.map(({ name }) => name).sort(), [
					"asked",
					"asking",
					"failing",
					"heard",
					"noting",
					"private",
				]);
				assert.ok(workflows.every(({ description, enabled }) => description === CANARY && enabled));
				const versions = await own("GET", "/workflows/private/versions");
				assert.equal(WorkflowVersionPage.parse(versions.body).versions.length, 1);
				assert.match(WorkflowDraft.parse((await own("GET", "/workflows/private/draft")).body).text, /canary/);
				const deleted = DeletedWorkflowPage.parse((await own("GET", "/deleted-workflows")).body);
				assert.deepEqual(
					deleted.workflows.map(({ id }) => id),
					[deletedId],
				);
				const ran = await client.call("POST", `/webhooks/${names.token}/trigger`);
				assert.deepEqual(RunResult.parse(ran.body).data, { ok: true });
				const { credentials } = CredentialList.parse((await own("GET", "/credentials")).body);
				assert.deepEqual(
					credentials.map(({ auth_recipe }) => auth_recipe),
					[CANARY],
				);
				for (const path of ["/recipes/private", "/auth-recipes/private", `/auth-recipes/${CANARY}`]) {
					const { text } = await own("GET", path);
					assert.ok(text.includes(CANARY) && text.includes("shop.example"), path);
				}
				assert.match((await own("GET", `/components/${INSTALLED.id}`)).text, /"source":"installed"/);
				assert.equal((await waitForQuestion()).id, questionId);
				for (const id of ids) assert.equal((await own("GET", `/executions/${id}`)).status, 200);
			}

			/** The owner's question, once it is asked. */
			async function waitForQuestion(): Promise<OpenQuestion> {
				for (let nth = 0; nth < 100; nth++) {
					const { questions } = QuestionPage.parse((await own("GET", "/questions")).body);
					if (questions[0] !== undefined) return questions[0];
					await new Promise((resolve) => setTimeout(resolve, 50));
				}
				return assert.fail("nothing is asked");
			}

			async function createKey(namespace: string): Promise<string> {
				if (!isMultiTenant) return namespace;
				const made = await fetch(`${target.storeUrl}/partner-keys`, {
					method: "POST",
					headers: { authorization: `Bearer ${INTERNAL}`, "content-type": "application/json" },
					body: JSON.stringify({ namespace }),
				});
				return CreatedPartnerKey.parse(await made.json()).key;
			}

			const own = (method: string, path: string, body?: object) => send(owner, method, path, body);

			const send = (from: readonly string[], method: string, path: string, body?: object): Promise<Answer> =>
				client.call(method, path, {
					headers: [...from, ...JSON_TYPE],
					...(body !== undefined && { body: JSON.stringify(body) }),
				});
		});
	}
}

const SAYS_MINE = { component: "set", values: { of: "mine" } };
/** Public routes. */
const PUBLIC =
	/^\/(?:healthz|readyz|openapi\.json|docs|(?:registry\/)?components(?:\/\{id\}(?:\/\{version\})?)?|registry\/stats)$/;

/** The owner's data that a route's `id` refers to. */
function pickId({ path }: DescribedRoute, deletedId: string, questionId: string): { id?: string } {
	if (path === ANSWER) return { id: questionId };
	if (path.startsWith("/deleted-workflows/")) return { id: deletedId };
	if (/^\/(?:auth-)?recipes\//.test(path)) return { id: "private" };
	return path.startsWith("/components/") ? { id: INSTALLED.id } : {};
}

const isAbsent = (header: readonly string[]): boolean =>
	header
		.filter((_, index) => /^x-service-api-key$/i.test(header[index - 1] ?? ""))
		.every((value) => value.trim() === "");

const getPath = (made: Answer): string => `/webhooks/${CreatedWebhook.parse(made.body).token}/trigger`;

function assertHidden({ text, headers }: Answer, shown: string): void {
	assert.ok(!text.includes(CANARY) && !JSON.stringify(headers).includes(CANARY), shown);
}

/** Spellings of a path that some routers or proxies treat as equal. */
function listSpellings(path: string): string[] {
	const [, first = "", ...rest] = path.split("/");
	const last = path.lastIndexOf("/");
	return [
		`${path}/`,
		`/${path}`,
		`//${path.slice(1)}`,
		path.replaceAll("/", "//"),
		`/.${path}`,
		`/x/..${path}`,
		`/%2e${path}`,
		`/x/%2e%2e${path}`,
		`/%2e%2e${path}`,
		`/healthz/..${path}`,
		`/healthz%2f..${path}`,
		`/docs;${path}`,
		`/${first.toUpperCase()}${rest.map((part) => `/${part}`).join("")}`,
		path.toUpperCase(),
		`/%${first.charCodeAt(0).toString(16)}${path.slice(2)}`,
		`${path}%00`,
		`${path}%20`,
		`${path}%2f`,
		`${path};a=b`,
		`${path}.json`,
		`${path}%3f`,
		`${path}%23`,
		`/${path.slice(1).replaceAll("/", "%2F")}`,
		`/${path.slice(1).replaceAll("/", "%2f")}`,
		`${path.slice(0, last)}%2F${path.slice(last + 1)}`,
		`${path.slice(0, last)}%5c${path.slice(last + 1)}`,
		`${path.slice(0, last)}/.${path.slice(last)}`,
		`${path.slice(0, last)}/x/..${path.slice(last)}`,
		`/api${path}`,
		`/registry${path}`,
	].filter((spelling) => spelling !== path && spelling.startsWith("/"));
}
