import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
	type ApiOperation,
	type ApiRecipe,
	type AuthRecipe,
	WriteApiRecipe,
} from "@tripline/contract/recipes";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileSource } from "@tripline/engine/compile";
import { createRecipeComponents } from "../../src/recipes/component.ts";
import { findApiRecipeProblems } from "../../src/recipes/problems.ts";
import { optional, recipeWith } from "./recipe.ts";
import { runComponent, type Settings } from "./run-component.ts";

type Paging = NonNullable<ApiOperation["paginate"]>;

const list = (paginate: Paging, operation: Partial<ApiOperation> = {}): ApiRecipe =>
	recipeWith({
		path: "/things",
		params: optional({ q: "string", after: "string", page: "integer" }),
		query: { q: "{{params.q}}", after: "{{params.after}}", page: "{{params.page}}" },
		paginate,
		...operation,
	});

function call(recipe: ApiRecipe, params: JsonObject, settings: Settings = {}) {
	const { id, ...written } = recipe;
	assert.deepEqual(WriteApiRecipe.parse(written), written);
	assert.deepEqual(findApiRecipeProblems(recipe), []);
	return runComponent(createRecipeComponents(recipe), "shop.do", params, settings);
}

const cursor: Paging = { by: "cursor", cursor: "next", param: "after", items: "things" };
const answers = [{ body: { things: [1, 2], next: "b" } }, { body: { things: [3, 4], next: null } }];

describe("a node whose operation has pages", () => {
	test("reads one page and returns the whole response unless it asks for more", async () => {
		const { output, calls } = await call(list(cursor), { q: "x" }, { answers });
		assert.deepEqual([output, calls.length], [{ things: [1, 2], next: "b" }, 1]);
	});

	test("returns the items of all pages", async () => {
		const { output, calls } = await call(list(cursor), { q: "x", paginate: "all" }, { answers });
		assert.deepEqual(output, [1, 2, 3, 4]);
		assert.deepEqual(
			calls.map(({ query, hosts }) => ({ query, hosts })),
			[
				{ query: { q: "x" }, hosts: ["api.example.com"] },
				{ query: { q: "x", after: "b" }, hosts: ["api.example.com"] },
			],
		);
	});

	test("starts at the cursor that it is given", async () => {
		const { calls } = await call(list(cursor), { after: "a", paginate: "all" }, { answers });
		assert.deepEqual(
			calls.map(({ query }) => query),
			[{ after: "a" }, { after: "b" }],
		);
	});

	test("stops at a number of items, and reads no page that it does not need", async () => {
		const one = await call(list(cursor), { paginate: 1 }, { answers });
		assert.deepEqual([one.output, one.calls.length], [[1], 1]);
		const three = await call(list(cursor), { paginate: "{{input.n}}" }, { answers, input: { n: 3 } });
		assert.deepEqual([three.output, three.calls.length], [[1, 2, 3], 2]);
		const many = await call(list(cursor), { paginate: 1000 }, { answers });
		assert.deepEqual(many.output, [1, 2, 3, 4]);
	});

	test("puts a cursor into the body", async () => {
		const recipe = list(
			{ by: "cursor", cursor: "next", body: "variables.after", items: "things" },
			{ method: "POST", query: {}, body: { kind: "json", value: { variables: { q: "{{params.q}}" } } } },
		);
		const { output, calls } = await call(recipe, { q: "x", paginate: "all" }, { answers });
		assert.deepEqual(output, [1, 2, 3, 4]);
		assert.deepEqual(calls[1]?.body, { kind: "json", value: { variables: { q: "x", after: "b" } } });
	});

	test("counts pages from the one that it is given", async () => {
		const recipe = list({ by: "page", param: "page", size_param: "size", size: 2 });
		const pages = [{ body: [1, 2] }, { body: [3] }];
		const all = await call(recipe, { paginate: "all" }, { answers: pages });
		assert.deepEqual(all.output, [1, 2, 3]);
		assert.deepEqual(
			all.calls.map(({ query }) => query),
			[
				{ page: 1, size: 2 },
				{ page: 2, size: 2 },
			],
		);
		const later = await call(recipe, { page: 7, paginate: "all" }, { answers: pages });
		assert.deepEqual(
			later.calls.map(({ query }) => query?.page),
			[7, 8],
		);
	});

	test("counts offsets in the body, from the one that it is given", async () => {
		const recipe = list(
			{ by: "page", body: "page.offset", start: 0, step: 2, size_body: "page.limit", size: 2 },
			{
				method: "POST",
				query: {},
				body: { kind: "json", value: { q: "{{params.q}}", page: { offset: "{{params.page}}" } } },
			},
		);
		const pages = [{ body: [1, 2] }, { body: [3, 4] }, { body: [5] }];
		const all = await call(recipe, { q: "x", paginate: "all" }, { answers: pages });
		assert.deepEqual(all.output, [1, 2, 3, 4, 5]);
		assert.deepEqual(
			all.calls.map(({ body }) => body),
			[0, 2, 4].map((offset) => ({ kind: "json", value: { q: "x", page: { offset, limit: 2 } } })),
		);
		const later = await call(recipe, { page: 7, paginate: 3 }, { answers: pages });
		assert.deepEqual(
			later.calls.map(({ body }) => body?.kind === "json" && body.value),
			[7, 9].map((offset) => ({ page: { offset, limit: 2 } })),
		);
	});

	test("takes a page without the list as empty only if the operation says so", async () => {
		const pages = [{ body: { next: "b" } }, { body: { things: null, next: "c" } }, { body: { things: [1] } }];
		const { output } = await call(
			list({ ...cursor, optional_items: true }),
			{ paginate: "all" },
			{ answers: pages },
		);
		assert.deepEqual(output, [1]);
		const { error } = await call(list(cursor), { paginate: "all" }, { answers: pages });
		assert.match(error ?? "", /^things of page 1 must be a list, but is missing/);
	});

	test("reads items of the response, whatever the output of one page is", async () => {
		const recipe = list(cursor, { output: { value: { first: "{{data.things[0]}}" }, schema: {} } });
		assert.deepEqual((await call(recipe, {}, { answers })).output, { first: 1 });
		assert.deepEqual((await call(recipe, { paginate: "all" }, { answers })).output, [1, 2, 3, 4]);
	});

	test("fails if any page reports an error, by its status or in its body", async () => {
		const recipe = list(cursor, { error: "Shop: {{data.error}}" });
		const [first = {}] = answers;
		const reported = await call(
			recipe,
			{ paginate: "all" },
			{ answers: [first, { body: { error: "no more" } }] },
		);
		assert.equal(reported.error, "Shop: no more");
		const refused = await call(
			recipe,
			{ paginate: "all" },
			{ answers: [first, { status: 403, body: "stop" }] },
		);
		assert.equal(refused.error, "the response was 403 Forbidden: stop");
	});

	test("fails beyond 100 pages or 1 MiB, rather than return a part", async () => {
		const endless = Array.from({ length: 101 }, (_, index) => ({
			body: { things: [index], next: index + 1 },
		}));
		for (const paginate of ["all", 101] as const) {
			const { error, calls } = await call(list(cursor), { paginate }, { answers: endless });
			assert.equal(
				error,
				"there are more than 100 pages; read fewer with a number in paginate, or ask for less",
			);
			assert.equal(calls.length, 100);
		}
		assert.equal((await call(list(cursor), { paginate: 100 }, { answers: endless })).error, undefined);
		const large = endless.map(({ body }) => ({ body: { ...body, things: ["x".repeat(400_000)] } }));
		const { error } = await call(list(cursor), { paginate: "all" }, { answers: large });
		assert.match(
			error ?? "",
			/^the items are larger than 1 MiB together at page 3; read fewer with a number/,
		);
	});

	test("checks what it asks for before the run", async () => {
		for (const paginate of ["every", 0, 100_001, 1.5, true, { by: "link" }]) {
			const { error, calls } = await call(list(cursor), { paginate });
			assert.match(error ?? "", /^parameter "paginate"/, JSON.stringify(paginate));
			assert.deepEqual(calls, []);
		}
		const { error } = await call(recipeWith(), { id: "a", paginate: "all" });
		assert.match(error ?? "", /^unknown parameter "paginate"/);
	});
});

