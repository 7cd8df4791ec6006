import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { createApp } from "@tripline/web/app";
import type { Caller } from "../src/domain/callers.ts";
import { credentialRoutes } from "../src/http/credentials.ts";
import { vaultFixture } from "./vault-fixture.ts";

async function openApp(context: TestContext) {
	const fixture = await vaultFixture(context);
	const vault = fixture.vault();
	const { fetch } = createApp<Caller>({
		title: "test",
		version: "test",
		routes: credentialRoutes({
			vault,
			catalogues: fixture.catalogues,
			outbound: { testConnection: async (_, name) => TESTED[name] ?? null },
			testRate: { take: (namespace) => (namespace === "eager" ? 7 : null) },
		}),
		authenticate: (request) => ({ namespace: request.headers.get("x-service-api-key") ?? "acme" }),
		ready: async () => true,
		clock: fixture.clock,
		log: fixture.log,
		maxBodyBytes: 1_048_576,
	});
	return {
		...fixture,
		reveal: vault.reveal,
		async call(method: string, path: string, body?: unknown, tenant = "acme") {
			const response = await fetch(
				new Request(`http://executor${path}`, {
					method,
					headers: { "x-service-api-key": tenant },
					...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
				}),
			);
			const text = await response.text();
			return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> };
		},
	};
}

const TESTED: Record<string, { type: "mail" | "bearer"; result: { ok: boolean; message: string } | null }> = {
	mail: { type: "mail", result: { ok: false, message: "mail.example.com refused the login: 535" } },
	token: { type: "bearer", result: null },
};

const valid = { auth_recipe: "signing_secret", fields: { secret: "s3cret" } };

