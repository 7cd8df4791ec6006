import assert from "node:assert/strict";
import { ComponentDetail } from "@tripline/contract/executor";
import { DescribedOperations, ImportedRecipe } from "@tripline/contract/openapi";
import { ApiRecipeList, AuthRecipeList, WriteAuthRecipe } from "@tripline/contract/recipes";
import type { Scenario, World } from "../../scenario.ts";
import { putAuthRecipe, putCredential } from "./credential.ts";
import { openHost } from "./outside-host.ts";
import { otherTenant } from "./saving.ts";
import { createRow, failOnce, runOnce } from "./token-webhook.ts";

const describeShop = (host: string, more: object = {}) => ({
	openapi: "3.0.3",
	info: { title: "Shop API", description: "Orders of a shop" },
	servers: [{ url: `https://${host}/v1` }],
	security: [{ token: [] }],
	paths: {
		"/orders": {
			get: {
				operationId: "listOrders",
				tags: ["orders"],
				parameters: [{ name: "cursor", in: "query", schema: { type: "string" } }],
				responses: {
					200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Page" } } } },
				},
			},
			post: {
				operationId: "createOrder",
				tags: ["orders"],
				summary: "Create an order",
				requestBody: {
					required: true,
					content: {
						"application/json": {
							schema: {
								type: "object",
								required: ["item"],
								properties: {
									item: { type: "string", pattern: "^[a-z]+$" },
									count: { type: "integer", minimum: 1 },
								},
							},
						},
					},
				},
				responses: { 201: { description: "Created" } },
			},
		},
		"/old": { get: { operationId: "old", deprecated: true, responses: {} } },
	},
	components: {
		securitySchemes: { token: { type: "http", scheme: "bearer" } },
		schemas: {
			Page: {
				type: "object",
				properties: {
					orders: { type: "array", items: { type: "integer" } },
					next_cursor: { type: "string" },
				},
			},
		},
	},
	...more,
});

const list = (world: World, body: object) =>
	world.executor.expect(200, DescribedOperations, "POST", "/recipes/from-openapi", { body });
const importRecipe = (world: World, body: object) =>
	world.executor.expect(200, ImportedRecipe, "POST", "/recipes/from-openapi", { body });
const refuse = async (world: World, body: object, status = 422) => {
	const { error, issues } = await world.executor.refuse(status, "POST", "/recipes/from-openapi", { body });
	return issues?.map(({ path, message }) => `${path}: ${message}`).join("\n") ?? error;
};

