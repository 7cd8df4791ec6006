import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { MAIL_PASSWORD, MAIL_USER, openSmtpServer } from "../../../test/smtp-server.ts";
import { openBrowser } from "../src/credentials/open-browser.ts";
import { startWorld } from "./world.ts";

const world = await startWorld({ ALLOW_PRIVATE_HOSTS: "127.0.0.1" });
const TOKEN = "tok_4f9a1c7e2b";

const YAML = `
crm:
  auth_recipe: bearer_token
  fields: { host: crm.example.com, token: "\${CRM_TOKEN}" }
mail:
  auth_recipe: basic_auth
  fields: { host: mail.example.com, username: ada, password: lovelace-1815 }
`;

/** Creates a place with a file that only its owner can read. */
function createPlaceWith(file: string, text: string, mode = 0o600) {
	const at = world.place();
	writeFileSync(join(at.cwd, file), text, { mode });
	chmodSync(join(at.cwd, file), mode);
	return at;
}

async function listStored(namespace: string): Promise<unknown> {
	const response = await fetch(`${world.service.publicUrl}/credentials`, {
		headers: { "x-service-api-key": namespace },
	});
	const { credentials } = (await response.json()) as { credentials: Record<string, unknown>[] };
	return credentials.map(({ name, auth_recipe, fields }) => ({ name, auth_recipe, fields }));
}

describe("creds push of a file", () => {
	test("stores all of credentials.yaml, with values from the environment", async () => {
		const at = createPlaceWith("credentials.yaml", YAML);
		const env = { NAMESPACE: "yaml", CRM_TOKEN: TOKEN };
		const { code, out, err } = await world.cli(["creds", "push"], { at, env });
		assert.equal(code, 0, err);
		assert.match(out, /^crm +bearer_token +created$/m);
		assert.match(out, /^mail +basic_auth +created$/m);
		assert.deepEqual(await listStored("yaml"), [
			{ name: "crm", auth_recipe: "bearer_token", fields: ["host", "token"] },
			{ name: "mail", auth_recipe: "basic_auth", fields: ["host", "username", "password"] },
		]);
		const again = await world.cli(["creds", "push", "--json"], { at, env });
		assert.deepEqual(again.json, {
			credentials: [
				{ name: "crm", auth_recipe: "bearer_token", result: "replaced" },
				{ name: "mail", auth_recipe: "basic_auth", result: "replaced" },
			],
			failed: 0,
		});
	});

	test("takes values from .env if the environment has none", async () => {
		const at = createPlaceWith("credentials.yaml", YAML);
		writeFileSync(join(at.cwd, ".env"), `CRM_TOKEN=${TOKEN}\nNAMESPACE=from-dotenv\n`);
		const { code, err } = await world.cli(["creds", "push"], { at });
		assert.equal(code, 0, err);
		assert.equal(((await listStored("from-dotenv")) as unknown[]).length, 2);
	});

	test("stores lines of the form NAME__FIELD=value, and ignores other lines", async () => {
		const at = createPlaceWith(
			"secrets.env",
			`# comment\nCRM__AUTH_RECIPE=bearer_token\nCRM__HOST=crm.example.com\nCRM__TOKEN="${TOKEN}"\nPORT=80\n`,
		);
		const { code, err } = await world.cli(["creds", "push", "secrets.env"], {
			at,
			env: { NAMESPACE: "lines" },
		});
		assert.equal(code, 0, err);
		assert.deepEqual(await listStored("lines"), [
			{ name: "crm", auth_recipe: "bearer_token", fields: ["host", "token"] },
		]);
	});

	test("rejects lines of a credential without its auth recipe", async () => {
		const at = createPlaceWith("secrets.env", `CRM__TOKEN=${TOKEN}\n`);
		const { code, err } = await world.cli(["creds", "push", "secrets.env"], { at });
		assert.equal(code, 1);
		assert.match(err, /CRM__AUTH_RECIPE is missing/);
	});

	for (const mode of [0o644, 0o640, 0o660, 0o604]) {
		test(`rejects a file with mode ${mode.toString(8)} and prints the command that fixes it`, async () => {
			const at = createPlaceWith("credentials.yaml", YAML, mode);
			const env = { NAMESPACE: "modes", CRM_TOKEN: TOKEN };
			const { code, err } = await world.cli(["creds", "push"], { at, env });
			assert.equal(code, 1);
			assert.match(err, /chmod 600 credentials\.yaml/);
			assert.deepEqual(await listStored("modes"), []);
		});
	}

	test("accepts a file with a stricter mode than 0600", async () => {
		const at = createPlaceWith("credentials.yaml", YAML, 0o400);
		const env = { NAMESPACE: "strict", CRM_TOKEN: TOKEN };
		assert.equal((await world.cli(["creds", "push"], { at, env })).code, 0);
	});

	test("checks all fields before anything is sent, and suggests the nearest", async () => {
		const text = YAML.replace("password:", "pasword:").replace(
			"auth_recipe: bearer_token",
			"auth_recipe: bearer",
		);
		const at = createPlaceWith("credentials.yaml", text);
		const env = { NAMESPACE: "checked", CRM_TOKEN: TOKEN };
		const { code, out, err } = await world.cli(["creds", "push"], { at, env });
		assert.equal(code, 1);
		assert.equal(out, "");
		assert.match(err, /crm: there is no auth recipe "bearer", did you mean bearer_token\?/);
		assert.match(err, /mail: basic_auth has no field pasword, did you mean password\?/);
		assert.deepEqual(await listStored("checked"), []);
	});

	test("names a missing field with the recipe's help text", async () => {
		const at = createPlaceWith(
			"credentials.yaml",
			"crm: { auth_recipe: bearer_token, fields: { host: a.example } }",
		);
		const { code, err } = await world.cli(["creds", "push"], { at });
		assert.equal(code, 1);
		assert.match(err, /crm: the field token is missing: Sent as the header Authorization/);
	});

	test("names a missing environment variable", async () => {
		const at = createPlaceWith("credentials.yaml", YAML);
		const { code, err } = await world.cli(["creds", "push"], { at });
		assert.equal(code, 1);
		assert.match(err, /crm\.token: CRM_TOKEN is not set/);
	});

	test("lists failures, stores the rest, and exits with 1", async () => {
		const at = createPlaceWith("credentials.yaml", YAML.replace("lovelace-1815", "abc"));
		const env = { NAMESPACE: "partial", CRM_TOKEN: TOKEN };
		const { code, out } = await world.cli(["creds", "push"], { at, env });
		assert.equal(code, 1);
		assert.match(out, /^mail +basic_auth +failed: fields\.password must have at least 4 characters/m);
		assert.match(out, /1 of 2 failed/);
		assert.deepEqual(await listStored("partial"), [
			{ name: "crm", auth_recipe: "bearer_token", fields: ["host", "token"] },
		]);
	});

	test("names the missing file", async () => {
		const { code, err } = await world.cli(["creds", "push"]);
		assert.equal(code, 1);
		assert.match(err, /there is no file credentials\.yaml/);
	});

	for (const [what, text] of [
		["broken YAML", `crm:\n  auth_recipe: bearer_token\n  fields: { host: a, token: "${TOKEN} }\n`],
		["a secret in the place of a name", `crm: { auth_recipe: bearer_token, fields: { ${TOKEN}: x } }`],
		["a secret in the place of the fields", `crm: { auth_recipe: bearer_token, fields: ${TOKEN} }`],
		[
			"a secret that is a number",
			"crm: { auth_recipe: bearer_token, fields: { host: a.example, token: 49174 } }",
		],
	] as const) {
		test(`does not repeat a value of ${what}`, async () => {
			const at = createPlaceWith("credentials.yaml", text);
			const { code, out, err } = await world.cli(["creds", "push", "--json"], { at });
			assert.equal(code, 1);
			assert.doesNotMatch(out + err, /tok_4f9a|49174/);
		});
	}
});

