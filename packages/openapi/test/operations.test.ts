import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@tripline/contract/workflows";
import { readDescription } from "../src/description.ts";
import { listOperations } from "../src/operations.ts";
import { createMeter, describeThings, make } from "./make.ts";

async function list(paths: JsonObject, options = {}) {
	const meter = createMeter();
	const description = await readDescription(JSON.stringify(describeThings({}, { paths })), meter);
	return listOperations(description, meter, options);
}

describe("operations", () => {
	test("are listed in the order of the description, with names", async () => {
		const { operations } = await list({
			"/b": { get: { operationId: "listBThings", summary: " List\nthem ", tags: ["b"] } },
			"/a/{id}": { delete: {}, get: {} },
		});
		assert.deepEqual(
			operations.map(({ id, name, title, tag }) => [id, name, title, tag]),
			[
				["listBThings", "list_b_things", "List them", "b"],
				["GET /a/{id}", "get_a", "GET /a/{id}", null],
				["DELETE /a/{id}", "delete_a", "DELETE /a/{id}", null],
			],
		);
	});

	test("with the same id are told apart by their requests", async () => {
		const { operations } = await list({ "/a": { get: { operationId: "x" }, put: { operationId: "x" } } });
		assert.deepEqual(
			operations.map(({ id, name }) => [id, name]),
			[
				["GET /a", "x"],
				["PUT /a", "x_2"],
			],
		);
	});

	test("that are deprecated are counted, and listed only if asked for", async () => {
		const paths = { "/a": { get: { deprecated: true }, put: {} } };
		const { operations, deprecated } = await list(paths);
		assert.deepEqual([operations.length, deprecated], [1, 1]);
		assert.equal((await list(paths, { deprecated: true })).operations.length, 2);
	});

	test("of a shared path item are found", async () => {
		const { operations } = await list({ "/a": { $ref: "#/paths/~1b" }, "/b": { get: {} } });
		assert.deepEqual(
			operations.map(({ path }) => path),
			["/a", "/b"],
		);
	});

	test("more than ten thousand are refused", async () => {
		const paths = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`/p${n}`, { get: {} }]));
		await assert.rejects(list(paths), /more than 10000 operations/);
	});

	const choose = async (...operations: string[]) => {
		const paths = {
			"/a": { get: { operationId: "getA", tags: ["t"] }, put: { operationId: "putA", deprecated: true } },
			"/b": { get: { operationId: "getB", tags: ["t"] } },
		};
		return Object.keys((await make(describeThings({}, { paths }), { operations })).recipe.operations);
	};
	for (const [wanted, chosen] of [
		["getA", ["get_a"]],
		["get_a", ["get_a"]],
		["PUT /a", ["put_a"]],
		["/a", ["get_a"]],
		["t", ["get_a", "get_b"]],
	] as const)
		test(`are chosen by ${wanted}`, async () => assert.deepEqual(await choose(wanted), chosen));

	test("that do not exist are refused with the nearest one", () =>
		assert.rejects(choose("getC"), /no operation "getC".*Did you mean "get[AB]"/));

	test("are at most fifty in a recipe", async () => {
		const paths = Object.fromEntries(
			Array.from({ length: 51 }, (_, n) => [`/p${n}`, { get: { tags: ["all"] } }]),
		);
		await assert.rejects(
			make(describeThings({}, { paths }), { operations: ["all"] }),
			/these are 51 operations; a recipe has at most 50/,
		);
	});
});

describe("a recipe", () => {
	test("has its id from the title", async () => {
		for (const [title, id] of [
			["The GitHub v3 REST API", "github"],
			["Pet Store", "pet_store"],
			["", "api"],
			["Überweisung", "uberweisung"],
		] as const)
			assert.equal((await make(describeThings({}, { info: { title } }))).recipe.id, id);
	});

	test("of large operations has fewer details, which is noted, and stays small", async () => {
		const deep = (levels: number): JsonObject =>
			levels === 0
				? { type: "string", description: "d".repeat(300) }
				: {
						type: "object",
						properties: Object.fromEntries(Array.from({ length: 4 }, (_, n) => [`p${n}`, deep(levels - 1)])),
					};
		const responses = { 200: { content: { "application/json": { schema: deep(4) } } } };
		const paths = Object.fromEntries(
			Array.from({ length: 20 }, (_, n) => [`/p${n}`, { get: { tags: ["all"], responses } }]),
		);
		const { recipe, not_understood } = await make(describeThings({}, { paths }), { operations: ["all"] });
		assert.equal(Object.keys(recipe.operations).length, 20);
		assert.ok(JSON.stringify(recipe).length < 256 * 1024);
		assert.ok(not_understood.some(({ message }) => /fewer details/.test(message)));
	});

	test("leaves out operations of another server, which is noted", async () => {
		const paths = {
			"/a": { get: { tags: ["all"] } },
			"/b": { get: { tags: ["all"], servers: [{ url: "https://upload.example.com" }] } },
		};
		const { recipe, not_understood } = await make(describeThings({}, { paths }), { operations: ["all"] });
		assert.deepEqual(Object.keys(recipe.operations), ["get_a"]);
		assert.match(not_understood[0]?.message ?? "", /has another server/);
	});
});
