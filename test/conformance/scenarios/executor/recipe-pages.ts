import assert from "node:assert/strict";
import { ComponentDetail, Validation } from "@tripline/contract/executor";
import { WriteApiRecipe } from "@tripline/contract/recipes";
import type { Scenario, World } from "../../scenario.ts";
import { putAuthRecipe, putCredential } from "./credential.ts";
import { openHost } from "./outside-host.ts";
import { createRow, failOnce, runOnce } from "./token-webhook.ts";

const shop = (host: string, operation: object) => ({
	title: "Shop",
	description: "Orders of a shop",
	auth: "shop-key",
	base_url: `https://${host}/v1`,
	operations: {
		list_orders: {
			title: "List orders",
			method: "GET",
			path: "/orders",
			params: { type: "object", properties: { after: { type: "string" } }, additionalProperties: false },
			query: { after: "{{params.after}}" },
			output: { schema: { type: "object", properties: { orders: { type: "array" } } } },
			error: "{{data.problem}}",
			...operation,
		},
	},
});

const put = async (world: World, host: string, operation: object) => {
	await putAuthRecipe(world, "shop-key", { type: "bearer", fields: ["token"], hosts: [host] });
	await putCredential(world, "mine", "shop-key", { token: "shop-token" });
	await world.executor.expect(201, WriteApiRecipe, "PUT", "/recipes/shop", { body: shop(host, operation) });
};

const listOrders = (settings: object) =>
	createRow({ orders: { component: "shop.list_orders", credential: "mine", ...settings } });

const byCursor = { by: "cursor", cursor: "next", param: "after", items: "orders" };

export const recipePages: readonly Scenario[] = [
	{
		name: "a node reads all pages of a recipe's operation, or a number of items, or one page",
		cites: [],
		async run(world) {
			const { host, url, seen } = openHost(world, (request) =>
				new URL(request.url).searchParams.has("after")
					? { json: { orders: [3], next: null } }
					: { json: { orders: [1, 2], next: "two" } },
			);
			await put(world, host, { paginate: byCursor });
			assert.deepEqual((await runOnce(world, listOrders({ paginate: "all" }), {})).data, [1, 2, 3]);
			assert.deepEqual(
				seen.map((sent) => [sent.url, sent.headers.authorization]),
				[
					[`${url}/v1/orders`, "Bearer shop-token"],
					[`${url}/v1/orders?after=two`, "Bearer shop-token"],
				],
			);
			assert.deepEqual((await runOnce(world, listOrders({ paginate: 2 }), {})).data, [1, 2]);
			assert.equal(seen.length, 3);
			assert.deepEqual((await runOnce(world, listOrders({}), {})).data, { orders: [1, 2], next: "two" });
			assert.equal(seen.length, 4);
		},
	},
	{
		name: "a recipe's pages are read at the recipe's hosts only, and each may report an error",
		cites: [],
		async run(world) {
			const elsewhere = openHost(world, undefined, `evil-${world.owner}.example.com`);
			const { host } = openHost(world, ({ url }) =>
				url.endsWith("/orders")
					? { json: [1], headers: { link: `<${elsewhere.url}/v1/orders?page=2>; rel="next"` } }
					: { json: { problem: "sold out" } },
			);
			await put(world, host, { paginate: { by: "link" } });
			const { error } = await failOnce(world, listOrders({ paginate: "all" }));
			assert.match(error ?? "", new RegExp(elsewhere.host));
			assert.deepEqual(elsewhere.seen, []);
			const failing = await failOnce(world, listOrders({ after: "x", paginate: "all" }));
			assert.equal(failing.error, "orders: sold out");
		},
	},
	{
		name: "a component has the parameter paginate if its operation has pages, and it is checked at save",
		cites: [],
		async run(world) {
			const { host } = openHost(world);
			await put(world, host, { paginate: byCursor });
			const { params } = await world.executor.expect(
				200,
				ComponentDetail,
				"GET",
				"/components/shop.list_orders",
			);
			assert.deepEqual(Object.keys(params.properties as object), ["after", "paginate"]);
			const validate = async (settings: object) => {
				const body = { name: "orders", description: "", version: "1", ...listOrders(settings) };
				const answer = await world.executor.expect(200, Validation, "POST", "/workflows/validate", { body });
				return answer.diagnostics.map(({ path }) => path);
			};
			assert.deepEqual(await validate({ paginate: 100 }), []);
			assert.deepEqual(await validate({ paginate: "some" }), ["config.orders.paginate"]);
			for (const [operation, path] of [
				[{ paginate: { ...byCursor, items: "a b" } }, "paginate.items"],
				[{ paginate: { by: "link" }, response: "file" }, "response"],
				[{ paginate: { by: "link", max_pages: 5 } }, "paginate.max_pages"],
			] as const) {
				const body = shop(host, operation);
				const { issues } = await world.executor.refuse(422, "PUT", "/recipes/shop", { body });
				assert.equal(issues?.[0]?.path, `operations.list_orders.${path}`, JSON.stringify(issues));
			}
		},
	},
];