describe("creds push of one credential", () => {
	const one = ["creds", "push", "--name", "crm", "--recipe", "bearer_token"];

	test("reads its fields as JSON from standard input", async () => {
		const stdin = JSON.stringify({ host: "crm.example.com", token: TOKEN });
		const { code, out, err } = await world.cli(one, { stdin, env: { NAMESPACE: "piped" } });
		assert.equal(code, 0, err);
		assert.doesNotMatch(out + err, /tok_/);
		assert.deepEqual(await listStored("piped"), [
			{ name: "crm", auth_recipe: "bearer_token", fields: ["host", "token"] },
		]);
	});

	test("asks for each field on a terminal, without echoing secrets", async () => {
		const asked: string[] = [];
		const answer = (question: string) => {
			asked.push(question);
			return "crm.example.com";
		};
		const { code, err } = await world.cli(one, { answer, secret: TOKEN, env: { NAMESPACE: "typed" } });
		assert.equal(code, 0, err);
		// The other field was asked for as a secret.
		assert.deepEqual(asked, ["host (The only host the credential is sent to, such as api.example.com)"]);
		assert.equal(((await listStored("typed")) as unknown[]).length, 1);
	});

	test("reports invalid JSON on standard input without repeating it", async () => {
		const { code, err } = await world.cli(one, { stdin: TOKEN });
		assert.equal(code, 2);
		assert.match(err, /standard input is not a JSON object of fields/);
		assert.doesNotMatch(err, /tok_/);
	});

	test("requires a name and an auth recipe, without a file", async () => {
		assert.match((await world.cli(["creds", "push", "--name", "crm"])).err, /--recipe is missing/);
		const both = await world.cli(["creds", "push", "a.yaml", "--name", "crm", "--recipe", "x"]);
		assert.equal(both.code, 2);
	});

	test("accepts no secret in a flag", async () => {
		const { code, err } = await world.cli([...one, "--token", TOKEN]);
		assert.equal(code, 2);
		assert.match(err, /--token is not a flag of creds push/);
		assert.doesNotMatch(err, /tok_/);
	});
});

