import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { ApiOperation, ApiRecipe } from "@tripline/contract/recipes";
import type { JsonObject } from "@tripline/contract/workflows";
import fc from "fast-check";
import { createRecipeComponents } from "../../src/recipes/component.ts";
import { findApiRecipeProblems } from "../../src/recipes/problems.ts";
import { optional, recipeWith } from "./recipe.ts";
import { runComponent, type Settings } from "./run-component.ts";

function call(recipe: ApiRecipe, params: JsonObject, settings: Settings = {}) {
	assert.deepEqual(findApiRecipeProblems(recipe), []);
	return runComponent(createRecipeComponents(recipe), "shop.do", params, settings);
}

/** The URL that is called with these values, passed through templates like user data; or the error. */
async function resolveUrl(operation: Partial<ApiOperation>, input: JsonObject): Promise<string> {
	const params = Object.fromEntries(Object.keys(input).map((name) => [name, `{{input.${name}}}`]));
	const { calls, error } = await call(recipeWith(operation), params, { input });
	if (error !== undefined) return error;
	return calls[0]?.url ?? "no call";
}

const anyPath: Partial<ApiOperation> = { path: "/files/{+id}" };

describe("an operation of an API recipe", () => {
	test("is a component that declares its parameters, output and hosts", () => {
		const examples = [{ title: "One", params: { id: "a" } }];
		const recipe = recipeWith({ examples }, { auth: "shop_key", base_url: "https://api.example.com:8443" });
		const [component] = createRecipeComponents(recipe);
		assert.equal(component?.id, "shop.do");
		assert.equal(component?.title, "Shop: Get a thing");
		assert.deepEqual(component?.hosts, ["api.example.com:8443"]);
		assert.equal(component?.takesCredentials, false);
		assert.deepEqual(component?.authRecipes, ["shop_key"]);
		assert.deepEqual(component?.schemas?.params, recipe.operations.do?.params);
		assert.deepEqual(component?.examples, [{ title: "One", params: { id: "a", credential: "my_shop_key" } }]);
	});

	test("uses the auth recipe's hosts if a credential field sets the host", () => {
		const recipe = recipeWith({}, { auth: "shop_key", base_url: "https://{{credential.host}}/api" });
		assert.deepEqual(createRecipeComponents(recipe, { authHosts: ["{host}"] })[0]?.hosts, ["{host}"]);
	});

	test("calls the base URL with its path and returns the response", async () => {
		const ran = await call(recipeWith(), { id: "a1" }, { answers: [{ body: { name: "Tea" } }] });
		assert.deepEqual(ran.output, { name: "Tea" });
		assert.deepEqual(ran.calls, [
			{
				method: "GET",
				url: "https://api.example.com/v1/things/a1",
				query: {},
				headers: {},
				credential: undefined,
				authRecipes: [],
				hosts: ["api.example.com"],
			},
		]);
	});

	test("rejects unknown parameters before the run, with a suggestion", async () => {
		const { error, calls } = await call(recipeWith(), { id: "a", idd: 1 });
		assert.equal(error, 'unknown parameter "idd" (Did you mean "id"?)');
		assert.deepEqual(calls, []);
		assert.equal((await call(recipeWith(), {})).error, 'parameter "id" is required');
		assert.equal((await call(recipeWith(), { id: 5 })).error, 'parameter "id" must be text, but is a number');
	});

	test("checks parameters again after their templates are evaluated", async () => {
		const { error } = await call(recipeWith(), { id: "{{input.n}}" }, { input: { n: 5 } });
		assert.equal(error, 'parameter "id" must be text, but is a number');
	});

	test("never reads a parameter's value as a template or a credential", async () => {
		const text = "{{credential.github}} {{params.id}}";
		const { calls } = await call(recipeWith(), { id: "{{input.text}}" }, { input: { text } });
		assert.equal(calls[0]?.url, `https://api.example.com/v1/things/${encodeURIComponent(text)}`);
	});

	test("does not allow a credential in its parameters", async () => {
		const recipe = recipeWith({}, { auth: "shop_key" });
		const { error } = await call(recipe, { id: "{{credential.other}}" });
		assert.match(error ?? "", /a credential cannot be read here/);
	});
});

