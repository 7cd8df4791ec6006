import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import type { Scenario, World } from "../../scenario.ts";
import { putAuthRecipe, putCredential } from "./credential.ts";
import { call, FORM, receive, webhook } from "./public-calls.ts";
import { echo, run, save, waitForRecords } from "./saving.ts";

const putSecret = (world: World, name: string, secret: string) =>
	putCredential(world, name, "signing_secret", { secret });

const auth: readonly Scenario[] = [
	{
		name: "auth: callers need the credential, and the owner does not",
		cites: [],
		async run(world) {
			await putSecret(world, "caller", "s3cr3t-of-callers");
			const schemes = [
				[
					{ scheme: "bearer" },
					{ authorization: "Bearer s3cr3t-of-callers" },
					{ authorization: "Bearer s3cr3t" },
				],
				[{ scheme: "header" }, { "x-api-key": "s3cr3t-of-callers" }, { "x-api-key": "s3cr3t-of-caller" }],
				[
					{ scheme: "header", header: "X-Shop" },
					{ "x-shop": "s3cr3t-of-callers" },
					{ "x-api-key": "s3cr3t-of-callers" },
				],
			] as const;
			for (const [given, right, wrong] of schemes) {
				await save(
					world,
					echo("closed", webhook({ accept: ["json"], auth: { ...given, credential: "caller" } })),
				);
				for (const headers of [{}, wrong]) {
					const answer = await call(world, "closed", { raw: "{", headers });
					assert.equal(answer.status, 401);
					assert.ok(!JSON.stringify(answer.body).includes("s3cr3t"));
				}
				assert.deepEqual(await receive(world, "closed", { body: { x: 1 }, headers: right }), { x: 1 });
				assert.deepEqual((await run(world, "closed", { x: 2 })).data, { got: { x: 2 } });
			}
		},
	},
	{
		name: "auth basic: a browser is asked for the user name and the password",
		cites: [],
		async run(world) {
			await putAuthRecipe(world, "visitors", {
				type: "basic",
				fields: ["username", "password"],
				hosts: ["example.com"],
			});
			await putCredential(world, "door", "visitors", { username: "ada", password: "löve" });
			await save(
				world,
				echo("closed", webhook({ methods: ["GET"], auth: { scheme: "basic", credential: "door" } })),
			);
			const asked = await call(world, "closed", {}, "GET");
			assert.deepEqual(
				[asked.status, asked.headers.get("www-authenticate")],
				[401, 'Basic realm="tripline", charset="UTF-8"'],
			);
			const authorization = `Basic ${Buffer.from("ada:löve").toString("base64")}`;
			assert.deepEqual(await receive(world, "closed", { headers: { authorization } }, "GET"), {});
		},
	},
	{
		name: "auth and cors: a page may send the header that carries the credential",
		cites: [],
		async run(world) {
			const keys = {
				cors: ["https://shop.example"],
				auth: { scheme: "header", credential: "caller", header: "X-Shop" },
			};
			await save(world, echo("closed", webhook(keys)));
			const headers = { origin: "https://shop.example", "access-control-request-headers": "x-shop" };
			const preflight = await call(world, "closed", { headers }, "OPTIONS");
			assert.equal(preflight.status, 204);
			const allowed = preflight.headers.get("access-control-allow-headers")?.split(", ");
			assert.ok(allowed?.includes("x-shop"), String(allowed));
		},
	},
];

const SLACK_SECRET = "8f742231b10e8888abcd99yyyzzz85a5";

/** The headers of a call that Slack signed. */
function signLikeSlack(body: string, at: number) {
	const signature = createHmac("sha256", SLACK_SECRET).update(`v0:${at}:${body}`).digest("hex");
	return { "x-slack-request-timestamp": String(at), "x-slack-signature": `v0=${signature}` };
}

const slack = (name: string, keys: object) =>
	echo(name, webhook({ signature: { scheme: "slack", credential: "slack" }, ...keys }));

