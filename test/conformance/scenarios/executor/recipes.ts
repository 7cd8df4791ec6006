import assert from "node:assert/strict";
import { listAuthIds } from "@tripline/contract/auth-ids";
import { DeletedAnswer, EntryPage } from "@tripline/contract/entries";
import { ComponentDetail, Validation } from "@tripline/contract/executor";
import { SYSTEM_OWNER } from "@tripline/contract/names";
import {
	ApiRecipeList,
	AuthRecipeList,
	SeededRecipes,
	WriteApiRecipe,
	WriteAuthRecipe,
} from "@tripline/contract/recipes";
import type { Diagnostic } from "@tripline/contract/workflows";
import { exchanges } from "../../../../packages/components/test/seeds/requests.ts";
import type { Scenario, World } from "../../scenario.ts";
import { putAuthRecipe, putCredential } from "./credential.ts";
import { openHost } from "./outside-host.ts";
import { onOwnService } from "./own-service.ts";
import { recipeFiles } from "./recipe-files.ts";
import { recipeImports } from "./recipe-imports.ts";
import { recipePages } from "./recipe-pages.ts";
import { checkService } from "./recipe-workflows.ts";
import { otherTenant } from "./saving.ts";
import { onSeeded } from "./seeded.ts";
import { createRow, createWebhook, failOnce, runOnce, trigger, triggerFailing } from "./token-webhook.ts";

/** The services required by the decisions, by recipe id. */
const SERVICES = [
	"github",
	"slack",
	"discord",
	"telegram",
	"notion",
	"openai_compatible",
	"anthropic",
	"google_sheets",
	"stripe",
	"airtable",
	"resend",
	"linear",
	"s3",
];

const params = (properties: object, required: readonly string[] = []) => ({
	type: "object",
	properties,
	required,
	additionalProperties: false,
});

/** A shop's recipe with its two operations. */
const shop = (host: string, auth: string | null, more: object = {}) => ({
	title: "Shop",
	description: "Orders of a shop",
	auth,
	base_url: `https://${host}/v1`,
	operations: {
		get_order: {
			title: "Get an order",
			method: "GET",
			path: "/orders/{id}",
			params: params({ id: { type: "integer", minimum: 1 }, expand: { type: "string" } }, ["id"]),
			query: { expand: "{{params.expand}}" },
			output: {
				value: { total: "{{data.sum}}", place: '{{headers["x-place"]}}' },
				schema: { type: "object", properties: { total: { type: "number" } } },
			},
		},
		add_note: {
			title: "Add a note",
			method: "POST",
			path: "/orders/{id}/notes",
			params: params({ id: { type: "integer" }, text: { type: "string" }, tag: { type: "string" } }, [
				"id",
				"text",
			]),
			headers: { "x-shop": "one" },
			body: { kind: "json", value: { note: { text: "{{params.text}}", tag: "{{params.tag}}" } } },
			output: { schema: { type: "object" } },
			error: "{{data.problem}}",
		},
	},
	...more,
});

const put = (world: World, body: object, status = 201, id = "shop") =>
	world.executor.expect(status, WriteApiRecipe, "PUT", `/recipes/${id}`, { body });

const list = async (world: World, headers: Readonly<Record<string, string>> = {}) =>
	(await world.executor.expect(200, ApiRecipeList, "GET", "/recipes", { headers })).recipes;