describe("the path of an operation", () => {
	const hostile: [string, string][] = [
		["../admin", "https://api.example.com/v1/things/..%2Fadmin"],
		["a/b", "https://api.example.com/v1/things/a%2Fb"],
		["%2f%2e%2e", "https://api.example.com/v1/things/%252f%252e%252e"],
		["a?b=c#d", "https://api.example.com/v1/things/a%3Fb%3Dc%23d"],
		["\\..\\", "https://api.example.com/v1/things/%5C..%5C"],
		["@evil.example", "https://api.example.com/v1/things/%40evil.example"],
		["a\r\nHost: b", "https://api.example.com/v1/things/a%0D%0AHost%3A%20b"],
		["...", "https://api.example.com/v1/things/..."],
		["", 'parameter "id" goes into the path and must not be empty'],
		[".", "a parameter of the path must not be . or .."],
		["..", "a parameter of the path must not be . or .."],
		["\ud800", 'parameter "id" contains a lone surrogate (half a character)'],
	];
	for (const [value, expected] of hostile) {
		test(`keeps ${JSON.stringify(value)} in one segment, or rejects it`, async () => {
			assert.equal(await resolveUrl({}, { id: value }), expected);
		});
	}

	test("doubles quotes between quotes, as OData writes them", async () => {
		const search = { path: "/things/search(q='{id}')" };
		const base = "https://api.example.com/v1/things/search";
		assert.equal(await resolveUrl(search, { id: "O'Brien')" }), `${base}(q='O''Brien'')')`);
		assert.equal(
			await resolveUrl({ path: "/things/'{id}" }, { id: "a'b" }),
			"https://api.example.com/v1/things/'a'b",
		);
	});

	test("can keep slashes, but never leads upwards", async () => {
		assert.equal(
			await resolveUrl(anyPath, { id: "a/b c/ü.md" }),
			"https://api.example.com/v1/files/a/b%20c/%C3%BC.md",
		);
		for (const id of ["../x", "a/../b", "a/..", "./a"]) {
			assert.equal(await resolveUrl(anyPath, { id }), "a parameter of the path must not be . or ..");
		}
		assert.equal(
			await resolveUrl(anyPath, { id: "/evil.example" }),
			"https://api.example.com/v1/files//evil.example",
		);
	});

	test("cannot be led upwards by two parameters together", async () => {
		const params = {
			type: "object",
			properties: { a: { type: "string" }, b: { type: "string" } },
			required: ["a", "b"],
		};
		assert.match(await resolveUrl({ path: "/x/{a}{b}/y", params }, { a: ".", b: "." }), /must not be/);
	});

	test("transmits every text unchanged", async () => {
		await fc.assert(
			fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), async (id) => {
				fc.pre(id !== "." && id !== ".." && id.isWellFormed());
				const { host, pathname, search, hash } = new URL(await resolveUrl({}, { id }));
				const segments = pathname.split("/");
				assert.deepEqual([host, search, hash, segments.length], ["api.example.com", "", "", 4]);
				assert.equal(decodeURIComponent(segments[3] ?? ""), id);
			}),
			{ numRuns: 200 },
		);
	});
});

