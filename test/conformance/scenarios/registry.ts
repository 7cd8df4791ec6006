import assert from "node:assert/strict";
import { DeletedAnswer } from "@tripline/contract/entries";
import { ExecutionPage } from "@tripline/contract/execution-log";
import { ComponentDetail, ComponentList } from "@tripline/contract/executor";
import { ComponentAnswer, ComponentPage, VersionAnswer } from "@tripline/contract/market";
import { AuthRecipeList } from "@tripline/contract/recipes";
import { RunResult } from "@tripline/contract/workflows";
import { StatisticsAnswer, SubmissionAnswer, WaitingPage } from "@tripline/registry/http/answers";
import { REQUIRED_KV_NAMESPACES } from "@tripline/registry/settings";
import type { Scenario, World } from "../scenario.ts";
import { putCredential } from "./executor/credential.ts";
import { eventually } from "./executor/eventually.ts";
import { openHost } from "./executor/outside-host.ts";
import {
	asAdmin,
	codeManifest,
	computeHash,
	install,
	listFailedChecks,
	onRegistry,
	publish,
	recipeManifest,
	refuseSubmission,
	review,
	submit,
} from "./executor/publishing.ts";
import { createWorkflow, otherTenant, run, save } from "./executor/saving.ts";
import {
	createRow,
	createWebhook,
	failOnce,
	getTriggerPath,
	runOnce,
	waitForRecords,
} from "./executor/token-webhook.ts";

const market = async (world: World, query: Readonly<Record<string, string | number>> = {}) =>
	(
		await world.anyone.expect(200, ComponentPage, "GET", "/registry/components", {
			query: { limit: 100, ...query },
		})
	).components;

const statistics = ({ anyone }: World) =>
	anyone.expect(200, StatisticsAnswer.strict(), "GET", "/registry/stats");

const countInstalls = async (world: World, component: string) =>
	(await statistics(world)).components.find(({ id }) => id === component)?.installs ?? 0;

const components = async (world: World, headers: Readonly<Record<string, string>> = {}) =>
	(await world.executor.expect(200, ComponentList, "GET", "/components", { headers })).components;

