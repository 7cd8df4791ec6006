import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findAuthRecipeProblems } from "../../src/auth/recipe-problems.ts";
import { open, secret, toAuthRecipe } from "../outbound/network.ts";

const bearer = { type: "bearer", fields: [secret("token")], hosts: ["api.test"] };
const oauth = {
	type: "oauth2_client_credentials",
	fields: [open("client_id"), secret("client_secret"), open("tenant")],
	hosts: ["{tenant}.api.test"],
	inject: { token_url: "https://{tenant}.auth.test/{tenant}/token" },
};

const signIn = {
	type: "oauth2_authorization_code",
	fields: [open("client_id"), secret("client_secret"), { ...open("instance"), optional: true }],
	hosts: ["*.api.test"],
	inject: {
		authorize_url: "https://auth.test/authorize",
		token_url: "https://auth.test/token",
		client_secret: "{client_secret}",
		authorize_params: { access_type: "offline" },
		fields: { instance: "instance_url" },
	},
};
const withInject = (inject: object) => ({ ...signIn, inject: { ...signIn.inject, ...inject } });

const listProblems = (recipe: object) =>
	findAuthRecipeProblems(toAuthRecipe("own", recipe as Parameters<typeof toAuthRecipe>[1])).map(
		({ path, message }) => `${path}: ${message}`,
	);

describe("an auth recipe", () => {
	test("of every type can be valid", () => {
		const fine: object[] = [
			bearer,
			oauth,
			{ ...oauth, inject: { token_url: "{tenant}" } },
			signIn,
			withInject({ client_auth: "none", client_secret: undefined, issuer: "https://auth.test" }),
			{ ...bearer, type: "basic", inject: { username: "{token}", password: "" } },
			{ ...bearer, type: "header", inject: { headers: { "X-Key": "{token}", "x-version": "2" } } },
			{ ...bearer, type: "query", inject: { query: { key: "{token}" } } },
			{ ...bearer, type: "path", inject: { prefix: "/bot{token}" } },
			{
				type: "service_account_jwt",
				fields: [open("client_email"), secret("private_key")],
				hosts: ["*.api.test"],
				inject: { token_url: "https://auth.test/token" },
			},
			{
				type: "aws_sigv4",
				fields: [open("access_key_id"), secret("secret_access_key"), open("region")],
				hosts: ["s3.{region}.aws.test"],
				inject: { service: "s3" },
			},
			{ type: "signature", fields: [secret("secret")], hosts: [] },
		];
		for (const recipe of fine) assert.deepEqual(listProblems(recipe), []);
	});

	const wrong: [string, object, string[]][] = [
		[
			"a sign-in over plain http",
			withInject({ authorize_url: "http://auth.test/authorize" }),
			["inject.authorize_url: must be an https:// URL such as https://auth.example.com/oauth/token"],
		],
		[
			"a secret in the URL that the browser opens",
			withInject({ scope: "{client_secret}", authorize_params: { key: "{client_secret}" } }),
			[
				"inject.scope: {client_secret} is secret and cannot be part of a URL",
				"inject.authorize_params.key: {client_secret} is secret and cannot be part of a URL",
			],
		],
		[
			"a sign-in that sets its own state",
			withInject({ authorize_params: { state: "x" } }),
			["inject.authorize_params.state: is set by the service itself"],
		],
		[
			"a client without a secret that authenticates",
			withInject({ client_secret: undefined }),
			["inject.client_secret: is required unless client_auth is none"],
		],
		[
			"a required issuer that is not named",
			withInject({ issuer_required: true }),
			["inject.issuer: is required to compare iss with it"],
		],
		[
			"hosts that the token response decides",
			{ ...withInject({ fields: { instance: "instance_url", client_secret: "x" } }), hosts: ["{instance}"] },
			[
				"inject.fields.instance: must not be used in hosts, because hosts limit its value",
				"inject.fields.client_secret: must be a field of this recipe that is optional and not secret",
			],
		],
		[
			"two fields of one name",
			{ ...bearer, fields: [secret("token"), open("token")] },
			['fields.1.name: there is already a field "token"'],
		],
		[
			"a field that is not declared",
			{ ...bearer, inject: { token: "{key}" }, hosts: ["{host}"] },
			[
				"inject.token: {key} is not a field of this recipe, which has token",
				"hosts.0: {host} is not a field of this recipe, which has token",
			],
		],
		[
			"a secret in a host",
			{ ...bearer, hosts: ["{token}.api.test"] },
			["hosts.0: {token} is secret and cannot be part of a URL"],
		],
		[
			"a secret written into it",
			{ ...bearer, inject: { token: "sk-123" } },
			["inject.token: must contain a field such as {token}, not the secret itself"],
		],
		[
			"a header without field",
			{ ...bearer, type: "header", inject: { headers: { "x-key": "abc" } } },
			["inject: must contain a field such as {token}"],
		],
		[
			"no header",
			{ ...bearer, type: "header", inject: { headers: {} } },
			["inject.headers: must not be empty"],
		],
		["no query", { ...bearer, type: "query", inject: { query: {} } }, ["inject.query: must not be empty"]],
		[
			"bad header names",
			{
				...bearer,
				type: "header",
				inject: { headers: { "x y": "{token}", Host: "{token}", "X-A": "{token}", "x-a": "{token}" } },
			},
			[
				"inject.headers.x y: is not a header that a recipe can set",
				"inject.headers.Host: is not a header that a recipe can set",
				"inject.headers.x-a: is set twice",
			],
		],
		...["http://auth.test/token", "auth.test/token", "ftp://auth.test/", "https://me:pw@auth.test/"].map(
			(token_url): [string, object, string[]] => [
				`the token endpoint ${token_url}`,
				{ ...oauth, inject: { token_url } },
				["inject.token_url: must be an https:// URL such as https://auth.example.com/oauth/token"],
			],
		),
		[
			"a secret in the token endpoint",
			{ ...oauth, inject: { token_url: "https://auth.test/{client_secret}" } },
			["inject.token_url: {client_secret} is secret and cannot be part of a URL"],
		],
	];
	for (const [what, recipe, expected] of wrong) {
		test(`must not have ${what}`, () => assert.deepEqual(listProblems(recipe), expected));
	}
});
