import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { startWorld } from "./world.ts";

const world = await startWorld();

const SHOP = `
openapi: 3.0.3
info: { title: Shop API }
servers: [{ url: "https://shop.example/v1" }]
security: [{ key: [] }]
paths:
  /orders:
    get: { operationId: listOrders, tags: [orders], summary: List orders }
    post:
      operationId: createOrder
      tags: [orders]
      requestBody:
        content: { application/json: { schema: { properties: { item: { type: string, pattern: "^a" } } } } }
  /old:
    get: { operationId: oldOrders, deprecated: true }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Shop-Key }
`;
const files = { "shop.yaml": SHOP };

describe("recipe from-openapi", () => {
	test("lists the operations of a file", async () => {
		for (const flags of [[], ["--list"]]) {
			const { code, out, err } = await world.cli(["recipe", "from-openapi", "shop.yaml", ...flags], {
				files,
			});
			assert.equal(code, 0, err);
			assert.match(out, /^listOrders +orders +GET \/orders +List orders$/m);
			assert.match(out, /Shop API, OpenAPI 3\.0\.3: 2 operations, 1 deprecated ones left out/);
			assert.doesNotMatch(out, /oldOrders/);
		}
		const all = await world.cli(["recipe", "from-openapi", "shop.yaml", "--deprecated"], { files });
		assert.match(all.out, /oldOrders/);
	});

	test("shows the recipe of some operations, and stores it with --save", async () => {
		const env = { NAMESPACE: "importer" };
		const words = ["recipe", "from-openapi", "shop.yaml", "--operation", "orders", "--id", "shop"];
		const shown = await world.cli(words, { files, env });
		assert.equal(shown.code, 0, shown.err);
		assert.match(shown.out, /^recipe shop: Shop API$/m);
		assert.match(shown.out, /^auth recipe: shop_key, new: header for shop\.example$/m);
		assert.match(shown.out, /shop\.create_order {2}POST \/orders/);
		assert.match(shown.out, /pattern is not checked by recipes/);
		assert.match(shown.out, /nothing is stored yet: add --save/);
		assert.equal((await world.cli(["components", "show", "shop.list_orders"], { env })).code, 1);
		const stored = await world.cli([...words, "--save"], { files, env });
		assert.match(stored.out, /^stored the recipe shop: Shop API$/m);
		assert.match(stored.out, /tripline creds push --name <name> --recipe shop_key/);
		assert.equal((await world.cli(["components", "show", "shop.list_orders"], { env })).code, 0);
	});

	test("uses another server", async () => {
		const words = ["recipe", "from-openapi", "shop.yaml", "--operation", "listOrders", "--json"];
		const { json } = await world.cli([...words, "--server", "https://eu.shop.example"], { files });
		assert.equal((json as { recipe: { base_url: string } }).recipe.base_url, "https://eu.shop.example");
	});

	test("says what is wrong", async () => {
		const unknown = await world.cli(["recipe", "from-openapi", "shop.yaml", "--operation", "listOrder"], {
			files,
		});
		assert.equal(unknown.code, 1);
		assert.match(unknown.err, /has no operation "listOrder"\. Did you mean "listOrders"\?/);
		const saving = await world.cli(["recipe", "from-openapi", "shop.yaml", "--save"], { files });
		assert.equal(saving.code, 2);
		assert.match(saving.err, /--save needs --operation/);
		const absent = await world.cli(["recipe", "from-openapi", "none.yaml"]);
		assert.match(absent.err, /there is no file none\.yaml/);
		const inner = await world.cli(["recipe", "from-openapi", "http://169.254.169.254/openapi.json"]);
		assert.equal(inner.code, 1);
		assert.match(inner.err, /169\.254\.169\.254/);
	});
});
