import assert from "node:assert/strict";
import { generateKeyPairSync, verify } from "node:crypto";
import { CredentialList } from "@tripline/contract/credentials";
import { ExecutionDetail } from "@tripline/contract/executor";
import { checkSigV4 } from "../../../../packages/components/test/seeds/sigv4.ts";
import type { OutsideRequest } from "../../outside.ts";
import type { Scenario, World } from "../../scenario.ts";
import { putAuthRecipe, putCredential } from "./credential.ts";
import { eventually } from "./eventually.ts";
import { type OutsideHost, openHost, pickOwnHeaders } from "./outside-host.ts";
import { onOwnService } from "./own-service.ts";
import { listStored, otherTenant, run, save } from "./saving.ts";
import {
	createRow,
	createWebhook,
	failOnce,
	runOnce,
	trigger,
	triggerFailing,
	waitForRecords,
} from "./token-webhook.ts";

/** Contains characters that JSON, URLs, forms and base64 encode differently. */
const VALUE = 'sk-Canary+9f8e/7d6c=&5b4a"%q';
const encodeForUrl = (text: string) =>
	encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

const call = (settings: object) => ({ component: "http_request", ...settings });

/** A credential `key` of one secret field `token` that goes to the host as a bearer token. */
async function putBearer(world: World, { host }: Pick<OutsideHost, "host">, token = VALUE): Promise<void> {
	await putAuthRecipe(world, "own", { type: "bearer", fields: ["token"], hosts: [host] });
	await putCredential(world, "key", "own", { token });
}

const runForError = async (world: World, settings: object) =>
	(await failOnce(world, createRow({ call: call(settings) }))).error ?? "";

/** The value and its common encodings. */
const listSpellings = (value: string) => [
	value,
	JSON.stringify(value).slice(1, -1),
	encodeForUrl(value),
	new URLSearchParams([["", value]]).toString().slice(1),
	Buffer.from(value).toString("base64"),
	Buffer.from(value).toString("base64url"),
	Buffer.from(value).toString("hex"),
];

function assertHoldsNone(place: unknown, value = VALUE): void {
	const text = JSON.stringify(place);
	for (const spelling of listSpellings(value)) {
		assert.ok(!text.includes(spelling), `${spelling} is in ${text.slice(0, 400)}`);
		assert.ok(
			!text.includes(JSON.stringify(spelling).slice(1, -1)),
			`${spelling} is in ${text.slice(0, 400)}`,
		);
	}
}

/** A token endpoint that issues t1, t2 and so on. */
function tokenEndpoint(world: World, more: object = {}) {
	let given = 0;
	return openHost(
		world,
		() => ({
			json: { access_token: `issued-token-${++given}`, token_type: "Bearer", expires_in: 600, ...more },
		}),
		`auth.${world.owner}.example.com`,
	);
}