const handshakes: readonly Scenario[] = [
	{
		name: "a Slack command is a signed form, and its events begin with a challenge",
		cites: [],
		async run(world) {
			const now = Date.UTC(2026, 10, 16, 12);
			await world.target.setNow(now);
			const at = now / 1000;
			await putSecret(world, "slack", SLACK_SECRET);
			await save(world, slack("slack", { accept: ["form", "json"], handshake: "slack" }));
			const command = "command=%2Fweather&text=94070&user_name=Steve";
			const headers = { ...FORM, ...signLikeSlack(command, at) };
			const got = { command: "/weather", text: "94070", user_name: "Steve" };
			assert.deepEqual(await receive(world, "slack", { raw: command, headers }), got);
			assert.equal((await call(world, "slack", { raw: `${command}1`, headers })).status, 401);
			const challenge = JSON.stringify({
				type: "url_verification",
				challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P",
			});
			const answer = await call(world, "slack", { raw: challenge, headers: signLikeSlack(challenge, at) });
			assert.deepEqual([answer.status, answer.body], [200, JSON.parse(challenge).challenge]);
			assert.match(answer.headers.get("content-type") ?? "", /^text\/plain/);
			assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
			assert.equal((await call(world, "slack", { raw: challenge })).status, 401);
			const late = signLikeSlack(challenge, at - 301);
			assert.equal((await call(world, "slack", { raw: challenge, headers: late })).status, 401);
			await waitForRecords(world, "slack", 1);
		},
	},
	{
		name: "a Discord ping is answered only if it is signed with the application's key",
		cites: [],
		async run(world) {
			const now = Date.UTC(2026, 10, 16, 12);
			await world.target.setNow(now);
			const { publicKey, privateKey } = generateKeyPairSync("ed25519");
			const secret = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("hex");
			await putSecret(world, "discord", secret);
			const signature = { scheme: "discord", credential: "discord" };
			await save(world, echo("discord", webhook({ accept: ["json"], signature, handshake: "discord" })));
			const raw = '{"type":1}';
			const time = String(now / 1000);
			const headers = {
				"x-signature-timestamp": time,
				"x-signature-ed25519": sign(null, Buffer.from(time + raw), privateKey).toString("hex"),
			};
			const pong = await call(world, "discord", { raw, headers });
			assert.deepEqual([pong.status, pong.body], [200, { type: 1 }]);
			assert.equal((await call(world, "discord", { raw: '{"type": 1}', headers })).status, 401);
		},
	},
	{
		name: "a handshake opens the method it needs, and nothing else of it",
		cites: [],
		async run(world) {
			await putSecret(world, "meta", "verify-me");
			const handshake = { scheme: "meta", credential: "meta" };
			await save(world, echo("meta", webhook({ accept: ["json"], handshake })));
			const query = {
				"hub.mode": "subscribe",
				"hub.verify_token": "verify-me",
				"hub.challenge": "1158201444",
			};
			const answer = await call(world, "meta", { query }, "GET");
			assert.deepEqual([answer.status, answer.body], [200, "1158201444"]);
			assert.equal(
				(await call(world, "meta", { query: { ...query, "hub.verify_token": "x" } }, "GET")).status,
				401,
			);
			assert.equal((await call(world, "meta", { query: { a: "1" } }, "GET")).status, 405);
			assert.deepEqual(await receive(world, "meta", { body: { x: 1 } }), { x: 1 });
			await save(world, echo("box", webhook({ handshake: "dropbox" })));
			const echoed = await call(world, "box", { query: { challenge: "abc" } }, "GET");
			assert.deepEqual([echoed.status, echoed.body], [200, "abc"]);
			const markup = await call(world, "box", { query: { challenge: "<script>" } }, "GET");
			assert.match(markup.headers.get("content-type") ?? "", /^(?:text\/plain|application\/json)/);
			for (const challenge of ["x".repeat(1_025), "a\r\nb", "茶"])
				assert.equal((await call(world, "box", { query: { challenge } }, "GET")).status, 400);
		},
	},
];

export const callerChecks: readonly Scenario[] = [...auth, ...handshakes];
