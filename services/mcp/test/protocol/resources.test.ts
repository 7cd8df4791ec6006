import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { StoreUnavailable } from "@tripline/store/client";
import { ERAS, LEGACY } from "../../../../test/mcp/wire.ts";
import type { ResourceSurface } from "../../src/protocol/surface.ts";
import { ToolProblem } from "../../src/tools/tool.ts";
import { createAsking } from "./asking.ts";

const entry = { uri: "tripline://entries/1", name: "1", mimeType: "text/plain" };
const resources: ResourceSurface = {
	async list(_, cursor) {
		if (cursor === undefined) return { resources: [entry], nextCursor: "second" };
		if (cursor === "second") return { resources: [{ ...entry, uri: "tripline://entries/2", name: "2" }] };
		throw new ToolProblem("cursor: unknown");
	},
	templates: [
		{
			uriTemplate: "tripline://entries/{id}",
			name: "entry",
			title: "Entry",
			description: "An entry by its id",
		},
	],
	async read(uri, { namespace }) {
		if (uri === "tripline://gone") throw new StoreUnavailable("10.0.0.1 did not answer");
		if (uri !== entry.uri) return null;
		return { contents: [{ uri, mimeType: "text/plain", text: `of ${namespace}` }], ttlMs: 7_000 };
	},
	complete: async (uriTemplate, argument, value) => [`${uriTemplate} ${argument} ${value}`],
};

describe("resources", () => {
	test("are listed page by page with the surface's own cursor", async () => {
		const { ask } = createAsking({ resources });
		for (const era of ERAS) {
			const first = (await ask("resources/list", {}, { era })).result;
			assert.deepEqual(first.resources, [entry]);
			assert.equal(first.nextCursor, "second");
			const second = (await ask("resources/list", { cursor: "second" }, { era })).result;
			assert.equal(second.resources[0]?.name, "2");
			assert.equal("nextCursor" in second, false);
		}
	});

	test("an invalid cursor gets -32602", async () => {
		const { error } = await createAsking({ resources }).ask("resources/list", { cursor: "third" });
		assert.deepEqual(error, { code: -32602, message: "cursor: unknown" });
	});

	test("templates are listed", async () => {
		const { ask } = createAsking({ resources });
		assert.deepEqual((await ask("resources/templates/list")).result.resourceTemplates, resources.templates);
		assert.equal((await ask("resources/templates/list", { cursor: "x" })).error.code, -32602);
	});

	test("are read as the calling tenant, with a cache lifetime in the modern era", async () => {
		const { ask } = createAsking({ resources });
		const sent = { namespace: "beta" };
		const { result } = await ask("resources/read", { uri: entry.uri }, sent);
		assert.deepEqual(result.contents, [{ uri: entry.uri, mimeType: "text/plain", text: "of beta" }]);
		assert.equal(result.ttlMs, 7_000);
		assert.equal(result.cacheScope, "private");
		const legacy = (await ask("resources/read", { uri: entry.uri }, { ...sent, era: LEGACY })).result;
		assert.deepEqual(legacy, { contents: [{ uri: entry.uri, mimeType: "text/plain", text: "of beta" }] });
	});

	test("an unknown resource is an error with its URI", async () => {
		const { ask } = createAsking({ resources });
		for (const era of ERAS) {
			const { error } = await ask("resources/read", { uri: "tripline://entries/9" }, { era });
			assert.equal(error.code, -32602);
			assert.deepEqual(error.data, { uri: "tripline://entries/9" });
		}
	});

	for (const params of [{}, { uri: 7 }]) {
		test(`the parameters ${JSON.stringify(params)} get -32602`, async () => {
			const { ask } = createAsking({ resources });
			assert.equal((await ask("resources/read", params, { era: LEGACY })).error.code, -32602);
		});
	}

	test("an unavailable store is logged and reported without details", async () => {
		const { ask, logged } = createAsking({ resources });
		const { error } = await ask("resources/read", { uri: "tripline://gone" });
		assert.equal(error.code, -32603);
		assert.match(error.message, /try again/);
		assert.doesNotMatch(error.message, /10\.0\.0\.1/);
		assert.equal(logged[0]?.fields?.request_id, "req-7");
	});

	test("completions of a template's argument come from the surface", async () => {
		const { ask } = createAsking({ resources });
		const argument = { name: "id", value: "a" };
		for (const era of ERAS) {
			const ref = { type: "ref/resource", uri: "tripline://entries/{id}" };
			assert.deepEqual((await ask("completion/complete", { ref, argument }, { era })).result.completion, {
				values: ["tripline://entries/{id} id a"],
				total: 1,
				hasMore: false,
			});
		}
		const ref = { type: "ref/resource", uri: "tripline://other/{id}" };
		assert.equal((await ask("completion/complete", { ref, argument })).error.code, -32602);
	});

	test("returns at most a hundred values, and says that there are more", async () => {
		const complete = async () => Array.from({ length: 250 }, (_, index) => String(index));
		const { ask } = createAsking({ resources: { ...resources, complete } });
		const ref = { type: "ref/resource", uri: "tripline://entries/{id}" };
		const { completion } = (await ask("completion/complete", { ref, argument: { name: "id", value: "" } }))
			.result;
		assert.equal(completion.values.length, 100);
		assert.deepEqual([completion.total, completion.hasMore], [250, true]);
	});
});