const lives: readonly Scenario[] = [
	{
		name: "a component can be submitted, checked, reviewed, published, installed, run, counted and uninstalled",
		cites: ["REG-MARKET", "REG-STATS-OWN"],
		async run(world) {
			const id = "tea-doubler";
			const manifest = codeManifest(id);
			const sha256 = computeHash(manifest);
			const submitted = await submit(world, manifest, { sha256 });
			assert.deepEqual(
				[submitted.status, submitted.component, submitted.version, submitted.sha256],
				["pending", id, "1.0.0", sha256],
			);
			assert.deepEqual(
				submitted.checks.map(({ name, ok }) => [name, ok]),
				["size", "hash", "publisher", "name", "version", "manifest", "hosts", "trial"].map((name) => [
					name,
					true,
				]),
			);
			const path = `/registry/submissions/${submitted.id}`;
			await world.anyone.refuse(404, "GET", `/registry/components/${id}`);
			await world.executor.refuse(404, "PUT", `/components/${id}`, { body: { version: "1.0.0", sha256 } });

			const { submissions } = await world.anyone.expect(200, WaitingPage, "GET", "/registry/submissions", {
				headers: asAdmin,
			});
			assert.ok(submissions.some((waiting) => waiting.id === submitted.id));
			const approval = { body: { decision: "approve" } };
			await world.anyone.refuse(401, "GET", "/registry/submissions");
			await world.anyone.refuse(401, "POST", `${path}/review`, approval);
			const headers = { authorization: "Bearer not-the-admin-token" };
			await world.anyone.refuse(401, "POST", `${path}/review`, { ...approval, headers });
			assert.equal((await review(world, submitted.id)).status, "approved");
			await world.anyone.refuse(409, "POST", `${path}/review`, { ...approval, headers: asAdmin });

			const [found] = await market(world, { q: "doubler" });
			assert.deepEqual(
				[found?.id, found?.version, found?.sha256, found?.downloads],
				[id, "1.0.0", sha256, 0],
			);
			assert.ok((await market(world, { tag: "numbers" })).some((each) => each.id === id));
			const version = await world.anyone.expect(
				200,
				VersionAnswer,
				"GET",
				`/registry/components/${id}/1.0.0`,
			);
			assert.deepEqual([version.sha256, computeHash(version.manifest)], [sha256, sha256]);

			const installed = await install(world, id, "1.0.0", sha256);
			assert.deepEqual(
				[installed.id, installed.version, installed.sha256, installed.components, installed.hosts],
				[id, "1.0.0", sha256, [id], []],
			);
			const listed = (await components(world)).find((each) => each.id === id);
			assert.deepEqual([listed?.source, listed?.version], ["installed", "1.0.0"]);
			await save(world, createWorkflow("double", { component: id, n: "{{input.n}}" }));
			assert.equal((await run(world, "double", { n: 21 })).data, 42);
			await world.executor.refuse(400, "POST", "/webhooks", {
				body: createRow({ x: { component: id, n: "two" } }),
			});

			await eventually(async () => assert.equal(await countInstalls(world, id), 1));
			assert.equal((await market(world, { q: "doubler" }))[0]?.downloads, 1);

			await world.executor.expect(200, DeletedAnswer, "DELETE", `/components/${id}`);
			await world.executor.refuse(404, "GET", `/components/${id}`);
			await world.executor.refuse(404, "DELETE", `/components/${id}`);
			const failed = await world.executor.expect(500, RunResult, "POST", "/webhooks/named/double/trigger");
			assert.match(failed.error ?? "", /tea-doubler/);
			assert.equal(await countInstalls(world, id), 1);
		},
	},
	{
		name: "a token webhook notices immediately when a component is uninstalled or replaced",
		cites: [],
		async run(world) {
			const id = "price-rounder";
			const manifest = codeManifest(id);
			const first = await publish(world, manifest);
			const next = codeManifest(id, {
				version: "1.1.0",
				code: "return input.n * 3;",
				examples: [{ title: "Two", params: { n: 2 }, output: 6 }],
			});
			const second = await publish(world, next);
			await install(world, id, "1.0.0", first);
			const token = await createWebhook(world.executor, createRow({ it: { component: id, n: 2 } }));
			const outcome = async () => {
				const { status, body } = await world.anyone.call("POST", getTriggerPath(token));
				return [status, RunResult.parse(body).data];
			};
			assert.deepEqual(await outcome(), [200, 4]);
			await install(world, id, "1.1.0", second, 200);
			assert.deepEqual(await outcome(), [200, 6]);
			await world.executor.expect(200, DeletedAnswer, "DELETE", `/components/${id}`);
			assert.deepEqual(await outcome(), [500, null]);
		},
	},
	{
		name: "an installed recipe includes its auth recipe and reaches only its declared hosts",
		cites: [],
		async run(world) {
			const id = "desk-tickets";
			const other = openHost(world, undefined, `other.${world.owner}.example.com`);
			const { host, url, seen } = openHost(world, ({ url: asked }) =>
				asked.endsWith("/away") ? { status: 302, headers: { location: other.url } } : { json: { id: "7" } },
			);
			const sha256 = await publish(world, recipeManifest(id, host));
			const installed = await install(world, id, "1.0.0", sha256);
			assert.deepEqual(
				[installed.components, installed.hosts, installed.credentials],
				[[`${id}.get_ticket`], [host], ["acme-key"]],
			);
			const { auth_recipes } = await world.executor.expect(200, AuthRecipeList, "GET", "/auth-recipes");
			assert.equal(auth_recipes.find((each) => each.id === `${id}.acme-key`)?.source, "installed");
			await putCredential(world, "desk", `${id}.acme-key`, { token: "desk-token" });
			const ticket = (number: string) =>
				createRow({ it: { component: `${id}.get_ticket`, id: number, credential: "desk" } });
			assert.deepEqual((await runOnce(world, ticket("7"))).data, { id: "7" });
			assert.deepEqual(
				seen.map((sent) => [sent.method, sent.url, sent.headers.authorization]),
				[["GET", `${url}/tickets/7`, "Bearer desk-token"]],
			);
			const left = await failOnce(world, ticket("away"));
			assert.equal(left.error, `it: this call may reach only ${host}, not ${other.host}`);
			assert.equal(other.seen.length, 0);
		},
	},
	{
		name: "installed code can call only its declared hosts, and sends a credential only if it declares and requests it",
		cites: [],
		async run(world) {
			const { host, seen } = openHost(world, ({ headers }) => ({
				json: { got: headers["x-own"], ...headers },
			}));
			const { auth_recipes, hosts, credentials } = recipeManifest("x", host);
			const params = { type: "object", properties: { url: { type: "string" }, use: { type: "boolean" } } };
			const calling = codeManifest("desk-caller", {
				params,
				output: {},
				hosts,
				credentials,
				auth_recipes,
				code: `const { data } = await http({ url: input.url, headers: { "x-own": "1" }, ...(input.use ? { use_credential: true } : {}) });
return { got: data.got, auth: typeof data.authorization };`,
				examples: [
					{
						title: "It calls",
						params: { url: `https://${host}/x` },
						http: [
							{
								request: { method: "GET", url: `https://${host}/x` },
								response: { status: 200, data: { got: "1" } },
							},
						],
						output: { got: "1", auth: "undefined" },
					},
				],
			});
			const silent = codeManifest("quiet-looker", {
				params: { type: "object", properties: {} },
				output: { type: "string" },
				code: "return typeof http;",
				examples: [{ title: "None", params: {}, output: "undefined" }],
			});
			for (const manifest of [calling, silent]) {
				await install(world, manifest.id, "1.0.0", await publish(world, manifest));
			}
			await putCredential(world, "desk", "desk-caller.acme-key", { token: "desk-token" });
			const call = (settings: object) =>
				createRow({ it: { component: "desk-caller", url: `https://${host}/y`, ...settings } });
			assert.equal(
				(await runOnce(world, createRow({ it: { component: "quiet-looker" } }))).data,
				"undefined",
			);
			const plain = await runOnce(world, call({ credential: "desk" }));
			assert.deepEqual(plain.data, { got: "1", auth: "undefined" });
			const used = await runOnce(world, call({ use: true, credential: "desk" }));
			assert.deepEqual(used.data, { got: "1", auth: "string" });
			assert.deepEqual(
				seen.splice(0).map(({ headers }) => headers.authorization),
				[undefined, "Bearer desk-token"],
			);
			assert.match(
				(await failOnce(world, call({ use: true }))).error ?? "",
				/needs a credential of desk-caller\.acme-key/,
			);
			const away = await failOnce(world, call({ url: "https://example.com/" }));
			assert.match(away.error ?? "", /this call may reach only owner-.*, not example\.com/);
			assert.equal(seen.length, 0);
		},
	},
	{
		name: "an installed component belongs to its tenant: another can neither use nor uninstall it",
		cites: [],
		async run(world) {
			const id = "lonely-doubler";
			const sha256 = await publish(world, codeManifest(id));
			await install(world, id, "1.0.0", sha256);
			const headers = otherTenant(world);
			const body = createRow({ it: { component: id, n: 1 } });
			assert.ok(!(await components(world, headers)).some((each) => each.id === id));
			await world.executor.refuse(404, "GET", `/components/${id}`, { headers });
			await world.anyone.refuse(404, "GET", `/components/${id}`);
			await world.executor.refuse(404, "DELETE", `/components/${id}`, { headers });
			const refused = await world.executor.refuse(422, "POST", "/webhooks", { body, headers });
			assert.deepEqual(refused.components, [id]);
			await world.anyone.refuse(422, "POST", "/webhooks", { body });
			await world.anyone.refuse(401, "PUT", `/components/${id}`, { body: { version: "1.0.0", sha256 } });
			await world.anyone.refuse(401, "DELETE", `/components/${id}`);
			assert.equal((await runOnce(world, body)).data, 2);
			await install(world, id, "1.0.0", sha256, 201, headers);
			await world.executor.expect(200, DeletedAnswer, "DELETE", `/components/${id}`, { headers });
			assert.equal((await runOnce(world, body)).data, 2);
		},
	},
];

