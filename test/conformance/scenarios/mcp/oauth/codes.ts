import assert from "node:assert/strict";
import type { Scenario } from "../../../scenario.ts";
import { consent, granted, tokenIn } from "../login.ts";
import { postedAtOnce } from "./at-once.ts";
import { askedWith, assertRefused, isGood, present } from "./presenting.ts";
import { codeKey, marks, stored, tokenKey } from "./stored.ts";

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
				const { code } = await granted(world, { query: { resource } });
				const record = await stored(world, codeKey(code));
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
			const { code, exchange } = await granted(world);
			await stored(world, codeKey(code));
			tokenIn(await present(world, exchange));
			assert.equal(await world.target.oauth.get(codeKey(code)), null);
			for (let nth = 0; nth < 2; nth++) assertRefused(await present(world, exchange), 400, "invalid_grant");
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
				const { code, exchange } = await granted(world);
				const { status } = await present(world, { ...exchange, ...changed });
				assert.equal(status, 400, JSON.stringify(changed));
				assert.equal(await world.target.oauth.get(codeKey(code)), null, JSON.stringify(changed));
				assertRefused(await present(world, exchange), 400, "invalid_grant");
			}
		},
	},
	{
		name: "an authorization code is valid for 600 seconds, then gives invalid_grant and no token",
		cites: ["MCP-OAUTH-CODE-TTL", "MCP-TOKEN-CODE-EXPIRED"],
		async run(world) {
			const now = Date.now();
			await world.target.setNow(now);
			const [soon, late] = [await granted(world), await granted(world)];
			await world.target.setNow(now + LIFETIME_MS - 1);
			tokenIn(await present(world, soon.exchange));
			const keys = await world.target.oauth.keys();
			await world.target.setNow(now + LIFETIME_MS);
			assertRefused(await present(world, late.exchange), 400, "invalid_grant");
			const added = (await world.target.oauth.keys()).filter((key) => !keys.includes(key));
			assert.deepEqual(added, []);
		},
	},
	{
		name: "exactly one of 8 parallel exchanges of a code gets a token, and the token works",
		cites: ["MCP-OAUTH-CODE-SINGLE-USE"],
		async run(world) {
			for (let round = 0; round < 3; round++) {
				const { exchange } = await granted(world);
				const answers = [...(await postedAtOnce(world, "/token", exchange, 8))];
				const [winner, ...others] = answers.sort((one, other) => one.status - other.status);
				assert.ok(winner !== undefined);
				assert.ok(await isGood(world, tokenIn(winner)));
				for (const answer of others) assertRefused(answer, 400, "invalid_grant");
			}
		},
	},
	{
		name: "using a code a second time revokes the token that it gave",
		cites: ["MCP-TOKEN-CODE-REUSED"],
		async run(world) {
			const other = tokenIn(await present(world, (await granted(world)).exchange));
			for (const changed of [{}, { code_verifier: "a".repeat(43) }, { client_id: "thief" }]) {
				const { exchange } = await granted(world);
				const token = tokenIn(await present(world, exchange));
				assert.ok(await isGood(world, token));
				assertRefused(await present(world, { ...exchange, ...changed }), 400, "invalid_grant");
				assert.equal(await isGood(world, token), false);
				assert.equal(await world.target.oauth.get(tokenKey(token)), null);
			}
			assert.ok(await isGood(world, other));
		},
	},
	{
		name: "a code that was never issued gives invalid_grant and leaves nothing behind",
		cites: [],
		async run(world) {
			const { exchange } = await granted(world);
			const keys = await world.target.oauth.keys();
			for (const code of ["x".repeat(43), "x", "../../etc/passwd", "ü".repeat(43), "x".repeat(10_000)]) {
				assertRefused(await present(world, { ...exchange, code }), 400, "invalid_grant");
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
			tokenIn(await present(world, (await granted(world)).exchange));
			await consent(world, { ...askedWith(), owner_secret: "a wrong secret" });
			// Codes of earlier scenarios may be older and disappear sooner.
			const second = Math.floor(now / 1000);
			const isMeant = ({ created_at }: { readonly created_at: number }) => created_at === second;
			const counted = async () => [
				(await marks(world, "oauth_code")).filter(isMeant).length,
				(await marks(world, "oauth_attempt")).filter(isMeant).length,
			];
			const [codes = 0, tries = 0] = await counted();
			assert.ok(codes > 0 && tries > 0);
			for (const [minutes, left] of [
				[9, [codes, tries]],
				[11, [codes, 0]],
				[24 * 60 - 1, [codes, 0]],
				[24 * 60 + 1, [0, 0]],
			] as const) {
				await world.target.setNow(now + minutes * 60_000);
				await world.target.tick();
				assert.deepEqual(await counted(), left, String(minutes));
			}
		},
	},
];
