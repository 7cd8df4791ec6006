import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
	buildAuthorizeUrl,
	buildCodeRequest,
	buildRefreshRequest,
	isSignInRecipe,
	readSignedIn,
} from "../../src/auth/authorization-code.ts";
import { open, secret, toAuthRecipe } from "../outbound/network.ts";

const recipe = toAuthRecipe("mail", {
	type: "oauth2_authorization_code",
	fields: [open("client_id"), secret("client_secret"), { ...open("instance"), optional: true }],
	hosts: ["*.mail.example"],
	inject: {
		authorize_url: "https://auth.mail.example/authorize",
		token_url: "https://auth.mail.example/token",
		client_secret: "{client_secret}",
		account: "team.name",
		fields: { instance: "instance_url" },
	},
});

/** What the endpoint answers, after it was sent the secrets `sent-…`. */
function read(more: object) {
	assert.ok(isSignInRecipe(recipe));
	const answer = { access_token: "issued-access-1", refresh_token: "issued-refresh-1", ...more };
	const secrets = ["sent-code-1", "sent-verifier-1", "sent-client-secret-1"];
	const response = { value: "issued-access-1", answer, secrets };
	return readSignedIn({ name: "mail", recipe, fields: {}, key: "" }, response);
}

const SECRETS = [
	"issued-access-1",
	"issued-refresh-1",
	"sent-code-1",
	"sent-verifier-1",
	"sent-client-secret-1",
];

describe("what a token endpoint answers", () => {
	test("names the account and a host", () => {
		const { account, fields } = read({
			team: { name: "Tea & Co" },
			instance_url: "https://eu.mail.example/",
		});
		assert.deepEqual([account, fields], ["Tea & Co", { instance: "eu.mail.example" }]);
	});

	for (const each of SECRETS) {
		test(`is no account or host if it contains ${each}`, () => {
			for (const name of [each, `of ${each.toUpperCase()}`, btoa(each)])
				assert.equal(read({ team: { name } }).account, null);
			const instance_url = `https://${each}.mail.example`;
			assert.throws(() => read({ instance_url }), /named no allowed host for the field instance$/);
		});
	}
});

test("the resource of a sign-in goes to both endpoints, and into every renewal", () => {
	assert.ok(isSignInRecipe(recipe));
	const resource = "https://api.mail.example/{client_secret}";
	const bound = { ...recipe, inject: { ...recipe.inject, resource } };
	const fields = { client_id: "client-7", client_secret: "sent-client-secret-1" };
	const credential = { name: "mail", recipe: bound, fields, key: "" };
	const flow = { redirectUri: "https://here.example/back", state: "s", challenge: "c" };
	assert.equal(buildAuthorizeUrl(credential, flow).searchParams.get("resource"), resource);
	const code = { code: "a", verifier: "b", redirectUri: flow.redirectUri };
	assert.equal(buildCodeRequest(credential, code).form.resource, resource);
	assert.equal(buildRefreshRequest(credential, { refresh: "r", access: "a" }).form.resource, resource);
});
