import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { CredentialList, WrittenCredential } from "@tripline/contract/credentials";
import { DeletedAnswer } from "@tripline/contract/entries";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import { onOwnService } from "./own-service.ts";
import { createWorkflow, echo, listRecords, listStored, otherTenant, run, save, trigger } from "./saving.ts";
import { onSeeded } from "./seeded.ts";

const VALUE = "sk-Live-9f8e7d6c5b4a-nobody-may-see-this";

const HOST = "api.example.com";

const body = (fields: object = { host: HOST, token: VALUE }) => ({ auth_recipe: "bearer_token", fields });

const put = (world: World, name: string, status = 201, sent: object = body()) =>
	world.executor.expect(
		status,
		WrittenCredential.strict(),
		"PUT",
		`/credentials/${encodeURIComponent(name)}`,
		{
			body: sent,
		},
	);

const list = async (world: World, headers: Record<string, string> = {}) =>
	(await world.executor.expect(200, CredentialList.strict(), "GET", "/credentials", { headers })).credentials;

const vaultScenarios: readonly Scenario[] = [
	{
		name: "PUT /credentials/{name} creates with 201, replaces with 200 and returns names only",
		cites: [],
		async run(world) {
			const basic = { host: HOST, username: "ada", password: VALUE };
			const first = await put(world, "GitHub 金鑰", 201, { auth_recipe: "basic_auth", fields: basic });
			assert.deepEqual(first, {
				name: "GitHub 金鑰",
				auth_recipe: "basic_auth",
				fields: ["host", "username", "password"],
				updated_at: first.updated_at,
				created: true,
			});
			const second = await put(world, "GitHub 金鑰", 200);
			assert.deepEqual(
				[second.created, second.auth_recipe, second.fields],
				[false, "bearer_token", ["host", "token"]],
			);
		},
	},
	{
		name: "GET /credentials lists the tenant's credentials without values",
		cites: [],
		async run(world) {
			await put(world, "b");
			await put(world, "a");
			const found = await list(world);
			assert.deepEqual(
				found.map(({ name, auth_recipe, fields, last_used_at }) => [name, auth_recipe, fields, last_used_at]),
				[
					["a", "bearer_token", ["host", "token"], null],
					["b", "bearer_token", ["host", "token"], null],
				],
			);
			assert.deepEqual(await list(world, otherTenant(world)), []);
			await world.anyone.refuse(401, "GET", "/credentials");
		},
	},
	{
		name: "DELETE /credentials/{name} deletes the tenant's own credential and returns 404 for any other",
		cites: [],
		async run(world) {
			const headers = otherTenant(world);
			await put(world, "mine");
			await world.executor.refuse(404, "DELETE", "/credentials/mine", { headers });
			await world.executor.refuse(404, "DELETE", "/credentials/nothing");
			assert.equal((await list(world)).length, 1);
			const deleted = await world.executor.expect(200, DeletedAnswer.strict(), "DELETE", "/credentials/mine");
			assert.deepEqual(deleted, { deleted: true });
			assert.deepEqual(await list(world), []);
			await world.executor.refuse(404, "DELETE", "/credentials/mine");
			await put(world, "mine", 201);
			assert.equal((await list(world)).length, 1);
		},
	},
	{
		name: "two tenants can have separate credentials with the same name",
		cites: [],
		async run(world) {
			const headers = otherTenant(world);
			await put(world, "shared");
			const sent = { auth_recipe: "signing_secret", fields: { secret: "s" } };
			await world.executor.expect(201, WrittenCredential, "PUT", "/credentials/shared", {
				body: sent,
				headers,
			});
			assert.equal((await list(world))[0]?.auth_recipe, "bearer_token");
			assert.equal((await list(world, headers))[0]?.auth_recipe, "signing_secret");
			await world.executor.expect(200, DeletedAnswer, "DELETE", "/credentials/shared", { headers });
			assert.equal((await list(world)).length, 1);
		},
	},
	{
		name: "a credential's value is in no answer, entry, key, record or log line",
		cites: [],
		async run(world) {
			await world.target.lines();
			const answers: unknown[] = [await put(world, "key"), await put(world, "key", 200)];
			await save(world, echo("job"));
			await run(world, "job");
			answers.push(await list(world), await listRecords(world));
			for (const type of ["credential", "vault_key", "workflow"]) answers.push(await listStored(world, type));
			const keys = await world.target.kv.keys();
			answers.push(keys, await Promise.all(keys.map((key) => world.target.kv.get(key))));
			const wrong = { ...body(), extra: VALUE };
			answers.push(await world.executor.refuse(422, "PUT", "/credentials/key", { body: wrong }));
			for (const misplaced of [
				body({ [VALUE]: VALUE }),
				body({ host: HOST, secret: VALUE }),
				{ auth_recipe: VALUE.toLowerCase(), fields: { token: VALUE } },
			]) {
				answers.push(await world.executor.refuse(422, "PUT", "/credentials/key", { body: misplaced }));
			}
			answers.push(
				await world.executor.refuse(400, "PUT", "/credentials/key", { raw: `{"fields":"${VALUE}` }),
			);
			answers.push(await world.target.lines());
			const text = JSON.stringify(answers).toLowerCase();
			assert.ok(!text.includes(VALUE.toLowerCase()));
			assert.ok(!text.includes(Buffer.from(VALUE).toString("base64").slice(0, 40).toLowerCase()));
			assert.equal((await listStored(world, "credential")).length > 0, true);
		},
	},
	{
		name: "a node that makes no outbound call cannot use a credential",
		cites: [],
		async run(world) {
			await put(world, "key");
			const bad = createWorkflow("leak", { component: "set", values: { v: "{{credential.key}}" } });
			const { diagnostics } = await world.executor.refuse(400, "POST", "/webhooks/named", { body: bad });
			assert.equal(diagnostics?.[0]?.severity, "error");
			assert.ok(!JSON.stringify(diagnostics).includes(VALUE));
		},
	},
	{
		name: "PUT /credentials/{name} rejects unknown and invalid fields",
		cites: [],
		async run(world) {
			for (const [sent, path] of [
				[{ ...body(), note: "x" }, "note"],
				[{ auth_recipe: "bearer_token" }, "fields"],
				[{ fields: { token: "x" } }, "auth_recipe"],
				[{ ...body(), auth_recipe: "Not A Recipe" }, "auth_recipe"],
				[body({}), "fields"],
				[body({ token: "" }), "fields.token"],
				[body({ token: 5 }), "fields.token"],
				[body({ token: "x".repeat(16 * 1024 + 1) }), "fields.token"],
				[body({ "1a": "x" }), "fields"],
				[body({ constructor: "x" }), "fields"],
				[{ auth_recipe: "bearer_token", fields: ["x"] }, "fields"],
				[body(Object.fromEntries(Array.from({ length: 33 }, (_, nth) => [`f${nth}`, "x"]))), "fields"],
			] as const) {
				const { issues } = await world.executor.refuse(422, "PUT", "/credentials/key", { body: sent });
				assert.equal(issues?.[0]?.path, path, JSON.stringify(sent).slice(0, 80));
			}
			const raw = '{"auth_recipe":"bearer_token","fields":{"__proto__":"x"}}';
			await world.executor.refuse(422, "PUT", "/credentials/key", { raw });
			assert.deepEqual(await list(world), []);
		},
	},
	{
		name: "a credential has exactly the fields of its auth recipe, which must exist",
		cites: [],
		async run(world) {
			for (const [sent, path] of [
				[{ auth_recipe: "nobody_knows_it", fields: { token: VALUE } }, "auth_recipe"],
				[body({ token: VALUE }), "fields.host"],
				[body({ host: HOST }), "fields.token"],
				[body({ host: HOST, token: VALUE, more: "x" }), "fields"],
				[body({ host: HOST, token: "abc" }), "fields.token"],
			] as const) {
				const { issues } = await world.executor.refuse(422, "PUT", "/credentials/key", { body: sent });
				assert.deepEqual(
					issues?.map((issue) => issue.path),
					[path],
				);
			}
			const oauth = { host: HOST, token_url: `https://${HOST}/token`, client_id: "me", client_secret: VALUE };
			await put(world, "key", 201, { auth_recipe: "oauth2_client_credentials", fields: oauth });
		},
	},
	{
		name: "a credential's name is 1 to 128 characters without / and control characters",
		cites: [],
		async run(world) {
			await put(world, "😀".repeat(128));
			for (const name of ["a%2Fb", "a%00b", "x".repeat(129)]) {
				await world.executor.refuse(422, "PUT", `/credentials/${name}`, { body: body() });
			}
			assert.equal((await list(world)).length, 1);
		},
	},
	{
		name: "a workflow that uses a credential that does not exist is saved with a warning",
		cites: [],
		async run(world) {
			const options = { signature: { scheme: "github", credential: "later" } };
			const first = await save(world, echo("signed", { options }));
			assert.deepEqual(
				first.diagnostics.map(({ severity }) => severity),
				["warning"],
			);
			await put(world, "later", 201, { auth_recipe: "signing_secret", fields: { secret: "of the sender" } });
			assert.deepEqual((await save(world, echo("signed", { options }))).diagnostics, []);
		},
	},
	{
		name: "credentials that a new tenant creates in parallel all work and show when they were last used",
		cites: [],
		async run(world) {
			const names = Array.from({ length: 6 }, (_, nth) => `secret ${nth}`);
			await Promise.all(
				names.map((name) =>
					put(world, name, 201, { auth_recipe: "signing_secret", fields: { secret: name } }),
				),
			);
			for (const credential of names) {
				await save(world, echo(credential, { options: { signature: { scheme: "github", credential } } }));
				const signature = createHmac("sha256", credential).update("{}").digest("hex");
				const headers = { "x-hub-signature-256": `sha256=${signature}` };
				assert.equal((await trigger(world, credential, { raw: "{}", headers })).status, 200, credential);
			}
			await eventually(async () => {
				for (const { last_used_at } of await list(world)) assert.notEqual(last_used_at, null);
			});
		},
	},
];

export const credentials: readonly Scenario[] = vaultScenarios.map((each) => onOwnService(onSeeded(each)));
