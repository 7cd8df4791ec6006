import { hashManifest } from "@tripline/components/installed/canonical";
import { Manifest } from "@tripline/contract/registry";

/** Valid extensions of a tenant. */
export const AUTH_RECIPE = {
	title: "Corner shop",
	type: "header",
	fields: [
		{ name: "token", secret: true, help: "Settings, API" },
		{ name: "region", secret: false, help: "Such as eu", optional: true },
	],
	hosts: ["api.shop.example", "{region}.shop.example"],
	inject: { headers: { "x-shop-token": "Token {token}" } },
};

export const API_RECIPE = {
	title: "Corner shop",
	description: "Orders of the corner shop",
	auth: null,
	base_url: "https://api.shop.example/v1",
	docs_url: "https://shop.example/docs",
	operations: {
		get_order: {
			title: "Get an order",
			method: "GET",
			path: "/orders/{id}",
			params: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
			query: { expand: ["lines", "{{params.id}}"] },
			headers: { "x-order": "{{params.id}}" },
			output: { value: { order: "{{data.order}}" }, schema: { type: "object" } },
			examples: [{ title: "An order", params: { id: "7" } }],
		},
		make_order: {
			title: "Make an order",
			method: "POST",
			path: "/orders",
			params: { type: "object", properties: { lines: { type: "array", items: {} } } },
			body: { kind: "json", value: { lines: "{{params.lines}}", deep: [{ a: 1 }] } },
			output: { schema: {} },
			expect: [201],
		},
	},
};

const SAME = { title: "Doubling", description: "Doubles a number", license: "MIT", tags: ["numbers"] };

/** Code that doubles its parameter `n`. */
export const CODE_MANIFEST = {
	...SAME,
	kind: "code",
	id: "doubling",
	version: "1.0.0",
	publisher: "the attacker",
	hosts: [] as string[],
	credentials: [] as string[],
	params: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
	output: { type: "number" },
	code: "return input.n * 2;",
	examples: [{ title: "Two", params: { n: 1 }, output: 2 }],
};

/** Adds the pin, which is the hash of the manifest as parsed by its schema. */
export async function pinManifest(manifest: object): Promise<{ version: string; sha256: string }> {
	const read = Manifest.parse(manifest);
	return { version: read.version, sha256: await hashManifest(read) };
}
