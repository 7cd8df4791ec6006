import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { StoredCredentials } from "../src/compile/credentials.ts";
import { compileSource } from "../src/compile.ts";
import { catalogue } from "./catalogue.ts";

const compileJson = (json: unknown, credentials: StoredCredentials) =>
	compileSource({ json }, { named: false, catalogue, credentials });

test("says what the owner does in the console to add a missing credential", () => {
	const listHints = (config: object, options: object = {}) =>
		compileJson(
			{ triplets: ["input >> then >> a"], config: { a: config }, options },
			new Map(),
		).diagnostics.map(({ hint }) => hint);
	assert.deepEqual(listHints({ component: "desk.get", credential: "my desk" }), [
		'The owner adds it in the console: Credentials > Add credential, type desk_key, name "my desk"',
	]);
	assert.deepEqual(listHints({ component: "desk.get" }), [
		"Set credential on the node; the owner adds it in the console: Credentials > Add credential, type desk_key",
	]);
	const signature = { scheme: "github", credential: "hook" };
	assert.deepEqual(listHints({ component: "set", values: {} }, { signature }), [
		'The owner adds it in the console: Credentials > Add credential, type signing_secret, name "hook"',
	]);
});

describe("a credential that does not fit", () => {
	const stored: StoredCredentials = new Map([
		["crm", { auth_recipe: "bearer_token", fields: ["host", "token"] }],
		["hook", { auth_recipe: "signing_secret", fields: ["secret"] }],
		["desk", { auth_recipe: "desk_key", fields: ["key"] }],
	]);
	const list = (config: object, known = stored, options: object = {}) =>
		compileJson({ triplets: ["input >> then >> a"], config: { a: config }, options }, known).diagnostics.map(
			({ severity, code, message, hint }) => ({ severity, code, message, hint }),
		);
	const call = { component: "http_request", url: "https://example.com" };

	test("is an error if the component needs another type", () => {
		assert.deepEqual(list({ component: "desk.get", credential: "desk" }), []);
		const wrong = {
			severity: "error",
			code: "wrong_credential",
			message: 'credential "crm" has the type bearer_token, but desk.get needs desk_key',
		};
		assert.deepEqual(list({ component: "desk.get", credential: "crm" }), [{ ...wrong, hint: 'Use "desk"' }]);
		const without = new Map([...stored].filter(([name]) => name !== "desk"));
		assert.deepEqual(list({ component: "desk.get", credential: "crm" }, without), [
			{ ...wrong, hint: "The owner adds one in the console: Credentials > Add credential, type desk_key" },
		]);
	});

	test("is a warning if the component may not use it", () => {
		const [found, ...others] = list({ component: "desk.code", credential: "crm" });
		assert.deepEqual([found?.severity, found?.code, others.length], ["warning", "wrong_credential", 0]);
	});

	test("is an error if it verifies signatures and is to be sent", () => {
		assert.deepEqual(list({ ...call, credential: "crm" }), []);
		assert.deepEqual(
			list({ ...call, credential: "hook" }).map(({ severity, message }) => [severity, message]),
			[
				[
					"error",
					'credential "hook" has the type signing_secret, but http_request needs one that can be sent',
				],
			],
		);
	});

	test("is an error if it has no such field", () => {
		assert.deepEqual(list({ ...call, headers: { x: "{{credential.crm.token}} {{credential.crm}}" } }), []);
		assert.deepEqual(list({ ...call, headers: { x: "{{credential.crm.tokn}}" } }), [
			{
				severity: "error",
				code: "wrong_credential",
				message: 'credential "crm" has no field "tokn"',
				hint: "It has host, token",
			},
		]);
	});

	test("is a warning if it cannot verify signatures", () => {
		const sign = (credential: string) =>
			list({ component: "set", values: {} }, stored, { signature: { scheme: "github", credential } });
		assert.deepEqual(sign("hook"), []);
		const [found] = sign("crm");
		assert.deepEqual([found?.severity, found?.code], ["warning", "wrong_credential"]);
		assert.match(found?.hint ?? "", /type signing_secret$/);
	});
});

test("a mailbox needs a credential of its own type", () => {
	const list = (auth_recipe: string) =>
		compileJson(
			{
				triplets: ["input >> then >> a"],
				config: { a: { component: "set", values: {} } },
				trigger: { type: "event", email: { credential: "box" } },
			},
			new Map([["box", { auth_recipe, fields: [] }]]),
		).diagnostics.map(({ code, message, path }) => [code, message, path]);
	assert.deepEqual(list("imap"), []);
	assert.deepEqual(list("smtp"), [
		[
			"wrong_credential",
			'credential "box" has the type smtp, but a mailbox needs imap',
			"trigger.email.credential",
		],
	]);
});