const rules: readonly Scenario[] = [
	{
		name: "a published version is immutable: neither it nor a lower version can be submitted",
		cites: [],
		async run(world) {
			const id = "steady-doubler";
			const sha256 = await publish(world, codeManifest(id, { version: "1.1.0" }));
			const again = codeManifest(id, { version: "1.1.0", description: "Something else." });
			assert.match((await refuseSubmission(world, 409, again)).error, /is published and cannot change/);
			assert.deepEqual(await listFailedChecks(world, codeManifest(id, { version: "1.0.9" })), ["version"]);
			const waiting = await submit(world, codeManifest(id, { version: "1.2.0" }));
			await refuseSubmission(world, 409, codeManifest(id, { version: "1.2.0", title: "Other" }));
			await review(world, waiting.id, { decision: "reject", reason: "Say what for" });
			const rejected = await world.anyone.expect(
				200,
				SubmissionAnswer,
				"GET",
				`/registry/submissions/${waiting.id}`,
			);
			assert.deepEqual([rejected.status, rejected.reason], ["rejected", "Say what for"]);
			await publish(world, codeManifest(id, { version: "1.10.0" }));
			const component = await world.anyone.expect(200, ComponentAnswer, "GET", `/registry/components/${id}`);
			assert.deepEqual(
				component.versions.map(({ version }) => version),
				["1.10.0", "1.1.0"],
			);
			assert.equal(component.versions[1]?.sha256, sha256);
			const first = await world.anyone.call("GET", `/registry/components/${id}/1.1.0`);
			assert.equal((first.body as { sha256: string }).sha256, sha256);
			assert.match(first.headers.get("cache-control") ?? "", /immutable/);
		},
	},
	{
		name: "the registry has a small body limit, even if it shares an address with services that have a larger one",
		cites: [],
		async run(world) {
			const body = { hash: "x".repeat(100_000) };
			await world.anyone.refuse(413, "POST", "/registry/components/acme%2Fany/installs", { body });
		},
	},
	{
		name: "a wrong hash is rejected by the registry and on install, and nothing is installed",
		cites: [],
		async run(world) {
			const id = "honest-doubler";
			const wrong = "0".repeat(64);
			assert.deepEqual(await listFailedChecks(world, codeManifest(id), { sha256: wrong }), ["hash"]);
			const sha256 = await publish(world, codeManifest(id));
			const put = (status: number, body: object) =>
				world.executor.refuse(status, "PUT", `/components/${id}`, { body });
			const { error } = await put(409, { version: "1.0.0", sha256: wrong });
			assert.equal(error, `version 1.0.0 of ${id} does not have this SHA-256: nothing was installed`);
			await put(404, { version: "1.0.1", sha256 });
			for (const body of [
				{ version: "1.0.0" },
				{ version: "latest", sha256 },
				{ version: "1.0.0", sha256: "x" },
			]) {
				await put(422, body);
			}
			await world.executor.refuse(404, "GET", `/components/${id}`);
			assert.equal(await countInstalls(world, id), 0);
		},
	},
	{
		name: "a stored component that no longer matches its hash does not run",
		cites: [],
		async run(world) {
			const id = "guarded-doubler";
			await install(world, id, "1.0.0", await publish(world, codeManifest(id)));
			const query = { owner_id: world.owner, entry_type: "installed_component", page_name: id };
			const { entries } = (await world.call("GET", "/entries", { query })).body as {
				entries: { metadata_json: string }[];
			};
			const metadata_json = entries[0]?.metadata_json.replace("input.n * 2", "input.n * 9");
			const body = { ...query, content: "", metadata_json };
			assert.equal((await world.call("PUT", "/entries", { body })).status, 200);
			// Another process notices after a while; this one reloads because of another change.
			await world.executor.call("DELETE", "/components/nothing");
			await world.executor.refuse(404, "GET", `/components/${id}`);
			const node = createRow({ it: { component: id, n: 1 } });
			await world.executor.refuse(422, "POST", "/webhooks", { body: node });
		},
	},
	{
		name: "a submission that squats a name, hangs, reaches internal addresses or fails its examples is rejected",
		isLong: true,
		cites: [],
		async run(world) {
			const id = "hopeful-doubler";
			const failing = (changes: object) => listFailedChecks(world, codeManifest(id, changes));
			assert.deepEqual(await failing({ id: "http_request" }), ["name"]);
			assert.deepEqual(await failing({ id: "githud" }), ["name"]);
			assert.deepEqual(await failing({ publisher: "Trip1ine" }), ["publisher"]);
			assert.deepEqual(await failing({ hosts: ["localhost"] }), ["hosts"]);
			assert.deepEqual(await failing({ hosts: ["169.254.169.254"] }), ["hosts"]);
			const hanging = "return /^(a+)+$/.test('a'.repeat(40) + 'b') ? 1 : 4;";
			assert.deepEqual(await failing({ code: hanging }), ["trial"]);
			assert.deepEqual(await failing({ code: "return input.n * 3;" }), ["trial"]);
			assert.deepEqual(await failing({ code: "for (;;);" }), ["trial"]);
			assert.deepEqual(await failing({ credentials: ["acme-key"] }), ["manifest"]);
			await refuseSubmission(world, 422, codeManifest("../../etc", {}));
			await refuseSubmission(world, 422, codeManifest(id, { extra: true }));
			await refuseSubmission(world, 413, codeManifest(id, { description: "x".repeat(600_000) }));
			await publish(world, codeManifest(id));
			const headers = { "x-publisher-token": "somebody-else-with-a-token-012345678" };
			const body = { manifest: codeManifest(id, { version: "2.0.0" }) };
			await world.anyone.refuse(403, "POST", "/registry/submissions", { body, headers });
			await world.anyone.refuse(403, "POST", "/registry/submissions", { body });
		},
	},
	{
		name: "an installed component and a tenant's own recipe cannot have the same name",
		cites: [],
		async run(world) {
			const id = "named-doubler";
			const sha256 = await publish(world, codeManifest(id));
			const { recipe } = recipeManifest("x", "api.example.com");
			const body = { ...recipe, auth: null, title: "Own", description: "Own" };
			const put = () => world.executor.call("PUT", `/recipes/${id}`, { body });
			assert.equal((await put()).status, 201);
			await world.executor.refuse(409, "PUT", `/components/${id}`, { body: { version: "1.0.0", sha256 } });
			await world.executor.call("DELETE", `/recipes/${id}`);
			await install(world, id, "1.0.0", sha256);
			assert.equal((await put()).status, 409);
		},
	},
];