describe("credentials over HTTP", () => {
	test("a test says what happened, and which credentials have none", async (context) => {
		const { call } = await openApp(context);
		const failed = await call("POST", "/credentials/mail/test");
		assert.deepEqual([failed.status, failed.body], [200, TESTED.mail?.result]);
		const refused = await call("POST", "/credentials/token/test");
		assert.equal(refused.status, 400);
		assert.match(refused.text, /a credential of the type bearer logs in nowhere/);
		assert.equal((await call("POST", "/credentials/nothing/test")).status, 404);
		assert.equal((await call("POST", "/credentials/mail/test", undefined, "eager")).status, 429);
	});

	test("put, list, replace and delete", async (context) => {
		const { call, reveal } = await openApp(context);
		const created = await call("PUT", "/credentials/stripe%20live", valid);
		assert.equal(created.status, 201);
		assert.deepEqual(created.body, {
			name: "stripe live",
			auth_recipe: "signing_secret",
			fields: ["secret"],
			created: true,
			updated_at: "2026-01-02T03:04:05.000Z",
		});
		const replaced = await call("PUT", "/credentials/stripe%20live", {
			...valid,
			fields: { secret: "other" },
		});
		assert.equal(replaced.status, 200);
		assert.equal(replaced.body.created, false);
		assert.deepEqual((await call("GET", "/credentials")).body, {
			credentials: [
				{
					name: "stripe live",
					auth_recipe: "signing_secret",
					fields: ["secret"],
					updated_at: "2026-01-02T03:04:05.000Z",
					last_used_at: null,
				},
			],
		});
		assert.deepEqual((await reveal("acme", "stripe live"))?.fields, { secret: "other" });
		assert.deepEqual((await call("DELETE", "/credentials/stripe%20live")).body, { deleted: true });
		assert.equal((await call("DELETE", "/credentials/stripe%20live")).status, 404);
		assert.deepEqual((await call("GET", "/credentials")).body, { credentials: [] });
	});

	test("checks the fields against the auth recipe and repeats no value in the answer", async (context) => {
		const { call } = await openApp(context);
		const problems = async (body: object) => {
			const { status, text, body: answer } = await call("PUT", "/credentials/x", body);
			assert.equal(status, 422);
			assert.ok(!text.includes("s3cret"));
			return (answer.issues as { path: string; message: string }[]).map(
				({ path, message }) => `${path} ${message}`,
			);
		};
		assert.deepEqual(await problems({ auth_recipe: "s3cret", fields: { secret: "s3cret" } }), [
			"auth_recipe is unknown; GET /auth-recipes lists the known ones",
		]);
		assert.deepEqual(await problems({ auth_recipe: "signing_secret", fields: { s3cret: "s3cret" } }), [
			"fields.secret is missing: The shared secret, as the sender displays it",
			"fields must contain only secret",
		]);
	});

	test("another tenant's credential is not visible", async (context) => {
		const { call, reveal } = await openApp(context);
		await call("PUT", "/credentials/x", valid);
		assert.deepEqual((await call("GET", "/credentials", undefined, "initech")).body, { credentials: [] });
		assert.equal((await call("DELETE", "/credentials/x", undefined, "initech")).status, 404);
		assert.equal((await call("PUT", "/credentials/x", valid, "initech")).status, 201);
		assert.equal((await call("DELETE", "/credentials/x", undefined, "initech")).status, 200);
		assert.deepEqual((await reveal("acme", "x"))?.fields, { secret: "s3cret" });
	});

	const bad: [string, unknown, string][] = [
		["no body fields", {}, "auth_recipe"],
		["an unknown field", { ...valid, value: "s3cret" }, "value"],
		["a recipe with capitals", { ...valid, auth_recipe: "GitHub" }, "auth_recipe"],
		["a recipe that is a path", { ...valid, auth_recipe: "../x" }, "auth_recipe"],
		["a long recipe", { ...valid, auth_recipe: "a".repeat(130) }, "auth_recipe"],
		["no fields", { ...valid, fields: {} }, "fields"],
		["a list of fields", { ...valid, fields: ["s3cret"] }, "fields"],
		["null fields", { ...valid, fields: null }, "fields"],
		[
			"too many fields",
			{ ...valid, fields: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`f${n}`, "x"])) },
			"fields",
		],
		["a field name that is no identifier", { ...valid, fields: { "a-b": "s3cret" } }, "fields"],
		["a field name that starts with a digit", { ...valid, fields: { "1a": "s3cret" } }, "fields"],
		["a long field name", { ...valid, fields: { ["a".repeat(130)]: "s3cret" } }, "fields"],
		["the field __proto__", `{"auth_recipe":"x","fields":{"__proto__":"s3cret","a":"s3cret"}}`, "fields"],
		["the field constructor", { ...valid, fields: { constructor: "s3cret" } }, "fields"],
		["an empty value", { ...valid, fields: { a: "" } }, "fields.a"],
		["a number", { ...valid, fields: { a: 5 } }, "fields.a"],
		["a nested value", { ...valid, fields: { a: { b: "s3cret" } } }, "fields.a"],
		["a value past 16 KiB", { ...valid, fields: { a: "s3cret".repeat(2731) } }, "fields.a"],
		["a value past 16 KiB in bytes", { ...valid, fields: { a: "密".repeat(5462) } }, "fields.a"],
	];
	for (const [what, body, path] of bad) {
		test(`${what}: 422 that names ${path} and repeats no value`, async (context) => {
			const { call, rows, lines } = await openApp(context);
			const answer = await call("PUT", "/credentials/x", body);
			assert.equal(answer.status, 422, answer.text);
			const issues = answer.body.issues as { path: string }[];
			assert.ok(
				issues.some((issue) => issue.path === path),
				answer.text,
			);
			assert.doesNotMatch(answer.text + lines.join(""), /s3cret/);
			assert.deepEqual(await rows(), []);
		});
	}

	test("refuses bodies that cannot be stored as JSON, without repeating them", async (context) => {
		const { call } = await openApp(context);
		for (const body of [
			"s3cret",
			"null",
			`{"fields":{"a":"s3cret\\u0000"}}`,
			`{"fields":{"a":"s3cret\\ud800"}}`,
		]) {
			const answer = await call("PUT", "/credentials/x", body);
			assert.ok(answer.status === 400 || answer.status === 422, answer.text);
			assert.doesNotMatch(answer.text, /s3cret/);
		}
	});

	test("accepts names in any script, but no control characters, slashes or long names", async (context) => {
		const { call } = await openApp(context);
		for (const name of ["鑰匙", "__proto__", "constructor", "a.b", "🔑".repeat(128)]) {
			const path = `/credentials/${encodeURIComponent(name)}`;
			const answer = await call("PUT", path, valid);
			assert.equal(answer.status, 201);
			assert.equal(answer.body.name, name);
			assert.equal((await call("DELETE", path)).status, 200);
		}
		for (const name of ["a%2Fb", "a%0Ab", "x".repeat(129)]) {
			assert.equal((await call("PUT", `/credentials/${name}`, valid)).status, 422);
			assert.equal((await call("DELETE", `/credentials/${name}`)).status, 422);
		}
		assert.equal((await call("PUT", "/credentials/", valid)).status, 404);
	});

	test("no answer or log line contains a value", async (context) => {
		const { call, lines, reveal, background } = await openApp(context);
		const texts: string[] = [];
		for (const method of ["PUT", "GET", "DELETE"]) {
			const path = method === "GET" ? "/credentials" : "/credentials/x";
			texts.push((await call(method, path, method === "PUT" ? valid : undefined)).text);
			if (method === "PUT") await reveal("acme", "x");
		}
		await background.flush();
		assert.ok(lines.length > 5);
		assert.doesNotMatch([...texts, ...lines].join("\n"), /s3cret/);
	});

	test("the OpenAPI description contains the routes and the body schema", async (context) => {
		const { call } = await openApp(context);
		const document = (await call("GET", "/openapi.json")).body as {
			paths: Record<string, object>;
			components: { schemas: Record<string, { properties: Record<string, unknown> }> };
		};
		assert.deepEqual(Object.keys(document.paths["/credentials/{name}"] ?? {}).sort(), ["delete", "put"]);
		assert.partialDeepStrictEqual(document.components.schemas.WriteCredential?.properties.fields, {
			type: "object",
			maxProperties: 32,
			additionalProperties: { type: "string" },
		});
	});
});