const own: readonly Scenario[] = [
	{
		name: "PUT, GET and DELETE /recipes/{id} manage an API recipe of the tenant",
		cites: [],
		async run(world) {
			const { host } = openHost(world);
			const first = await put(world, shop(host, null));
			assert.equal(first.id, "shop");
			assert.deepEqual(await world.executor.expect(200, WriteApiRecipe, "GET", "/recipes/shop"), first);
			assert.deepEqual(await put(world, first, 200), first);
			await put(world, shop(host, null, { title: "Corner shop" }), 200);
			const item = (await list(world)).find(({ id }) => id === "shop");
			assert.deepEqual(item, {
				id: "shop",
				title: "Corner shop",
				description: "Orders of a shop",
				category: null,
				auth: null,
				source: "own",
				operations: ["get_order", "add_note"],
			});
			const headers = otherTenant(world);
			assert.ok(!(await list(world, headers)).some(({ id }) => id === "shop"));
			await world.executor.refuse(404, "GET", "/recipes/shop", { headers });
			await world.executor.refuse(404, "DELETE", "/recipes/shop", { headers });
			await world.executor.expect(200, DeletedAnswer, "DELETE", "/recipes/shop");
			await world.executor.refuse(404, "GET", "/recipes/shop");
			await world.executor.refuse(404, "DELETE", "/recipes/shop");
			await world.anyone.refuse(401, "GET", "/recipes");
			await world.anyone.refuse(401, "PUT", "/recipes/shop", { body: first });
		},
	},
	{
		name: "PUT, GET and DELETE /auth-recipes/{id} manage an auth recipe of the tenant",
		cites: [],
		async run(world) {
			const fields = [{ name: "token", secret: true, help: "The token" }];
			const body = { title: "Own", type: "bearer", fields, hosts: ["api.example.com"] };
			const first = await world.executor.expect(201, WriteAuthRecipe, "PUT", "/auth-recipes/own", { body });
			assert.deepEqual(first, { ...body, id: "own", inject: { token: "{token}" } });
			await world.executor.expect(200, WriteAuthRecipe, "PUT", "/auth-recipes/own", { body: first });
			assert.deepEqual(await world.executor.expect(200, WriteAuthRecipe, "GET", "/auth-recipes/own"), first);
			const findOwn = async (headers: Readonly<Record<string, string>> = {}) =>
				(
					await world.executor.expect(200, AuthRecipeList, "GET", "/auth-recipes", { headers })
				).auth_recipes.find(({ id }) => id === "own");
			assert.deepEqual([(await findOwn())?.source, (await findOwn())?.fields], ["own", fields]);
			assert.equal(await findOwn(otherTenant(world)), undefined);
			await world.executor.expect(200, DeletedAnswer, "DELETE", "/auth-recipes/own");
			await world.executor.refuse(404, "GET", "/auth-recipes/own");
			await world.anyone.refuse(401, "GET", "/auth-recipes");
		},
	},
	{
		name: "a recipe that cannot work or would leak a secret is rejected with the path and the reason",
		cites: [],
		async run(world) {
			const { host } = openHost(world);
			const { get_order } = shop(host, null).operations;
			const withOperation = (changes: object) =>
				shop(host, null, { operations: { get_order: { ...get_order, ...changes } } });
			for (const [body, path] of [
				[shop(host, "nobody_knows_it"), "auth"],
				[shop(host, null, { base_url: "ftp://x" }), "base_url"],
				[shop(host, null, { operations: {} }), "operations"],
				[withOperation({ path: "/orders/{number}" }), "operations.get_order.path"],
				[withOperation({ query: { a: "{{params.nothing}}" } }), "operations.get_order.query.a"],
				[withOperation({ params: { ...get_order.params, required: "id" } }), "operations.get_order.path"],
				[
					withOperation({ examples: [{ title: "x", params: { id: "one" } }] }),
					"operations.get_order.examples.0.params.id",
				],
				[{ ...shop(host, null), id: "another" }, "id"],
			] as const) {
				const { issues } = await world.executor.refuse(422, "PUT", "/recipes/shop", { body });
				assert.equal(issues?.[0]?.path, path, JSON.stringify(issues));
			}
			const secret = { name: "token", secret: true, help: "" };
			const auth = { title: "x", type: "bearer", fields: [secret], hosts: ["api.example.com"] };
			for (const [body, path] of [
				[{ ...auth, hosts: ["{token}.example.com"] }, "hosts.0"],
				[{ ...auth, hosts: [] }, "hosts"],
				[{ ...auth, inject: { token: "the-secret-itself" } }, "inject.token"],
				[{ ...auth, inject: { token: "{other}" } }, "inject.token"],
				[{ ...auth, type: "header", inject: { headers: { host: "{token}" } } }, "inject.headers.host"],
			] as const) {
				const { issues } = await world.executor.refuse(422, "PUT", "/auth-recipes/own", { body });
				assert.equal(issues?.[0]?.path, path, JSON.stringify(issues));
			}
			await world.executor.refuse(409, "PUT", "/recipes/http_request", { body: shop(host, null) });
			await world.executor.refuse(422, "PUT", "/recipes/Not.An.Id", { body: shop(host, null) });
		},
	},
	{
		name: "an operation of the tenant's own recipe is a component that sends and outputs what the recipe says",
		cites: [],
		async run(world) {
			const { host, url, seen } = openHost(world, ({ method }) =>
				method === "GET"
					? { json: { sum: 7.5, more: 1 }, headers: { "x-place": "Lyon" } }
					: { json: { ok: true } },
			);
			await putAuthRecipe(world, "shop-key", { type: "bearer", fields: ["token"], hosts: [host] });
			await putCredential(world, "mine", "shop-key", { token: "shop-token" });
			await put(world, shop(host, "shop-key"));
			const detail = await world.executor.expect(200, ComponentDetail, "GET", "/components/shop.get_order");
			assert.deepEqual(
				[detail.source, detail.hosts, detail.auth_recipes, detail.takes_credentials],
				["recipe", [host], ["shop-key"], true],
			);
			const { data } = await runOnce(
				world,
				createRow({
					order: { component: "shop.get_order", id: "{{input.id}}", expand: "a b", credential: "mine" },
					note: {
						component: "shop.add_note",
						id: "{{input.id}}",
						text: "{{order.total}} in {{order.place}}",
						credential: "mine",
					},
				}),
				{ id: 7 },
			);
			assert.deepEqual(data, { ok: true });
			assert.deepEqual(
				seen.map((sent) => [sent.method, sent.url, sent.headers.authorization, sent.body]),
				[
					["GET", `${url}/v1/orders/7?expand=a%20b`, "Bearer shop-token", ""],
					["POST", `${url}/v1/orders/7/notes`, "Bearer shop-token", '{"note":{"text":"7.5 in Lyon"}}'],
				],
			);
			assert.equal(seen[1]?.headers["x-shop"], "one");
		},
	},
	{
		name: "a credential of another auth recipe than the component needs is found at save",
		cites: [],
		async run(world) {
			const host = "shop.example.com";
			for (const id of ["shop-key", "other-key"]) {
				await putAuthRecipe(world, id, { type: "bearer", fields: ["token"], hosts: [host] });
				await putCredential(world, `my ${id}`, id, { token: "a-shop-token" });
			}
			await put(world, shop(host, "shop-key"));
			const note = (settings: object) => ({
				name: "notes",
				description: "",
				version: "1",
				...createRow({ note: { component: "shop.add_note", id: 1, text: "x", ...settings } }),
			});
			const wrong = { body: note({ credential: "my other-key" }) };
			const { status, body } = await world.executor.call("POST", "/workflows", wrong);
			const [found, ...others] = (body as { diagnostics: Diagnostic[] }).diagnostics;
			assert.deepEqual([status, found?.code, others.length], [400, "wrong_credential", 0]);
			assert.match(
				found?.message ?? "",
				/"my other-key" has the type other-key, but shop.add_note needs shop-key/,
			);
			assert.equal(found?.hint, 'Use "my shop-key"');
			const right = await world.executor.call("POST", "/workflows", {
				body: note({ credential: "my shop-key" }),
			});
			assert.equal(right.status, 201);
			const missing = { body: note({ credential: "none" }) };
			const { diagnostics } = await world.executor.expect(
				200,
				Validation,
				"POST",
				"/workflows/validate",
				missing,
			);
			assert.deepEqual(
				diagnostics.map(({ severity, hint }) => [severity, hint]),
				[
					[
						"warning",
						'The owner adds it in the console: Credentials > Add credential, type shop-key, name "none"',
					],
				],
			);
		},
	},
	{
		name: "a recipe node fails without its credential, with one of another auth recipe, and on an API error",
		cites: [],
		async run(world) {
			const { host, seen } = openHost(world, () => ({ json: { problem: "sold out" } }));
			for (const id of ["shop-key", "other-key"]) {
				await putAuthRecipe(world, id, { type: "bearer", fields: ["token"], hosts: [host] });
				await putCredential(world, `my ${id}`, id, { token: "a-shop-token" });
			}
			await put(world, shop(host, "shop-key"));
			const note = (settings: object) =>
				createRow({ note: { component: "shop.add_note", id: 1, text: "x", ...settings } });
			const runForError = async (settings: object) => (await failOnce(world, note(settings))).error ?? "";
			assert.match(await runForError({}), /needs a credential of shop-key/);
			assert.match(
				await runForError({ credential: "my other-key" }),
				/has the auth recipe "other-key", but shop-key is required here/,
			);
			assert.equal(seen.length, 0);
			assert.equal(await runForError({ credential: "my shop-key" }), "note: sold out");
		},
	},
	{
		name: "parameters of a recipe's operation are validated with their line and column",
		cites: [],
		async run(world) {
			const { host } = openHost(world);
			await put(world, shop(host, null));
			const raw = [
				"name: orders",
				"description: ''",
				"version: '1'",
				"triplets:",
				"  - input >> then >> order",
				"  - order >> then >> note",
				"config:",
				"  order:",
				"    component: shop.get_order",
				"    id: 0",
				"    colour: red",
				"  note:",
				"    component: shop.add_note",
				"    id: one",
			].join("\n");
			const headers = { "content-type": "application/yaml" };
			const { valid, diagnostics, missing } = await world.executor.expect(
				200,
				Validation,
				"POST",
				"/workflows/validate",
				{ raw, headers },
			);
			assert.deepEqual([valid, missing], [false, []]);
			assert.deepEqual(
				diagnostics.map(({ severity, path, line, column }) => [severity, path, line, column]),
				[
					["error", "config.order.id", 10, 9],
					["error", "config.order.colour", 11, 5],
					["error", "config.note.text", 13, 5],
					["error", "config.note.id", 14, 9],
				],
			);
			await world.executor.refuse(400, "POST", "/workflows", { raw, headers });
		},
	},
	{
		name: "an operation that does not exist is a missing component: 422 lists the node and the id",
		cites: [],
		async run(world) {
			const { host } = openHost(world);
			await put(world, shop(host, null));
			for (const component of [
				"shop.get_orders",
				"shop",
				"shop.get_order.more",
				"shop.__proto__",
				"nobody.does",
			]) {
				const refused = await world.executor.refuse(422, "POST", "/webhooks", {
					body: createRow({ order: { component } }),
				});
				assert.deepEqual([refused.missing, refused.components], [["order"], [component]]);
			}
		},
	},
	{
		name: "a tenant's own recipe shadows a seeded one for that tenant only, until it is deleted",
		cites: [],
		async run(world) {
			const { host, seen } = openHost(world, () => ({ json: { sum: 1 } }));
			const { operations } = shop(host, null);
			const body = shop(host, null, { title: "Our own", operations: { create_issue: operations.get_order } });
			await put(world, body, 201, "github");
			const listGithub = async (headers: Readonly<Record<string, string>> = {}) =>
				(await list(world, headers))
					.filter(({ id }) => id === "github")
					.map(({ title, source }) => [title, source]);
			assert.deepEqual(await listGithub(), [["Our own", "own"]]);
			assert.deepEqual(await listGithub(otherTenant(world)), [["GitHub", "seeded"]]);
			const workflow = createRow({ issue: { component: "github.create_issue", id: 5 } });
			const token = await createWebhook(world.executor, workflow);
			await trigger(world.anyone, token);
			assert.equal(seen.length, 1);
			await world.executor.refuse(400, "POST", "/webhooks", { body: workflow, headers: otherTenant(world) });
			await world.executor.expect(200, DeletedAnswer, "DELETE", "/recipes/github");
			assert.deepEqual(await listGithub(), [["GitHub", "seeded"]]);
			const { error } = await triggerFailing(world.anyone, token);
			assert.match(error ?? "", /^the workflow does not compile: /);
			await world.executor.refuse(404, "DELETE", "/recipes/github");
			assert.equal(seen.length, 1);
		},
	},
	{
		name: "a tenant's own auth recipe shadows a seeded one: its credentials go to its own hosts",
		cites: [],
		async run(world) {
			const { host, url, seen } = openHost(world);
			await putAuthRecipe(world, "github_token", { type: "bearer", fields: ["token"], hosts: [host] });
			await putCredential(world, "mine", "github_token", { token: "my-own-token" });
			const call = (to: string) =>
				createRow({ call: { component: "http_request", url: to, credential: "mine" } });
			await runOnce(world, call(url));
			assert.equal(seen[0]?.headers.authorization, "Bearer my-own-token");
			const failed = await failOnce(world, call("https://api.github.com/user"));
			assert.match(failed.error ?? "", /may be sent only to owner-/);
		},
	},
];

