import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { StoredCredentials } from "../src/compile/credentials.ts";
import { compileSource } from "../src/compile.ts";
import { catalogue } from "./catalogue.ts";

function list(
	trigger: object,
	{ options = {}, credentials }: { options?: object; credentials?: StoredCredentials } = {},
) {
	const json = {
		triplets: ["input >> then >> a"],
		config: { a: { component: "set", values: {} } },
		trigger: { type: "webhook", ...trigger },
		options,
	};
	const known = { named: false, catalogue, ...(credentials !== undefined && { credentials }) };
	return compileSource({ json }, known).diagnostics;
}

/** The messages of what is reported, each with its severity, path and hint. */
const describeAll = (...call: Parameters<typeof list>) =>
	list(...call).map(({ severity, code, message, path, hint }) => {
		assert.equal(code, severity === "error" ? "bad_webhook" : "no_effect");
		return [severity, path, message, hint];
	});

const messages = (...call: Parameters<typeof list>) => list(...call).map(({ message }) => message);

const credential = "hook";
const custom = { scheme: "custom", credential, header: "X-Signature" };
const INPUT = { input_schema: { type: "object" } };

describe("keys of a webhook trigger", () => {
	test("belong to no other trigger", () => {
		const keys = {
			methods: ["POST"],
			accept: ["json"],
			max_bytes: 10,
			auth: { scheme: "bearer", credential },
			signature: { scheme: "github", credential },
			handshake: "dropbox",
			answer: "respond",
			cors: ["*"],
			form: {},
		};
		for (const type of ["schedule", "event"]) {
			const found = list({ type, ...keys }).filter(({ code }) => code === "bad_webhook");
			assert.deepEqual(
				found.map(({ message }) => message),
				Object.keys(keys).map((key) => `${key} belongs to a trigger of type webhook, not ${type}`),
			);
			assert.equal(found[0]?.path, "trigger.methods");
		}
	});

	test("fit together", () => {
		const auth = { scheme: "header", credential, header: "X-Key" };
		assert.deepEqual(list({ methods: ["GET", "POST"], auth, cors: ["*"], accept: ["json", "form"] }), []);
		assert.deepEqual(list({ form: {}, methods: ["POST"] }, { options: INPUT }), []);
	});

	test("a header for another scheme of auth is an error", () => {
		const auth = { scheme: "bearer", credential, header: "X-Key" };
		assert.deepEqual(describeAll({ auth }), [
			["error", "trigger.auth.header", "header belongs to the scheme header, not bearer", "Remove the key"],
		]);
	});

	test("answer: respond needs no node respond: the response is then the run's data", () => {
		assert.deepEqual(list({ answer: "respond" }), []);
	});

	test("auth and signature protect nothing beside options.query, which is an error", () => {
		const hint = "Remove options.query; for calls by GET set methods: [GET] and auth";
		for (const [key, value] of [
			["auth", { scheme: "bearer", credential }],
			["signature", { scheme: "github", credential }],
		] as const) {
			const message = `${key} cannot be combined with options.query, which lets anybody call`;
			assert.deepEqual(describeAll({ [key]: value }, { options: { query: true } }), [
				["error", `trigger.${key}`, message, hint],
			]);
			assert.deepEqual(list({ [key]: value }, { options: { query: false } }), []);
		}
	});

	test("a form needs an input schema and takes only POST", () => {
		assert.deepEqual(messages({ form: {} }), [
			"a form needs options.input_schema, which describes its fields",
		]);
		assert.deepEqual(messages({ form: {}, methods: ["POST", "PUT"] }, { options: INPUT }), [
			"a form is sent by POST only",
		]);
	});
});

describe("a file in the input schema", () => {
	const check = (template: string, options: object = {}) =>
		compileSource(
			{
				json: {
					triplets: ["input >> then >> a"],
					config: { a: { component: "set", values: { text: template } } },
					options: {
						input_schema: {
							type: "object",
							properties: {
								report: { type: "object", format: "file", ...options },
								more: { type: "array", items: { format: "file" } },
							},
						},
					},
				},
			},
			{ named: false, catalogue },
		).diagnostics.map(({ message }) => message);

	test("has known fields and no others", () => {
		assert.deepEqual(check("{{input.report.name}} {{input.report.size}} {{input.more[0].type}}"), []);
		assert.deepEqual(check("{{input.report.foo}}"), [
			'"input.report" has no "foo"; it has $file, name, type, size',
		]);
		assert.deepEqual(check("{{input.more[0].content}}"), [
			'"input.more[0]" has no "content"; it has $file, name, type, size',
		]);
	});

	test("takes types that exist", () => {
		assert.deepEqual(check("", { contentMediaType: "image/*, .PDF,application/zip" }), []);
		for (const contentMediaType of ["", "image", "*", "image/*;q=1", 7])
			assert.match(
				check("", { contentMediaType }).join(),
				/contentMediaType .*must be media types or suffixes/,
			);
	});
});