describe("the request of an operation", () => {
	const post = (body: ApiOperation["body"], types: Record<string, string>): ApiRecipe =>
		recipeWith({ method: "POST", path: "/things", params: optional(types), body });
	const sendBody = async (recipe: ApiRecipe, params: JsonObject, settings: Settings = {}) => {
		const { calls, error } = await call(recipe, params, settings);
		assert.equal(error, undefined);
		return calls[0];
	};

	test("keeps types and omits values with missing parameters, at any depth", async () => {
		const value = {
			title: "{{params.title}}",
			count: "{{params.count}}",
			deep: { list: ["{{params.title}}", "{{params.none}}"], gone: { again: "{{params.none}}" } },
			text: "n. {{params.count}}",
			missing: "for {{params.none}}",
			fixed: [1, { a: null }],
			or: '{{params.none | default("x")}}',
			other: "{{params.none | default(params.title)}}",
			neither: "{{params.none | default(params.nothing)}}",
			last: '{{params.none | default(params.nothing) | default("-")}}',
		};
		const types = { title: "string", count: "integer", none: "string", nothing: "string" };
		const request = await sendBody(post({ kind: "json", value }, types), { title: "T", count: 3 });
		assert.deepEqual(request?.body, {
			kind: "json",
			value: {
				title: "T",
				count: 3,
				deep: { list: ["T"] },
				text: "n. 3",
				fixed: [1, { a: null }],
				or: "x",
				other: "T",
				last: "-",
			},
		});
	});

	test("sends an empty object if everything was omitted, and no body if the body was one parameter", async () => {
		const whole = post({ kind: "json", value: { a: "{{params.a}}" } }, { a: "string" });
		assert.deepEqual((await sendBody(whole, {}))?.body, { kind: "json", value: {} });
		const one = post({ kind: "json", value: "{{params.a}}" }, { a: "object" });
		assert.equal((await sendBody(one, {}))?.body, undefined);
		assert.deepEqual((await sendBody(one, { a: { b: 1 } }))?.body, { kind: "json", value: { b: 1 } });
	});

	test("sends the type of its body only with the body", async () => {
		const recipe = recipeWith({
			method: "POST",
			path: "/things",
			params: { type: "object", properties: { a: {} } },
			headers: { "content-type": "application/json-patch+json", "x-other": "1" },
			body: { kind: "json", value: "{{params.a}}" },
		});
		const without = await call(recipe, {});
		assert.deepEqual(without.calls[0]?.headers, { "x-other": "1" });
		const withBody = await call(recipe, { a: [1] });
		assert.deepEqual(withBody.calls[0]?.headers, {
			"x-other": "1",
			"content-type": "application/json-patch+json",
		});
	});

	test("sends forms and texts", async () => {
		const form = post(
			{ kind: "form", fields: { a: "{{params.a}}", b: "{{params.b}}" } },
			{ a: "string", b: "string" },
		);
		assert.deepEqual((await sendBody(form, { a: "x&y" }))?.body, { kind: "form", fields: { a: "x&y" } });
		const text = post(
			{ kind: "text", text: "<a>{{params.a}}</a>", content_type: "application/xml" },
			{ a: "integer" },
		);
		assert.deepEqual((await sendBody(text, { a: 1 }))?.body, {
			kind: "text",
			text: "<a>1</a>",
			contentType: "application/xml",
		});
	});

	test("sends query and headers, without missing values", async () => {
		const recipe = recipeWith({
			path: "",
			params: optional({ q: "string", tags: "array", none: "string", n: "integer" }),
			query: { q: "{{params.q}}", tag: "{{params.tags}}", none: "{{params.none}}", v: 2 },
			headers: { "X-Count": "{{params.n}}", "x-none": "{{params.none}}", accept: "application/json" },
		});
		const request = await sendBody(recipe, { q: "a b", tags: ["x", "y"], n: 5 });
		assert.equal(request?.url, "https://api.example.com/v1");
		assert.deepEqual(request?.query, { q: "a b", tag: ["x", "y"], v: 2 });
		assert.deepEqual(request?.headers, { "x-count": "5", accept: "application/json" });
	});

	test("rejects headers that are not a single line of text", async () => {
		const recipe = recipeWith({
			path: "",
			params: { type: "object", properties: { v: {} } },
			headers: { "x-v": "{{params.v}}" },
		});
		for (const v of ["a\r\nx-evil: 1", "a\nb", "a\u0000", "日本"]) {
			const { error, calls } = await call(recipe, { v: "{{input.v}}" }, { input: { v } });
			assert.match(error ?? "", /the header x-v/);
			assert.deepEqual(calls, []);
		}
		assert.match((await call(recipe, { v: [1] })).error ?? "", /x-v must be text, but is a list/);
		assert.deepEqual((await call(recipe, { v: null })).calls[0]?.headers, {});
	});

	test("keeps hostile names in a body as data", async () => {
		const recipe = post({ kind: "json", value: { data: "{{params.data}}" } }, { data: "object" });
		const data = JSON.parse(
			'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
		) as Json;
		const request = await sendBody(recipe, { data: "{{input.data}}" }, { input: { data } });
		assert.equal(JSON.stringify(request?.body), `{"kind":"json","value":{"data":${JSON.stringify(data)}}}`);
		assert.equal(({} as { polluted?: number }).polluted, undefined);
	});

	test("parameters go only where the recipe puts them", async () => {
		await fc.assert(
			fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), async (data) => {
				const recipe = post(
					{ kind: "json", value: { fixed: 1, data: "{{params.data}}" } },
					{ data: "object" },
				);
				const request = await sendBody(recipe, { data: "{{input.data}}" }, { input: { data: data as Json } });
				assert.equal(
					JSON.stringify(request?.body),
					JSON.stringify({ kind: "json", value: { fixed: 1, data } }),
				);
				assert.equal(request?.url, "https://api.example.com/v1/things");
			}),
			{ numRuns: 50 },
		);
	});
});