export const recipeImports: readonly Scenario[] = [
	{
		name: "an OpenAPI description lists its operations, without deprecated ones",
		cites: [],
		async run(world) {
			const description = JSON.stringify(describeShop("shop.example.com"));
			const { title, version, servers, operations, deprecated } = await list(world, { description });
			assert.deepEqual(
				[title, version, servers, deprecated],
				["Shop API", "3.0.3", ["https://shop.example.com/v1"], 1],
			);
			assert.deepEqual(
				operations.map(({ id, name, method, path, tag }) => [id, name, method, path, tag]),
				[
					["listOrders", "list_orders", "GET", "/orders", "orders"],
					["createOrder", "create_order", "POST", "/orders", "orders"],
				],
			);
			assert.equal((await list(world, { description, deprecated: true })).operations.length, 3);
		},
	},
	{
		name: "a recipe from an OpenAPI description is stored with its auth recipe, and its operations run",
		cites: [],
		async run(world) {
			const { host, url, seen } = openHost(world, ({ method, url: address }) => {
				if (method === "POST") return { status: 201, json: { id: 7 } };
				return address.includes("cursor")
					? { json: { orders: [3] } }
					: { json: { orders: [1, 2], next_cursor: "two" } };
			});
			const description = JSON.stringify(describeShop(host));
			const request = { description, operations: ["orders"] };
			const { recipe, auth_recipe, not_understood, saved } = await importRecipe(world, request);
			assert.deepEqual(
				[recipe.id, recipe.auth, auth_recipe?.hosts, saved],
				["shop", "shop_token", [host], false],
			);
			assert.deepEqual(
				not_understood.map(({ message }) => message),
				["pattern is not checked by recipes and is left out"],
			);
			const stored = await world.executor.expect(200, ApiRecipeList, "GET", "/recipes");
			assert.ok(!stored.recipes.some(({ id }) => id === "shop"));

			assert.ok((await importRecipe(world, { ...request, save: true })).saved);
			await putCredential(world, "mine", "shop_token", { token: "secret-token" });
			const orders = { component: "shop.list_orders", credential: "mine", paginate: "all" };
			assert.deepEqual((await runOnce(world, createRow({ orders }), {})).data, [1, 2, 3]);
			const order = { component: "shop.create_order", credential: "mine", item: "tea", count: 2 };
			assert.deepEqual((await runOnce(world, createRow({ order }), {})).data, { id: 7 });
			assert.deepEqual(
				seen.map((sent) => [sent.method, sent.url, sent.headers.authorization, sent.body]),
				[
					["GET", `${url}/v1/orders`, "Bearer secret-token", ""],
					["GET", `${url}/v1/orders?cursor=two`, "Bearer secret-token", ""],
					["POST", `${url}/v1/orders`, "Bearer secret-token", '{"item":"tea","count":2}'],
				],
			);
			const headers = otherTenant(world);
			await world.anyone.refuse(404, "GET", "/recipes/shop", { headers });
			await world.anyone.refuse(404, "GET", "/auth-recipes/shop_token", { headers });
		},
	},
	{
		name: "a description is read from an address, as YAML too, and its servers may be relative to it",
		cites: [],
		async run(world) {
			const yaml = `
openapi: 3.1.0
info: { title: Weather }
servers:
  - url: /api
paths:
  /weather/{place}:
    get:
      summary: |
        Weather
      parameters:
        - { name: place, in: path, required: true, schema: { type: string } }
      responses: {}
`;
			const { host, url, seen } = openHost(world, ({ url: address }) =>
				address.endsWith(".yaml") ? { body: yaml } : { json: { sunny: true } },
			);
			const request = { url: `${url}/docs/openapi.yaml`, operations: ["/weather/{place}"], save: true };
			const { recipe, auth_recipe } = await importRecipe(world, request);
			assert.deepEqual([recipe.base_url, auth_recipe], [`https://${host}/api`, null]);
			const weather = { component: "weather.get_weather", place: "Ulm" };
			assert.deepEqual((await runOnce(world, createRow({ weather }), {})).data, { sunny: true });
			assert.equal(seen.at(-1)?.url, `${url}/api/weather/Ulm`);
		},
	},
	{
		name: "a known auth recipe is attached only if its hosts cover the server, and none is replaced",
		cites: [],
		async run(world) {
			const { host } = openHost(world);
			const request = (server: string) => ({
				description: JSON.stringify(describeShop(server)),
				id: "shop",
				operations: ["createOrder"],
				save: true,
			});
			await putAuthRecipe(world, "shop_token", { type: "bearer", fields: ["token"], hosts: [host] });
			const same = await importRecipe(world, request(host));
			assert.deepEqual([same.recipe.auth, same.auth_recipe], ["shop_token", null]);
			const elsewhere = await importRecipe(world, request(`evil-${host}`));
			assert.deepEqual([elsewhere.recipe.auth, elsewhere.auth_recipe?.id], ["shop_token_2", "shop_token_2"]);
			const kept = await world.executor.expect(200, WriteAuthRecipe, "GET", "/auth-recipes/shop_token");
			assert.deepEqual(kept.hosts, [host]);
			const github = await importRecipe(world, {
				...request("api.github.com"),
				save: false,
			});
			assert.ok([github.recipe.auth].flat().includes("github_token"), JSON.stringify(github.recipe.auth));
			const { auth_recipes } = await world.executor.expect(200, AuthRecipeList, "GET", "/auth-recipes");
			assert.deepEqual(
				auth_recipes.filter(({ source }) => source === "own").map(({ id }) => id),
				["shop_token", "shop_token_2"],
			);
		},
	},
	{
		name: "a seeded recipe is not shadowed by an import without an id",
		cites: [],
		async run(world) {
			const described = describeShop("stripe.example.com", { info: { title: "Stripe API" } });
			const request = { description: JSON.stringify(described), operations: ["createOrder"] };
			assert.equal((await importRecipe(world, request)).recipe.id, "stripe_2");
			assert.equal((await importRecipe(world, { ...request, id: "stripe" })).recipe.id, "stripe");
			await world.executor.refuse(409, "POST", "/recipes/from-openapi", {
				body: { ...request, id: "http_request", save: true },
			});
		},
	},
	{
		name: "descriptions are not read from addresses that workflows may not call",
		cites: [],
		async run(world) {
			for (const url of [
				"http://127.0.0.1:1/openapi.json",
				"http://[::1]/openapi.json",
				"http://169.254.169.254/latest/meta-data",
				"http://localhost/openapi.json",
			])
				assert.match(await refuse(world, { url }), /^url: /, url);
			assert.match(await refuse(world, { url: "file:///etc/passwd" }), /^url: must be an address/);
			const { url } = openHost(world, () => ({
				status: 302,
				headers: { location: "http://127.0.0.1:1/openapi.json" },
			}));
			assert.match(await refuse(world, { url: `${url}/openapi.json` }), /^url: /);
		},
	},
	{
		name: "a recipe whose server is an inner address is refused when it runs",
		cites: [],
		async run(world) {
			const inner = describeShop("x", { servers: [{ url: "http://127.0.0.1:1/v1" }], security: [] });
			const request = { description: JSON.stringify(inner), operations: ["listOrders"], save: true };
			assert.equal((await importRecipe(world, request)).recipe.base_url, "http://127.0.0.1:1/v1");
			const { error } = await failOnce(world, createRow({ orders: { component: "shop.list_orders" } }));
			assert.match(error ?? "", /127\.0\.0\.1/);
		},
	},
	{
		name: "hostile descriptions are refused with a reason",
		cites: [],
		async run(world) {
			const shop = (more: object) => JSON.stringify(describeShop("shop.example.com", more));
			const bomb = Array.from({ length: 12 }, (_, n) => {
				const items = Array.from({ length: 10 }, () => (n === 0 ? "x" : `*a${n - 1}`)).join(", ");
				return `a${n}: &a${n} [${items}]`;
			});
			const paths = (count: number) =>
				Object.fromEntries(Array.from({ length: count }, (_, n) => [`/p${n}`, { get: {} }]));
			const cases: [string, RegExp][] = [
				["[1, 2]", /must be an object/],
				["just text", /must be an object|neither/],
				['{"openapi": "3.0.0"', /JSON cannot be read/],
				['{"info": {}}', /neither "openapi" nor "swagger"/],
				['{"openapi": "4.0.0"}', /not supported/],
				[`{"openapi": "3.0.0", "__proto__": {"x": 1}}`, /__proto__/],
				[`openapi: 3.0.0\n${bomb.join("\n")}\n`, /too long|can be read only in short/],
				[`{"openapi": "3.0.0", "x": ${"[".repeat(5_000)}${"]".repeat(5_000)}}`, /nests/],
				[shop({ paths: paths(10_001) }), /more than 10000 operations/],
			];
			for (const [description, message] of cases)
				assert.match(await refuse(world, { description }), message, description.slice(0, 60));
			const cyclic = shop({
				components: { schemas: { Page: { $ref: "#/components/schemas/Page" } }, securitySchemes: {} },
				security: [],
			});
			const { not_understood } = await importRecipe(world, {
				description: cyclic,
				operations: ["listOrders"],
			});
			assert.ok(not_understood.some(({ message }) => /refers to itself/.test(message)));
			assert.match(
				await refuse(world, { description: shop({}), operations: ["listOrder"] }),
				/Did you mean "listOrders"/,
			);
			assert.match(await refuse(world, {}), /description: or url/);
			assert.match(
				await refuse(world, { description: "x", url: "https://example.com" }),
				/description: or url/,
			);
			assert.match(await refuse(world, { description: "x", save: true }), /operations: is required/);
			const nul = shop({ info: { title: "a\u0000b" } });
			assert.match(await refuse(world, { description: nul, operations: ["createOrder"] }), /NUL/);
		},
	},
	{
		name: "a description beyond the limit is refused, and a large one within it is read",
		cites: [],
		async run(world) {
			const padding = "x".repeat(1_500_000);
			const large = JSON.stringify(describeShop("shop.example.com", { "x-padding": padding }));
			const { operations } = await list(world, { description: large });
			assert.equal(operations.length, 2);
			// A Worker refuses by the announced length, and a long body may still be on its way when the connection ends.
			const tooLarge = (world.target.isolatesRequests ? 3 : 21) * 1024 * 1024;
			const raw = JSON.stringify({ description: "x".repeat(tooLarge) });
			await world.executor.refuse(413, "POST", "/recipes/from-openapi", { raw });
			const { host, url } = openHost(world, () => ({ body: "x".repeat(17 * 1024 * 1024) }));
			assert.match(
				await refuse(world, { url: `${url}/openapi.json` }),
				new RegExp(`^url: .*(?:${host}|larger|bytes)`),
			);
		},
	},
	{
		name: "the operations of an imported recipe are components with the description's parameters",
		cites: [],
		async run(world) {
			const description = JSON.stringify(describeShop("shop.example.com"));
			await importRecipe(world, { description, operations: ["POST /orders"], save: true });
			const { params, title, hosts, auth_recipes } = await world.executor.expect(
				200,
				ComponentDetail,
				"GET",
				"/components/shop.create_order",
			);
			assert.deepEqual(
				[title, hosts, auth_recipes],
				["Shop API: Create an order", ["shop.example.com"], ["shop_token"]],
			);
			assert.deepEqual(params.required, ["item"]);
			assert.deepEqual(params.properties, {
				item: { type: "string" },
				count: { type: "integer", minimum: 1 },
			});
		},
	},
];