describe("a signature", () => {
	test("in both trigger and options is an error", () => {
		const signature = { scheme: "github", credential };
		assert.deepEqual(list({ signature }), []);
		assert.deepEqual(describeAll({ signature }, { options: { signature } }), [
			["error", "trigger.signature", "signature is set in both trigger and options", "Remove one of them"],
		]);
	});

	test("of another scheme takes no keys of custom, wherever it is", () => {
		const signature = { scheme: "github", credential, header: "X", tolerance_seconds: 5 };
		const expected = ["header", "tolerance_seconds"].map(
			(key) => `${key} belongs to the scheme custom, not github`,
		);
		assert.deepEqual(messages({ signature }), expected);
		assert.deepEqual(messages({}, { options: { signature } }), expected);
		assert.deepEqual(
			list({}, { options: { signature } }).map(({ path }) => path),
			["options.signature.header", "options.signature.tolerance_seconds"],
		);
	});

	test("custom fits together", () => {
		const timed = { timestamp_header: "X-Time", tolerance_seconds: 60 };
		assert.deepEqual(list({ signature: custom }), []);
		assert.deepEqual(
			list({ signature: { ...custom, ...timed, signed_text: "v1:{timestamp}:{url}:{body}" } }),
			[],
		);
	});

	for (const [keys, message] of [
		[{ header: undefined }, "the scheme custom needs header"],
		[{ signed_text: "{url}" }, "signed_text must have {body} once"],
		[{ signed_text: "{body}{body}" }, "signed_text must have {body} once"],
		[{ signed_text: "a text" }, "signed_text must have {body} once"],
		[{ signed_text: "" }, "signed_text must have {body} once"],
		[{ signed_text: "{id}.{body}" }, "signed_text has the unknown part {id}"],
		[{ signed_text: "{timestamp}.{body}" }, "{timestamp} in signed_text needs timestamp_header"],
		[{ timestamp_header: "X-Time" }, "the time in timestamp_header is not signed, so anyone can change it"],
		[{ tolerance_seconds: 60 }, "tolerance_seconds needs timestamp_header"],
	] as const)
		test(`custom: ${message}, with ${JSON.stringify(keys)}`, () => {
			const found = describeAll({ signature: { ...custom, ...keys } });
			assert.deepEqual(
				found.map(([severity, , text]) => [severity, text]),
				[["error", message]],
			);
			assert.ok(found[0]?.[3]);
		});

	test("that does not cover the query is an error with a method whose input is the query", () => {
		for (const method of ["GET", "DELETE"]) {
			const methods = ["POST", method];
			assert.deepEqual(messages({ methods, signature: { scheme: "github", credential } }), [
				`a signature of the scheme github does not cover the query, which is the input of a ${method}`,
			]);
			for (const scheme of ["gitlab", "telegram", "square", "twilio"])
				assert.deepEqual(list({ methods, signature: { scheme, credential } }), []);
			assert.equal(messages({ methods, signature: custom }).length, 1);
			assert.deepEqual(list({ methods, signature: { ...custom, signed_text: "{url}{body}" } }), []);
		}
	});
});