const seeding: readonly Scenario[] = [
	{
		name: "POST /init/seed seeds API recipes and auth recipes for all tenants and is idempotent",
		cites: ["EXEC-SEED-API-RECIPES", "EXEC-SEED-AUTH-RECIPES"],
		async run(world) {
			const seed = () => world.anyone.expect(200, SeededRecipes.strict(), "POST", "/init/seed");
			await seed();
			const again = await seed();
			const { unchanged: recipes } = again.recipes;
			const { unchanged: auths } = again.auth_recipes;
			assert.deepEqual(again, {
				recipes: { created: 0, updated: 0, unchanged: recipes },
				auth_recipes: { created: 0, updated: 0, unchanged: auths },
			});
			assert.ok(recipes >= 12 && auths >= 8, `${recipes} recipes, ${auths} auth recipes`);
			for (const headers of [{}, otherTenant(world)]) {
				const listed = await list(world, headers);
				assert.equal(listed.length, recipes);
				const ids = listed.map(({ id }) => id);
				assert.deepEqual(
					SERVICES.filter((id) => !ids.includes(id)),
					[],
				);
				for (const { id, source, operations } of listed) {
					assert.equal(source, "seeded");
					assert.ok(operations.length >= 2, id);
				}
				const { auth_recipes } = await world.executor.expect(200, AuthRecipeList, "GET", "/auth-recipes", {
					headers,
				});
				const known = auth_recipes.map(({ id }) => id);
				// One exists without seeding, because signed webhooks are checked with it.
				assert.equal(known.length, auths + 1);
				assert.deepEqual(
					listed.filter(({ auth }) => !listAuthIds(auth).every((id) => known.includes(id))),
					[],
				);
			}
		},
	},
	{
		name: "POST /init/seed restores deleted and changed recipes, and counts them",
		cites: ["EXEC-SEED-API-RECIPES", "EXEC-SEED-AUTH-RECIPES"],
		async run(world) {
			const seed = () => world.anyone.expect(200, SeededRecipes, "POST", "/init/seed");
			const query = { owner_id: SYSTEM_OWNER, entry_type: "api_recipe" };
			const readParts = async () => {
				const { entries } = await world.expect(200, EntryPage, "GET", "/entries", { query });
				const index = entries.find(({ page_name }) => page_name === "seeded_index")?.metadata_json ?? "";
				const pages = (JSON.parse(index) as { parts: string[] }).parts;
				return pages.map((page_name) => ({
					page_name,
					recipes: JSON.parse(
						entries.find((entry) => entry.page_name === page_name)?.metadata_json ?? "",
					) as Record<string, object>,
				}));
			};
			await seed();
			const before = await readParts();
			for (const { page_name, recipes } of before) {
				const { "api/resend": _, "api/linear": __, "auth/linear_key": ___, ...rest } = recipes;
				const key = rest["auth/stripe_key"];
				const changed = {
					...rest,
					...(key && { "auth/stripe_key": { ...key, hosts: ["elsewhere.example.com"] } }),
				};
				// One recipe per line, as they are read.
				const lines = Object.entries(changed).map(
					([name, recipe]) => `${JSON.stringify(name)}:${JSON.stringify(recipe)}`,
				);
				const body = { ...query, page_name, content: "", metadata_json: `{\n${lines.join(",\n")}\n}` };
				assert.equal((await world.call("PUT", "/entries", { body })).status, 200);
			}
			const { recipes, auth_recipes } = await seed();
			assert.deepEqual([recipes.created, recipes.updated], [2, 0]);
			assert.deepEqual([auth_recipes.created, auth_recipes.updated], [1, 1]);
			assert.deepEqual(await readParts(), before);
			assert.equal((await list(world)).length, recipes.created + recipes.unchanged);
		},
	},
	{
		name: "a seeded recipe is returned in the form that PUT accepts",
		cites: [],
		async run(world) {
			for (const id of SERVICES) {
				const recipe = await world.executor.expect(200, WriteApiRecipe, "GET", `/recipes/${id}`);
				assert.deepEqual(await put(world, recipe, 201, id), recipe);
			}
			const auth = await world.executor.expect(200, WriteAuthRecipe, "GET", "/auth-recipes/s3_keys");
			assert.deepEqual(
				await world.executor.expect(201, WriteAuthRecipe, "PUT", "/auth-recipes/s3_keys", { body: auth }),
				auth,
			);
		},
	},
	{
		name: "every operation of every seeded recipe sends the documented request, from a saved workflow",
		isLong: true,
		cites: ["EXEC-SEED-API-RECIPES"],
		async run(world) {
			const services = Map.groupBy(exchanges, ({ component }) => component.split(".")[0]);
			const listed = await list(world);
			assert.deepEqual([...services.keys()].sort(), listed.map(({ id }) => id).sort());
			assert.equal(exchanges.length, listed.flatMap(({ operations }) => operations).length);
			for (const ofOne of services.values()) await checkService(world, ofOne);
		},
	},
];

export const recipes: readonly Scenario[] = [
	...seeding,
	...own,
	...recipeFiles,
	...recipePages,
	...recipeImports,
].map((each) => onOwnService(onSeeded(each)));