describe("an operation with pages", () => {
	const compile = (recipe: ApiRecipe, params: JsonObject, text: string) => {
		const components = createRecipeComponents(recipe);
		const catalogue = {
			ids: () => components.map(({ id }) => id),
			get: (id: string) => components.find((component) => component.id === id),
		};
		const config = { first: { component: "shop.do", ...params }, second: { component: "shop.do", q: text } };
		const json = { triplets: ["first >> then >> second"], config };
		return compileSource({ json }, { catalogue, named: false }).diagnostics.map(({ message }) => message);
	};
	const things = { type: "array", items: { type: "object", properties: { id: { type: "string" } } } };
	const schema: JsonObject = { type: "object", properties: { things, next: { type: "string" } } };
	const typed = list(cursor, { output: { schema } });

	test("describes the parameter, which other operations do not have", () => {
		const [component] = createRecipeComponents(list(cursor));
		const properties = component?.schemas?.params.properties as JsonObject;
		assert.deepEqual(Object.keys(properties), ["q", "after", "page", "paginate"]);
		assert.deepEqual(createRecipeComponents(recipeWith())[0]?.schemas?.params.properties, {
			id: { type: "string" },
		});
	});

	test("has an output whose type depends on the parameter", () => {
		assert.deepEqual(compile(typed, {}, "{{first.things[0].id}}"), []);
		assert.deepEqual(compile(typed, { paginate: "all" }, "{{first[0].id}}"), []);
		assert.match(
			compile(typed, { paginate: "all" }, "{{first.things}}").join(),
			/"first" is a list, not an object/,
		);
		const closed = { ...things, items: { ...things.items, additionalProperties: false } };
		const strict = list(cursor, { output: { schema: { type: "object", properties: { things: closed } } } });
		assert.match(compile(strict, { paginate: "all" }, "{{first[0].idd}}").join(), /idd/);
	});

	test("may have examples with it", () => {
		const examples = [{ title: "All", params: { paginate: "all" } }];
		assert.deepEqual(findApiRecipeProblems(list(cursor, { examples })), []);
	});
});