const whole: readonly Scenario[] = [
	{
		name: "the registry has a seeded market that can be listed, searched and sorted",
		cites: ["REG-MARKET"],
		async run(world) {
			const all = await market(world);
			assert.ok(all.filter(({ updated_at }) => updated_at === null).length >= 20, `${all.length} components`);
			assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
			const page = await world.anyone.expect(200, ComponentPage, "GET", "/registry/components", {
				query: { limit: 5, sort: "recent" },
			});
			const next = await world.anyone.expect(200, ComponentPage, "GET", "/registry/components", {
				query: { limit: 5, sort: "recent", cursor: page.next_cursor ?? "" },
			});
			assert.equal(new Set([...page.components, ...next.components].map(({ id }) => id)).size, 10);
			const slug = (await market(world, { q: "slug text" })).find(({ id }) => id === "slugify");
			assert.ok(slug !== undefined);
			await install(world, slug.id, slug.version, slug.sha256);
			const node = createRow({ it: { component: "slugify", text: "{{input.text}}" } });
			assert.equal((await runOnce(world, node, { text: "Über uns & mehr" })).data, "uber-uns-mehr");
		},
	},
	{
		name: "every listed component of the market can be installed",
		cites: ["REG-MARKET"],
		async run(world) {
			const brought = (await market(world)).filter(({ updated_at }) => updated_at === null);
			for (const { id, version, sha256 } of brought) {
				const { components: made } = await install(world, id, version, sha256);
				const [first = ""] = made;
				const detail = await world.executor.expect(200, ComponentDetail, "GET", `/components/${first}`);
				assert.deepEqual([detail.source, detail.version], ["installed", version]);
				assert.equal(detail.params.type, "object", first);
				assert.ok(detail.examples.length > 0, first);
			}
			const installed = (await components(world)).filter(({ source }) => source === "installed");
			assert.ok(installed.length >= brought.length);
		},
	},
	{
		name: "statistics are in the registry's own key-value namespace, and runs do not change them",
		cites: ["REG-STATS-OWN", "REG-STATS-NAMESPACE", "REG-STATS-SEPARATE"],
		async run(world) {
			const id = "counted-doubler";
			const sha256 = await publish(world, codeManifest(id));
			await install(world, id, "1.0.0", sha256);
			const body = { version: "1.0.0" };
			const counted = await world.anyone.call("POST", `/registry/components/${id}/installs`, { body });
			assert.deepEqual([counted.status, counted.body], [202, { counted: true }]);
			await eventually(async () => assert.equal(await countInstalls(world, id), 2));
			const { totals, days } = await statistics(world);
			assert.ok(totals.components >= 21 && totals.versions >= totals.components);
			assert.equal(days[0]?.components.find((each) => each.id === id)?.installs, 2);

			const { execution_id } = await runOnce(world, createRow({ it: { component: id, n: 1 } }));
			const records = await waitForRecords(world, 1);
			assert.deepEqual(
				records.map((record) => record.id),
				[execution_id],
			);
			assert.equal(await countInstalls(world, id), 2);
			// Counts are collected for a second before they are written; on Workers the next request writes them.
			await eventually(async () => {
				await world.anyone.call("POST", "/registry/components/slugify/installs", { body });
				assert.ok((await world.target.statistics.get("totals"))?.includes(id));
			});
			const keys = await world.target.statistics.keys();
			assert.ok(
				keys.every((key) => key === "totals" || /^day:\d{4}-\d\d-\d\d$/.test(key)),
				keys.join(),
			);
			const kept = await Promise.all(keys.map((key) => world.target.statistics.get(key)));
			assert.ok(!JSON.stringify(kept).includes(execution_id));
			const others = await world.target.kv.keys();
			assert.ok(!others.some((key) => keys.includes(key)));
			const { executions } = await world.expect(200, ExecutionPage, "GET", "/execution-log", {
				query: { owner_id: world.owner },
			});
			assert.equal(executions.length, 1);
		},
	},
	{
		name: "daily statistics are kept for 90 days, totals forever",
		cites: ["REG-STATS-OWN"],
		async run(world) {
			const DAY = 86_400_000;
			const id = "yearly-doubler";
			await publish(world, codeManifest(id));
			const start = Date.UTC(2031, 0, 1, 12);
			const count = async (day: number) => {
				await world.target.setNow(start + day * DAY);
				const body = { version: "1.0.0" };
				await world.anyone.call("POST", `/registry/components/${id}/installs`, { body });
			};
			const counts = async () => {
				const { components: all, days } = await statistics(world);
				const own = days.filter(({ components: some }) => some.some((each) => each.id === id));
				return [all.find((each) => each.id === id)?.installs, own.map(({ date }) => date)];
			};
			await count(0);
			await count(1);
			const become = (expected: unknown) =>
				eventually(async () => assert.deepEqual(await counts(), expected));
			await become([2, ["2031-01-02", "2031-01-01"]]);
			await count(90);
			await become([3, ["2031-04-01", "2031-01-02"]]);
		},
	},
	{
		name: "the registry requires a key-value namespace for submissions, which survive a restart",
		cites: ["REG-KV-SUBMISSIONS"],
		async run(world) {
			assert.ok(REQUIRED_KV_NAMESPACES.includes("SUBMISSIONS_KV"));
			const { id } = await submit(world, codeManifest("lasting-doubler"));
			await world.target.restart(onRegistry(whole[0] as Scenario).environment ?? {});
			const kept = await world.anyone.expect(200, SubmissionAnswer, "GET", `/registry/submissions/${id}`);
			assert.deepEqual([kept.status, kept.component], ["pending", "lasting-doubler"]);
			const keys = [...(await world.target.kv.keys()), ...(await world.target.statistics.keys())];
			assert.ok(!keys.some((key) => key.includes(id)));
		},
	},
];

export const registry: readonly Scenario[] = [...lives, ...rules, ...whole].map(onRegistry);
