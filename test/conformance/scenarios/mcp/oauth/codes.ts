import assert from "node:assert/strict";
import type { Scenario } from "../../../scenario.ts";
import { postConsent, readToken, requestCode } from "../login.ts";
import { postInParallel } from "./at-once.ts";
import { assertRefused, buildQuery, exchangeCode, isAccepted } from "./presenting.ts";
import { listMarks, readStored, toCodeKey, toTokenKey } from "./stored.ts";

const LIFETIME_MS = 600_000;

export const codes: readonly Scenario[] = [
	{
		name: "an authorization code is stored in OAUTH_KV under its SHA-256 hash, for this server and 600 seconds",
		cites: [
			"MCP-OAUTH-CODE-KEY",
			"MCP-OAUTH-CODE-AUDIENCE",
			"MCP-OAUTH-AUDIENCE-CANONICAL",
			"MCP-OAUTH-CODE-TTL",
			"MCP-CONFIG-OAUTH-KV",
		],
		async run(world) {
			const origin = world.target.publicUrl;
			const now = Date.now();
			await world.target.setNow(now);
			for (const resource of [undefined, origin, `${origin}/`, `${origin}/mcp`, `${origin}/mcp/`]) {
				const { code } = await requestCode(world, { query: { resource } });
				const record = await readStored(world, toCodeKey(code));
				assert.equal(record.resource, `${origin}/mcp`);
				assert.equal(record.expires_at, now + LIFETIME_MS);
				assert.ok(!JSON.stringify(record).includes(code));
				assert.ok((await world.target.oauth.keys()).every((key) => !key.includes(code)));
			}
		},
	},
	{
		name: "a successful exchange deletes the code from OAUTH_KV, and it then gives invalid_grant",
		cites: [
			"MCP-TOKEN-CONSUMES-CODE",
			"MCP-TOKEN-CODE-REUSED",
			"MCP-OAUTH-CODE-SINGLE-USE",
			"MCP-OAUTH-CODE-DELETED",
		],
		async run(world) {
			const { code, exchange } = await requestCode(world);
			await readStored(world, toCodeKey(code));
			readToken(await exchangeCode(world, exchange));
			assert.equal(await world.target.oauth.get(toCodeKey(code)), null);
			for (let nth = 0; nth < 2; nth++)
				assertRefused(await exchangeCode(world, exchange), 400, "invalid_grant");
		},
	},
	{
		name: "the first exchange deletes the code, whether it succeeds or fails",
		cites: ["MCP-OAUTH-CODE-DELETED", "MCP-OAUTH-CODE-SINGLE-USE"],
		async run(world) {
			for (const changed of [
				{ code_verifier: "a".repeat(43) },
				{ code_verifier: "" },
				{ client_id: "another-client" },
				{ redirect_uri: "https://claude.ai/other" },
				{ resource: "https://evil.example/mcp" },
			] as readonly Readonly<Record<string, string>>[]) {
				const { code, exchange } = await requestCode(world);
				const { status } = await exchangeCode(world, { ...exchange, ...changed });
				assert.equal(status, 400, JSON.stringify(changed));
				assert.equal(await world.target.oauth.get(toCodeKey(code)), null, JSON.stringify(changed));
				assertRefused(await exchangeCode(world, exchange), 400, "invalid_grant");
			}
		},
	},
	{
		name: "an authorization code is valid for 600 seconds, then gives invalid_grant and no token",
		cites: ["MCP-OAUTH-CODE-TTL", "MCP-TOKEN-CODE-EXPIRED"],
		async run(world) {
			const now = Date.now();
			await world.target.setNow(now);
			const [soon, late] = [await requestCode(world), await requestCode(world)];
			await world.target.setNow(now + LIFETIME_MS - 1);
			readToken(await exchangeCode(world, soon.exchange));
			const keys = await world.target.oauth.keys();
			await world.target.setNow(now + LIFETIME_MS);
			assertRefused(await exchangeCode(world, late.exchange), 400, "invalid_grant");
			const added = (await world.target.oauth.keys()).filter((key) => !keys.includes(key));
			assert.deepEqual(added, []);
		},
	},
	{
		name: "exactly one of 8 parallel exchanges of a code gets a token, and the token works",
		cites: ["MCP-OAUTH-CODE-SINGLE-USE"],
		async run(world) {
			for (let round = 0; round < 3; round++) {
				const { exchange } = await requestCode(world);
				const answers = [...(await postInParallel(world, "/token", exchange, 8))];
				const [winner, ...others] = answers.sort((one, other) => one.status - other.status);
				assert.ok(winner !== undefined);
				assert.ok(await isAccepted(world, readToken(winner)));
				for (const answer of others) assertRefused(answer, 400, "invalid_grant");
			}
		},
	},
	{
		name: "using a code a second time revokes the token that it gave",
		cites: ["MCP-TOKEN-CODE-REUSED"],
		async run(world) {
			const other = readToken(await exchangeCode(world, (await requestCode(world)).exchange));
			for (const changed of [{}, { code_verifier: "a".repeat(43) }, { client_id: "thief" }]) {
				const { exchange } = await requestCode(world);
				const token = readToken(await exchangeCode(world, exchange));
				assert.ok(await isAccepted(world, token));
				assertRefused(await exchangeCode(world, { ...exchange, ...changed }), 400, "invalid_grant");
				assert.equal(await isAccepted(world, token), false);
				assert.equal(await world.target.oauth.get(toTokenKey(token)), null);
			}
			assert.ok(await isAccepted(world, other));
		},
	},
	{
		name: "a code that was never issued gives invalid_grant and leaves nothing behind",
		cites: [],
		async run(world) {
			const { exchange } = await requestCode(world);
			const keys = await world.target.oauth.keys();
			for (const code of ["x".repeat(43), "x", "../../etc/passwd", "ü".repeat(43), "x".repeat(10_000)]) {
				assertRefused(await exchangeCode(world, { ...exchange, code }), 400, "invalid_grant");
			}
			assert.deepEqual(await world.target.oauth.keys(), keys);
		},
	},
	{
		name: "the store forgets a used code after a day, and an attempt at the owner secret after ten minutes",
		cites: [],
		async run(world) {
			const now = Date.now();
			await world.target.setNow(now);
			readToken(await exchangeCode(world, (await requestCode(world)).exchange));
			await postConsent(world, { ...buildQuery(), owner_secret: "a wrong secret" });
			// Codes of earlier scenarios may be older and disappear sooner.
			const second = Math.floor(now / 1000);
			const isMeant = ({ created_at }: { readonly created_at: number }) => created_at === second;
			const countMarks = async () => [
				(await listMarks(world, "oauth_code")).filter(isMeant).length,
				(await listMarks(world, "oauth_attempt")).filter(isMeant).length,
			];
			const [codes = 0, tries = 0] = await countMarks();
			assert.ok(codes > 0 && tries > 0);
			for (const [minutes, left] of [
				[9, [codes, tries]],
				[11, [codes, 0]],
				[24 * 60 - 1, [codes, 0]],
				[24 * 60 + 1, [0, 0]],
			] as const) {
				await world.target.setNow(now + minutes * 60_000);
				await world.target.tick();
				assert.deepEqual(await countMarks(), left, String(minutes));
			}
		},
	},
];