test("stores a credential only for the configured namespace", async () => {
	const stdin = JSON.stringify({ host: "crm.example.com", token: TOKEN });
	await world.cli(["creds", "push", "--name", "own", "--recipe", "bearer_token"], {
		stdin,
		env: { NAMESPACE: "one" },
	});
	assert.equal(((await listStored("one")) as unknown[]).length, 1);
	assert.deepEqual(await listStored("other"), []);
});

describe("creds sign-in", () => {
	const env = { NAMESPACE: "signing-in" };
	const call = (method: string, path: string, body?: object) =>
		fetch(`${world.service.publicUrl}${path}`, {
			method,
			headers: { "x-service-api-key": env.NAMESPACE },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});

	test("prints the link, and needs a credential that signs in", async () => {
		const fields = { client_id: "id-1", client_secret: "canary-5b1c", scope: "repo" };
		await call("PUT", "/credentials/code", { auth_recipe: "github_oauth", fields });
		await call("PUT", "/credentials/plain", { auth_recipe: "github_token", fields: { token: TOKEN } });
		const listed = await world.cli(["creds", "list"], { env });
		assert.match(listed.out, /^code +github_oauth +required +never$/m);
		assert.match(listed.out, /^plain +github_token +- +never$/m);
		const { code, out, json } = await world.cli(["creds", "sign-in", "code", "--no-wait", "--json"], { env });
		assert.equal(code, 0);
		const { url } = json as { url: string };
		assert.ok(url.startsWith(`${world.service.publicUrl}/oauth/start/`));
		assert.doesNotMatch(out, /canary/);
		assert.equal((await fetch(url)).status, 200);
		const plain = await world.cli(["creds", "sign-in", "plain"], { env });
		assert.equal(plain.code, 1);
		assert.match(plain.err, /github_token has no sign-in/);
		const none = await world.cli(["creds", "sign-in", "nothing"], { env });
		assert.match(none.err, /there is no credential "nothing"/);
	});

	test("waits until the owner has signed in", async () => {
		let looks = 0;
		const { code, out, err } = await world.cli(["creds", "sign-in", "code"], {
			env,
			async fetch(request, init) {
				const response = await fetch(request, init);
				if (request.method !== "GET" || ++looks < 3) return response;
				const { credentials } = (await response.json()) as { credentials: { name: string }[] };
				const sign_in = {
					state: "done",
					account: "ada",
					signed_in_at: "2026-01-02T03:04:05.000Z",
					expires_at: null,
				};
				return Response.json({ credentials: credentials.map((each) => ({ ...each, sign_in })) });
			},
		});
		assert.equal(code, 0, err);
		assert.match(err, /^Open this link in a browser:\nhttp:\/\/127\.0\.0\.1:\d+\/oauth\/start\/[\w-]{43}$/m);
		assert.equal(out, "code is signed in as ada\n");
	});

	test("gives up after twenty minutes", async () => {
		let now = 0;
		const { code, err } = await world.cli(["creds", "sign-in", "code"], {
			env,
			now: () => {
				now += 300_000;
				return now;
			},
		});
		assert.equal(code, 1);
		assert.match(err, /nobody has signed in/);
	});

	test("opens only web addresses", async () => {
		assert.equal(await openBrowser("file:///etc/passwd"), false);
		assert.equal(await openBrowser("-a Calculator"), false);
	});
});

describe("creds test", () => {
	const env = { NAMESPACE: "testing" };

	test("says whether the login works", async () => {
		const server = await openSmtpServer();
		try {
			const fields = {
				host: `127.0.0.1:${server.port}`,
				user: MAIL_USER,
				password: MAIL_PASSWORD,
				tls: "off",
			};
			const store = (name: string, more: object = {}) =>
				world.cli(["creds", "push", "--name", name, "--recipe", "smtp"], {
					env,
					stdin: JSON.stringify({ ...fields, ...more }),
				});
			assert.equal((await store("mail")).code, 0);
			const passed = await world.cli(["creds", "test", "mail"], { env });
			assert.deepEqual([passed.code, passed.out], [0, `${MAIL_USER} is logged in at 127.0.0.1\n`]);
			await store("mail", { password: "wrong-wrong-wrong" });
			const failed = await world.cli(["creds", "test", "mail", "--json"], { env });
			assert.equal(failed.code, 1);
			assert.match(failed.err + failed.out, /127\.0\.0\.1 refused the login: 535/);
			assert.doesNotMatch(failed.err + failed.out, /wrong-wrong/);
			const none = await world.cli(["creds", "test", "nothing"], { env });
			assert.match(none.err, /there is no credential "nothing"/);
		} finally {
			await server.stop();
		}
	});
});