const all: readonly Scenario[] = [
	{
		name: "a node's credential is added to the request as its auth recipe says: bearer, basic, header, query, path",
		cites: [],
		async run(world) {
			const { host, url, seen } = openHost(world);
			const hosts = [host];
			const both = ["username", "password"];
			await Promise.all([
				putAuthRecipe(world, "a-bearer", { type: "bearer", fields: ["token"], hosts }),
				putAuthRecipe(world, "a-basic", { type: "basic", fields: both, hosts }),
				putAuthRecipe(world, "a-header", {
					type: "header",
					fields: ["key"],
					hosts,
					inject: { headers: { "X-Key": "Key {key}", authorization: "Own {key}" } },
				}),
				putAuthRecipe(world, "a-query", {
					type: "query",
					fields: ["key"],
					hosts,
					inject: { query: { k: "{key}" } },
				}),
				putAuthRecipe(world, "a-path", {
					type: "path",
					fields: ["key"],
					hosts,
					inject: { prefix: "/bot{key}" },
				}),
			]);
			const fields = { token: VALUE, username: "ada", password: "p:ä55word", key: "k+/y 55" };
			for (const [kind, names] of [
				["bearer", ["token"]],
				["basic", both],
				["header", ["key"]],
				["query", ["key"]],
				["path", ["key"]],
			] as const) {
				const own = Object.fromEntries(names.map((name) => [name, fields[name as keyof typeof fields]]));
				await putCredential(world, kind, `a-${kind}`, own);
			}
			const expected: Readonly<Record<string, readonly [url: string, headers: object]>> = {
				bearer: ["/x?k=1", { authorization: `Bearer ${VALUE}` }],
				basic: ["/x?k=1", { authorization: `Basic ${Buffer.from("ada:p:ä55word").toString("base64")}` }],
				header: ["/x?k=1", { "x-key": "Key k+/y 55", authorization: "Own k+/y 55" }],
				query: ["/x?k=k%2B%2Fy%2055", {}],
				path: ["/botk+%2Fy%2055/x?k=1", {}],
			};
			for (const [credential, [path, headers]] of Object.entries(expected)) {
				const result = await runOnce(world, createRow({ call: call({ url: `${url}/x?k=1`, credential }) }));
				assertHoldsNone(result);
				const sent = seen.pop() as OutsideRequest;
				assert.equal(sent.url, url + path);
				assert.deepEqual(pickOwnHeaders(sent), { accept: "*/*", "user-agent": "Tripline", ...headers });
			}
		},
	},
	{
		name: "{{credential.NAME}} and {{credential.NAME.FIELD}} are encoded for the place where they are used",
		cites: [],
		async run(world) {
			const { host, url, seen } = openHost(world);
			await putBearer(world, { host });
			await putAuthRecipe(world, "pair", { type: "basic", fields: ["username", "password"], hosts: [host] });
			await putCredential(world, "my pair", "pair", { username: "u s/r", password: VALUE });
			const quoted = JSON.stringify(VALUE);
			for (const [settings, read, expected] of [
				[
					{ url: `${url}/{{credential.key}}/x` },
					({ url }: OutsideRequest) => url,
					`${url}/sk-Canary+9f8e%2F7d6c=&5b4a%22%25q/x`,
				],
				[
					{ url, query: { k: "a{{credential.key}}" } },
					({ url }: OutsideRequest) => new URL(url).search,
					`?k=a${encodeForUrl(VALUE)}`,
				],
				[
					{ url, headers: { "x-k": "K {{credential.key.token}}" } },
					({ headers }: OutsideRequest) => headers["x-k"],
					`K ${VALUE}`,
				],
				[
					{ url, method: "POST", json: { a: ["{{credential.key}}"] } },
					({ body }: OutsideRequest) => body,
					`{"a":[${quoted}]}`,
				],
				[
					{
						url,
						method: "POST",
						form: { user: '{{credential["my pair"].username}}', pass: '{{credential["my pair"].password}}' },
					},
					({ body }: OutsideRequest) => body,
					new URLSearchParams({ user: "u s/r", pass: VALUE }).toString(),
				],
				[
					{ url, method: "POST", text: "<k>{{credential.key}}</k>" },
					({ body }: OutsideRequest) => body,
					`<k>${VALUE}</k>`,
				],
			] as const) {
				const result = await runOnce(world, createRow({ call: call(settings) }));
				assertHoldsNone(result);
				const sent = seen.pop() as OutsideRequest;
				assert.equal(read(sent), expected);
				assert.equal(sent.headers.authorization, undefined);
			}
			const parts = [{ name: "k", text: "{{credential.key}}" }];
			await runOnce(world, createRow({ call: call({ url, method: "POST", multipart: parts }) }));
			assert.ok(seen.pop()?.body.includes(`name="k"\r\n\r\n${VALUE}\r\n`));
			assert.match(
				await runForError(world, { url, headers: { k: '{{credential["my pair"].nothing}}' } }),
				/has no field "nothing": it has username, password/,
			);
		},
	},
	{
		name: "a credential is sent only to the hosts of its auth recipe",
		cites: [],
		async run(world) {
			const { host, url, seen } = openHost(world);
			const other = openHost(world, undefined, `other.${world.owner}.example.com`);
			const below = openHost(world, undefined, `a.sub.${world.owner}.example.com`);
			await putBearer(world, { host });
			await putAuthRecipe(world, "wide", {
				type: "bearer",
				fields: ["token"],
				hosts: [`*.sub.${world.owner}.example.com`],
			});
			await putCredential(world, "below", "wide", { token: VALUE });
			const only = (name: string, allowed: string, to: string) =>
				`call: credential "${name}" may be sent only to ${allowed}, not to ${to}`;
			for (const settings of [
				{ url: `${other.url}/x`, credential: "key" },
				{ url: `${other.url}/{{credential.key}}` },
				{ url: other.url, headers: { "x-k": "{{credential.key}}" } },
				{ url: other.url, method: "POST", json: { k: "{{credential.key}}" } },
			]) {
				assert.equal(await runForError(world, settings), only("key", host, other.host));
			}
			assert.match(await runForError(world, { url: `${url}:8443/`, credential: "key" }), /not to .*:8443$/);
			assert.match(
				await runForError(world, { url: url.replace("https", "http"), credential: "key" }),
				/use https$/,
			);
			assert.match(
				await runForError(world, { url: "https://{{credential.key}}/" }),
				/cannot be part of the url's host/,
			);
			const wide = `*.sub.${world.owner}.example.com`;
			assert.equal(await runForError(world, { url, credential: "below" }), only("below", wide, host));
			await runOnce(world, createRow({ call: call({ url: below.url, credential: "below" }) }));
			assert.equal(below.seen[0]?.headers.authorization, `Bearer ${VALUE}`);
			assert.deepEqual([seen.length, other.seen.length], [0, 0]);
		},
	},
	{
		name: "a redirect to another host drops the credential, wherever it is in the request",
		cites: [],
		async run(world) {
			const other = openHost(world, undefined, `other.${world.owner}.example.com`);
			const { host, url, seen } = openHost(world, ({ url: asked }) => {
				const { pathname, searchParams } = new URL(asked);
				const status = Number(pathname.slice(1));
				if (status === 200) return { json: {} };
				const location = searchParams.get("to") ?? `${other.url}/landed`;
				return { status, headers: { location } };
			});
			await putBearer(world, { host });
			const headers = { "x-k": "{{credential.key}}", "x-plain": "1" };
			const json = { k: "{{credential.key}}" };
			await runOnce(world, createRow({ call: call({ url: `${url}/302`, headers, credential: "key" }) }));
			await runOnce(
				world,
				createRow({ call: call({ url: `${url}/303`, method: "POST", json, credential: "key" }) }),
			);
			assert.deepEqual(
				other.seen.map((sent) => [sent.method, sent.url, sent.body]),
				[
					["GET", `${other.url}/landed`, ""],
					["GET", `${other.url}/landed`, ""],
				],
			);
			assertHoldsNone(other.seen);
			assert.match(
				await runForError(world, { url: `${url}/307`, method: "POST", json }),
				/the credential's value in the body must not be sent$/,
			);
			const to = encodeURIComponent(`${other.url}/?stolen=`) + encodeForUrl(encodeForUrl(VALUE));
			assert.match(
				await runForError(world, { url: `${url}/302?to=${to}`, credential: "key" }),
				/redirects to .* with the value of credential "key" in the URL$/,
			);
			assert.equal(other.seen.length, 2);
			seen.length = 0;
			await runOnce(
				world,
				createRow({ call: call({ url: `${url}/302?to=/200`, headers, credential: "key" }) }),
			);
			assert.deepEqual(
				seen.map((sent) => [sent.headers.authorization, sent.headers["x-k"]]),
				[
					[`Bearer ${VALUE}`, VALUE],
					[`Bearer ${VALUE}`, VALUE],
				],
			);
		},
	},
	{
		name: "a credential that the remote host echoes is removed from output, headers, errors, trace, record and log",
		cites: [],
		async run(world) {
			const inside = Buffer.from(`before ${VALUE} after`).toString("base64");
			const { host, url } = openHost(world, ({ url: asked }) => ({
				status: asked.endsWith("/fail") ? 400 : 200,
				headers: { "x-raw": `<${VALUE}>`, "x-base64": Buffer.from(`ada:${VALUE}`).toString("base64") },
				json: {
					spelled: listSpellings(VALUE),
					inside,
					[VALUE]: "as a name",
					kept: "this stays",
				},
			}));
			await putBearer(world, { host });
			await world.target.lines();
			await save(world, {
				name: "echo",
				description: "",
				...createRow({
					call: call({ url, credential: "key" }),
					again: { component: "set", values: { got: "{{call}}" } },
				}),
			});
			await save(world, {
				name: "fail",
				description: "",
				...createRow({ call: call({ url: `${url}/fail`, credential: "key" }) }),
			});
			const found = await run(world, "echo");
			const failed = await run(world, "fail", {}, 500);
			assert.match(failed.error ?? "", /^call: the response was 400 Bad Request: .*\[redacted\]/);
			assert.match(JSON.stringify(found.data), /"kept":"this stays"/);
			assert.match(JSON.stringify(found.data), /<\[redacted\]>/);
			assert.ok(!JSON.stringify(found.data).includes(inside));
			const [record] = await waitForRecords(world, 2);
			const detail = await world.executor.expect(
				200,
				ExecutionDetail,
				"GET",
				`/executions/${failed.execution_id}`,
			);
			const keys = await world.target.kv.keys();
			assertHoldsNone([
				found,
				failed,
				record,
				detail,
				await Promise.all(["execution_log", "workflow", "credential"].map((type) => listStored(world, type))),
				await Promise.all(keys.map((key) => world.target.kv.get(key))),
				await world.target.lines(),
			]);
		},
	},
	{
		name: "a credential shows when it was last used",
		cites: [],
		async run(world) {
			const { host, url } = openHost(world);
			await putBearer(world, { host });
			const list = async () =>
				(await world.executor.expect(200, CredentialList, "GET", "/credentials")).credentials;
			assert.equal((await list())[0]?.last_used_at, null);
			await runOnce(world, createRow({ call: call({ url, credential: "key" }) }));
			await eventually(async () => assert.notEqual((await list())[0]?.last_used_at, null));
		},
	},
	{
		name: "another tenant's runs and anonymous runs cannot use a tenant's credential",
		cites: [],
		async run(world) {
			const { host, url, seen } = openHost(world);
			await putBearer(world, { host });
			const workflow = createRow({ call: call({ url, credential: "key" }) });
			const headers = otherTenant(world);
			const other = { ...world.executor, call: calling(world, headers) };
			const created = await other.call("POST", "/webhooks", { body: workflow });
			assert.equal(created.status, 201);
			const { token } = created.body as { token: string };
			const { error } = await triggerFailing(world.anyone, token);
			assert.match(
				error ?? "",
				/^call: there is no credential "key": add it in the console: .* \(or with PUT \/credentials\/key\)$/,
			);
			const nobodys = await createWebhook(world.anyone, workflow);
			assert.match(
				(await triggerFailing(world.anyone, nobodys)).error ?? "",
				/belongs to no namespace, so it has no credentials/,
			);
			assert.equal(seen.length, 0);
			await trigger(world.anyone, await createWebhook(world.executor, workflow));
			assert.equal(seen.length, 1);
		},
	},
	{
		name: "a replaced or deleted credential is no longer used",
		cites: [],
		async run(world) {
			const { host, url, seen } = openHost(world);
			await putBearer(world, { host });
			const token = await createWebhook(
				world.executor,
				createRow({ call: call({ url, credential: "key" }) }),
			);
			await trigger(world.anyone, token);
			await putCredential(world, "key", "own", { token: "another-value" });
			await trigger(world.anyone, token);
			assert.deepEqual(
				seen.map(({ headers }) => headers.authorization),
				[`Bearer ${VALUE}`, "Bearer another-value"],
			);
			await world.executor.call("DELETE", "/credentials/key");
			assert.match((await triggerFailing(world.anyone, token)).error ?? "", /there is no credential "key"/);
			assert.equal(seen.length, 2);
		},
	},
	{
		name: "an OAuth 2 token is requested once, cached, and renewed shortly before it expires or once it is rejected",
		cites: [],
		async run(world) {
			let refuses = "";
			const { host, url, seen } = openHost(world, ({ headers }) => ({
				status: headers.authorization === refuses ? 401 : 200,
				json: { echo: headers.authorization },
			}));
			const auth = tokenEndpoint(world);
			await putAuthRecipe(world, "oauth", {
				type: "oauth2_client_credentials",
				fields: ["client_id", "client_secret"],
				hosts: [host],
				inject: { token_url: `${auth.url}/oauth/token`, scope: "read write" },
			});
			await putCredential(world, "oauth", "oauth", { client_id: "my:app", client_secret: VALUE });
			const token = await createWebhook(
				world.executor,
				createRow({ call: call({ url, credential: "oauth" }) }),
			);
			const start = Date.UTC(2030, 0, 1);
			const at = async (seconds: number) => {
				await world.target.setNow(start + seconds * 1000);
				const result = await trigger(world.anyone, token);
				assert.ok(!JSON.stringify(result).includes("issued-token"), "the token is in the result");
				return seen.at(-1)?.headers.authorization;
			};
			assert.equal(await at(0), "Bearer issued-token-1");
			const [asked] = auth.seen;
			assert.deepEqual(
				[asked?.method, asked?.url, asked?.body],
				["POST", `${auth.url}/oauth/token`, "grant_type=client_credentials&scope=read+write"],
			);
			const pair = `my%3Aapp:${new URLSearchParams([["", VALUE]]).toString().slice(1)}`;
			assert.equal(asked?.headers.authorization, `Basic ${Buffer.from(pair).toString("base64")}`);
			assert.equal(await at(539), "Bearer issued-token-1");
			assert.equal(await at(541), "Bearer issued-token-2");
			refuses = "Bearer issued-token-2";
			assert.equal(await at(542), "Bearer issued-token-3");
			assert.equal(auth.seen.length, 3);
		},
	},
	{
		name: "concurrent runs share one OAuth 2 token and, where the platform can share work, one request for it",
		cites: [],
		async run(world) {
			const { host, url, seen } = openHost(world);
			const auth = tokenEndpoint(world);
			await putAuthRecipe(world, "oauth", {
				type: "oauth2_client_credentials",
				fields: ["client_id", "client_secret"],
				hosts: [host],
				inject: { token_url: `${auth.url}/token`, client_auth: "body" },
			});
			await putCredential(world, "oauth", "oauth", { client_id: "app", client_secret: VALUE });
			const token = await createWebhook(
				world.executor,
				createRow({ call: call({ url, credential: "oauth" }) }),
			);
			const many = () => Promise.all(Array.from({ length: 12 }, () => trigger(world.anyone, token)));
			await many();
			const asked = auth.seen.length;
			if (!world.target.isolatesRequests) assert.equal(asked, 1);
			assert.ok(asked >= 1 && asked <= 12);
			await many();
			assert.equal(auth.seen.length, asked);
			assert.equal(seen.length, 24);
			const form = { grant_type: "client_credentials", client_id: "app", client_secret: VALUE };
			assert.equal(auth.seen[0]?.body, new URLSearchParams(form).toString());
		},
	},
	{
		name: "if the token endpoint refuses, the node fails without revealing what was sent",
		cites: [],
		async run(world) {
			const { host, url, seen } = openHost(world);
			const auth = openHost(
				world,
				({ body }) => ({ status: 401, json: { error: "invalid_client", error_description: body } }),
				`auth.${world.owner}.example.com`,
			);
			await putAuthRecipe(world, "oauth", {
				type: "oauth2_client_credentials",
				fields: ["client_id", "client_secret"],
				hosts: [host],
				inject: { token_url: `${auth.url}/token`, client_auth: "body" },
			});
			await putCredential(world, "oauth", "oauth", { client_id: "app", client_secret: VALUE });
			const failed = await failOnce(world, createRow({ call: call({ url, credential: "oauth" }) }));
			assert.equal(
				failed.error,
				`call: the token endpoint of credential "oauth" at ${auth.host} answered 401 (invalid_client)`,
			);
			assertHoldsNone([failed, await waitForRecords(world, 1)]);
			assert.deepEqual([seen.length, auth.seen.length], [0, 1]);
		},
	},
	{
		name: "a service account exchanges a signed assertion for a token, and its key appears nowhere",
		cites: [],
		async run(world) {
			const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
			const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
			const { host, url, seen } = openHost(world);
			const auth = tokenEndpoint(world);
			await putAuthRecipe(world, "robot", {
				type: "service_account_jwt",
				fields: ["email", "private_key"],
				hosts: [host],
				inject: {
					token_url: `${auth.url}/token`,
					issuer: "{email}",
					subject: "ada@example.com",
					key_id: "k1",
					scope: "sheets drive",
				},
			});
			// As written in the JSON file of the key.
			await putCredential(world, "robot", "robot", {
				email: "r@example.com",
				private_key: pem.replaceAll("\n", "\\n"),
			});
			const now = Date.UTC(2030, 0, 1);
			await world.target.setNow(now);
			const result = await runOnce(world, createRow({ call: call({ url, credential: "robot" }) }));
			assert.equal(seen[0]?.headers.authorization, "Bearer issued-token-1");
			const form = new URLSearchParams(auth.seen[0]?.body);
			assert.equal(form.get("grant_type"), "urn:ietf:params:oauth:grant-type:jwt-bearer");
			const [head = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".");
			const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
			assert.deepEqual(read(head), { alg: "RS256", typ: "JWT", kid: "k1" });
			assert.deepEqual(read(claims), {
				iss: "r@example.com",
				sub: "ada@example.com",
				scope: "sheets drive",
				aud: `${auth.url}/token`,
				iat: now / 1000,
				exp: now / 1000 + 3600,
			});
			const signed = Buffer.from(`${head}.${claims}`);
			assert.ok(verify("sha256", signed, publicKey, Buffer.from(signature, "base64url")));
			assertHoldsNone(result, pem.split("\n")[1]);
		},
	},
	{
		name: "AWS Signature Version 4 signs path, query, headers and body as they are sent",
		cites: [],
		async run(world) {
			const { host, url, seen } = openHost(world, ({ headers }) => ({
				json: { echo: headers.authorization },
			}));
			await putAuthRecipe(world, "aws", {
				type: "aws_sigv4",
				fields: ["access_key_id", "secret_access_key", "region", "session_token"],
				hosts: [host],
				inject: { service: "s3", session_token: "{session_token}" },
			});
			const fields = {
				access_key_id: "AKIDEXAMPLE",
				secret_access_key: VALUE,
				region: "eu-central-1",
				session_token: "session/Token+1",
			};
			await putCredential(world, "aws", "aws", fields);
			const query = { "list-type": 2, prefix: "a b/ü*~", b: ["2", "1"] };
			for (const settings of [
				{ url: `${url}/bucket/a b/%C3%BC+~.txt`, query },
				{ url: `${url}/bucket/key`, method: "PUT", text: "hello ü", headers: { "x-amz-meta-a": " a  b " } },
			]) {
				const result = await runOnce(world, createRow({ call: call({ ...settings, credential: "aws" }) }));
				const sent = seen.pop() as OutsideRequest;
				assert.equal(sent.headers["x-amz-security-token"], fields.session_token);
				checkSigV4({ ...sent, headers: trimHeaders(sent.headers) }, fields);
				assertHoldsNone(result);
				assert.ok(
					!JSON.stringify(result).includes(
						/Signature=(\w+)/.exec(sent.headers.authorization ?? "")?.[1] ?? "-",
					),
				);
			}
		},
	},
];

/** Headers in the canonical form of the signature. */
const trimHeaders = (headers: OutsideRequest["headers"]) =>
	Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name, value.trim().replace(/ {2,}/g, " ")]),
	);

const calling =
	(world: World, headers: Readonly<Record<string, string>>): World["executor"]["call"] =>
	(method, path, options = {}) =>
		world.executor.call(method, path, { ...options, headers: { ...options.headers, ...headers } });

export const credentialsInUse: readonly Scenario[] = all.map(onOwnService);