describe("the credential of an operation", () => {
	const recipe = recipeWith(
		{ headers: { "x-account": "{{credential.account}}" } },
		{ auth: "shop_key", base_url: "https://{{credential.host}}/v1" },
	);
	const components = createRecipeComponents(recipe, { authHosts: ["{host}"] });

	test("is the node's, uses the recipe's auth, and never reveals its values", async () => {
		const { calls } = await runComponent(components, "shop.do", { id: "a" }, { credential: "mine" });
		assert.equal(calls[0]?.credential, "mine");
		assert.deepEqual(calls[0]?.authRecipes, ["shop_key"]);
		assert.deepEqual(calls[0]?.hosts, ["{host}"]);
		assert.equal(calls[0]?.url, "https://secret-mine-host/v1/things/a");
		assert.deepEqual(calls[0]?.headers, { "x-account": "secret-mine-account" });
	});

	test("is rejected if the recipe has no auth", async () => {
		const { error } = await call(recipeWith(), { id: "a" }, { credential: "mine" });
		assert.match(error ?? "", /takes no credential/);
	});

	test("is requested by auth recipe, with a hint how to create one", async () => {
		const { error, calls } = await runComponent(
			components,
			"shop.do",
			{ id: "a" },
			{ retry: { max: 2, delay_ms: 0 } },
		);
		assert.match(
			error ?? "",
			/needs a credential of shop_key: add one in the console: Credentials > Add credential, type shop_key \(or with PUT /,
		);
		assert.deepEqual(calls, []);
	});
});

describe("the response of an operation", () => {
	test("becomes the output by its template, without missing values", async () => {
		const value = {
			id: "{{data.item.id}}",
			next: "{{data.next}}",
			status: "{{status}}",
			etag: "{{headers.etag}}",
		};
		const recipe = recipeWith({ output: { value, schema: {} } });
		const answers = [{ status: 201, headers: { etag: "e1" }, body: { item: { id: 7 } } }];
		const { output } = await call(recipe, { id: "a" }, { answers });
		assert.deepEqual(output, { id: 7, status: 201, etag: "e1" });
		assert.equal(
			(await call(recipeWith({ output: { value: "{{data.x}}", schema: {} } }), { id: "a" })).output,
			null,
		);
	});

	test("is read as JSON, text or base64", async () => {
		const read = async (response: ApiOperation["response"], body: string) =>
			(await call(recipeWith({ ...(response && { response }) }), { id: "a" }, { answers: [{ body }] }))
				.output;
		assert.deepEqual(await read(undefined, '{"a":1}'), { a: 1 });
		assert.equal(await read("json", ""), null);
		assert.equal(await read("text", "hi"), "hi");
		assert.equal(await read("base64", "hi"), "aGk=");
	});

	test("that is not JSON, or nests too deep, fails the node", async () => {
		for (const body of ["<html>", `${"[".repeat(70)}${"]".repeat(70)}`]) {
			const { error } = await call(recipeWith(), { id: "a" }, { answers: [{ body }] });
			assert.match(error ?? "", /JSON/);
		}
	});

	test("with an unexpected status fails the node with the service's message, without useless retries", async () => {
		const retry = { max: 2, delay_ms: 0 };
		const { error, calls } = await call(
			recipeWith(),
			{ id: "a" },
			{ retry, answers: [{ status: 404, body: "no such thing" }] },
		);
		assert.equal(error, "the response was 404 Not Found: no such thing");
		assert.equal(calls.length, 1);
		const broken = await call(recipeWith(), { id: "a" }, { retry, answers: [{ status: 500 }, { body: 1 }] });
		assert.deepEqual([broken.output, broken.calls.length], [1, 2]);
	});

	test("with an expected status is an output", async () => {
		const recipe = recipeWith({ expect: [404], output: { value: "{{status}}", schema: {} } });
		assert.equal((await call(recipe, { id: "a" }, { answers: [{ status: 404 }] })).output, 404);
		assert.match((await call(recipe, { id: "a" })).error ?? "", /the response was 200/);
	});

	test("with Retry-After is retried after the delay", async () => {
		const busy = { status: 429, headers: { "retry-after": "2" } };
		const recipe = recipeWith({ method: "POST" });
		const { output, slept, calls } = await call(recipe, { id: "a" }, { answers: [busy, { body: "1" }] });
		assert.deepEqual([output, slept, calls.length], [1, [2000], 2]);
		const { error } = await call(recipe, { id: "a" }, { answers: [busy] });
		assert.match(error ?? "", /429 Too Many Requests/);
	});

	test("that reports an error in its body fails the node", async () => {
		const recipe = recipeWith({ error: "{{data.error}}" });
		const { error } = await call(
			recipe,
			{ id: "a" },
			{ answers: [{ body: { ok: false, error: "no_channel" } }] },
		);
		assert.equal(error, "no_channel");
		assert.deepEqual((await call(recipe, { id: "a" }, { answers: [{ body: { ok: true } }] })).output, {
			ok: true,
		});
	});
});