describe("a handshake", () => {
	test("of Slack, Discord and Zoom needs a signature of that scheme", () => {
		for (const scheme of ["slack", "discord", "zoom"]) {
			const signature = { scheme, credential };
			assert.deepEqual(list({ handshake: scheme, signature }), []);
			assert.deepEqual(list({ handshake: { scheme } }, { options: { signature } }), []);
			const expected = [
				"error",
				"trigger.handshake",
				`the handshake ${scheme} needs a signature of the scheme ${scheme}`,
				`Add signature: { scheme: ${scheme}, credential: … } to the trigger`,
			];
			assert.deepEqual(describeAll({ handshake: scheme }), [expected]);
			const other = { scheme: "github", credential };
			assert.deepEqual(describeAll({ handshake: { scheme, credential }, signature: other }), [expected]);
		}
	});

	test("of Meta needs a credential, its own or the signature's", () => {
		assert.deepEqual(messages({ handshake: "meta" }), [
			"the handshake meta needs a credential, or a signature",
		]);
		assert.deepEqual(list({ handshake: { scheme: "meta", credential } }), []);
		assert.deepEqual(list({ handshake: "meta", signature: { scheme: "meta", credential } }), []);
	});

	test("of Microsoft and Dropbox uses no credential, which is a warning", () => {
		for (const scheme of ["microsoft", "dropbox"]) {
			assert.deepEqual(list({ handshake: scheme }), []);
			const [found] = describeAll({ handshake: { scheme, credential } });
			assert.deepEqual(found?.slice(0, 2), ["warning", "trigger.handshake.credential"]);
		}
	});

	test("of another scheme takes no keys of custom", () => {
		const handshake = {
			scheme: "dropbox",
			challenge: "query.a",
			token: "query.b",
			field: "c",
			answer: "echo",
			prefix: "d",
		};
		assert.deepEqual(
			messages({ handshake }),
			["challenge", "token", "field", "answer", "prefix"].map(
				(key) => `${key} belongs to the handshake custom, not dropbox`,
			),
		);
	});

	test("custom needs a challenge, a credential, and a token or a signature that covers the challenge", () => {
		const signature = { scheme: "github", credential };
		const handshake = { scheme: "custom", credential, challenge: "query.c", token: "query.t" };
		assert.deepEqual(list({ handshake }), []);
		assert.deepEqual(list({ handshake: { scheme: "custom", challenge: "body.c" }, signature }), []);
		assert.deepEqual(messages({ handshake: { ...handshake, challenge: undefined } }), [
			"the handshake custom needs challenge",
		]);
		assert.deepEqual(messages({ handshake: { ...handshake, token: undefined } }), [
			"the handshake custom needs token, or a signature",
		]);
		assert.deepEqual(messages({ handshake: { ...handshake, credential: undefined } }), [
			"the handshake custom needs a credential, or a signature",
		]);
		assert.deepEqual(messages({ handshake: { ...handshake, token: undefined }, signature }), [
			"a challenge in the query needs token, because a signature of the scheme github does not cover the query",
		]);
	});
});

describe("a credential of a webhook trigger", () => {
	const credentials: StoredCredentials = new Map([
		["crm", { auth_recipe: "bearer_token", fields: ["host", "token"] }],
		["login", { auth_recipe: "basic_auth", fields: ["host", "username", "password"] }],
		["key", { auth_recipe: "api_key_header", fields: ["host", "key"] }],
		["hook", { auth_recipe: "signing_secret", fields: ["secret"] }],
	]);
	const check = (trigger: object) =>
		list(trigger, { credentials }).map(({ severity, code, path, hint }) => [severity, code, path, hint]);
	const ADD = "in the console: Credentials > Add credential, type";

	test("that does not exist is a warning", () => {
		const auth = { scheme: "bearer", credential: "none" };
		assert.deepEqual(check({ auth }), [
			[
				"warning",
				"missing_credential",
				"trigger.auth.credential",
				`The owner adds it ${ADD} signing_secret or bearer_token, name "none"`,
			],
		]);
		const signature = { scheme: "meta", credential: "none" };
		const handshake = { scheme: "meta", credential: "also none" };
		assert.deepEqual(
			check({ signature, handshake }).map(([, code, path]) => [code, path]),
			[
				["missing_credential", "trigger.signature.credential"],
				["missing_credential", "trigger.handshake.credential"],
			],
		);
	});

	test("must have the fields that the scheme reads", () => {
		const fitting = { bearer: ["crm", "hook"], basic: ["login"], header: ["key", "hook"] };
		for (const [scheme, names] of Object.entries(fitting)) {
			for (const name of credentials.keys()) {
				const found = check({ auth: { scheme, credential: name } });
				assert.deepEqual(
					found.map(([severity, code]) => [severity, code]),
					names.includes(name) ? [] : [["warning", "wrong_credential"]],
					`${scheme} with ${name}`,
				);
			}
		}
		assert.deepEqual(check({ signature: { scheme: "zoom", credential: "crm" } }), [
			[
				"warning",
				"wrong_credential",
				"trigger.signature.credential",
				`The owner adds one ${ADD} signing_secret`,
			],
		]);
	});
});