describe("the problems of an operation with pages", () => {
	const link: Paging = { by: "link" };
	const wrong: [string, Partial<ApiOperation>, string][] = [
		[
			"a path that is none",
			{ paginate: { ...cursor, items: "a | first" } },
			'paginate.items: must be a path such as data.items or page["next cursor"]',
		],
		[
			"a forbidden path",
			{ paginate: { by: "link", url: "__proto__.x" } },
			'paginate.url: must be a path such as data.items or page["next cursor"]',
		],
		[
			"a parameter of that name",
			{ paginate: link, params: optional({ paginate: "string" }), query: {} },
			"params.properties.paginate: is set by nodes to read pages: use another name",
		],
		[
			"a response that is a file",
			{ paginate: link, response: "file" },
			"response: must be json to read pages",
		],
		["a response that is text", { paginate: link, response: "text" }, "response: must be json to read pages"],
		[
			"HEAD",
			{ paginate: cursor, method: "HEAD" },
			"method: must not be HEAD to read pages: its response has no body",
		],
		["links of a POST", { paginate: link, method: "POST" }, "method: must be GET to follow links"],
		[
			"a cursor for a body that is no object",
			{
				paginate: { by: "cursor", cursor: "next", body: "after", items: "things" },
				method: "POST",
				body: { kind: "text", text: "x" },
			},
			"body: must be a JSON object, because paginate.body is a path in it",
		],
		[
			"a size for a request without a body",
			{ paginate: { by: "page", param: "page", size_body: "limit", size: 2 } },
			"body: must be a JSON object, because paginate.size_body is a path in it",
		],
		[
			"a file that would be sent again",
			{ paginate: cursor, method: "POST", body: { kind: "file", file: "{{params.q}}" } },
			"body: must not contain files: it is sent for every page",
		],
		[
			"a query parameter with a fixed value",
			{ paginate: cursor, query: { after: "start" } },
			"paginate.param: is a query parameter to which the operation gives a fixed value",
		],
		[
			"one query parameter for two things",
			{ paginate: { by: "page", param: "page", size_param: "page", size: 2 } },
			"paginate.size_param: must not be the same as param",
		],
	];
	for (const [what, operation, message] of wrong) {
		test(`name ${what}`, () => {
			const problems = findApiRecipeProblems(list(link, operation));
			assert.deepEqual(
				problems.map((problem) => `${problem.path}: ${problem.message}`),
				[`operations.do.${message}`],
			);
		});
	}

	test("name the query parameter of the credential", () => {
		const auth: AuthRecipe = {
			id: "shop_key",
			title: "Shop key",
			type: "query",
			fields: [{ name: "key", secret: true, help: "" }],
			hosts: ["api.example.com"],
			inject: { query: { after: "{key}" } },
		};
		assert.deepEqual(findApiRecipeProblems({ ...list(cursor), auth: "shop_key" }, [auth]), [
			{
				path: "operations.do.paginate.param",
				message: "is the query parameter that the auth recipe shop_key sets",
			},
		]);
	});

	test("are found by the schema if its words do not fit together", () => {
		const unfit: [object, RegExp][] = [
			[{ by: "cursor", cursor: "a", items: "b" }, /param or body|or body must say/],
			[{ by: "cursor", cursor: "a", last: "b", items: "c", param: "d" }, /or last must say/],
			[{ by: "cursor", param: "d" }, /or last must say/],
			[{ by: "cursor", cursor: "a", param: "d" }, /is required with cursor/],
			[{ by: "page", param: "p", size_param: "s" }, /needs size/],
			[{ by: "page", param: "p", size_body: "s" }, /needs size/],
			[
				{ by: "page", param: "p", size_param: "s", size_body: "s", size: 2 },
				/must not be set with size_param/,
			],
			[{ by: "page" }, /or body must say where the number goes/],
			[{ by: "page", param: "p", body: "p" }, /or body must say where the number goes/],
			[{ by: "link", max_pages: 3 }, /max_pages/],
			[{ by: "link", limit: 3 }, /limit/],
			[{ by: "token" }, /by/],
		];
		for (const [paginate, message] of unfit) {
			const { id: _, ...written } = list(paginate as Paging);
			assert.match(String(WriteApiRecipe.safeParse(written).error), message);
		}
	});
});
