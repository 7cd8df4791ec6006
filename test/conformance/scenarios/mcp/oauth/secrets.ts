import assert from "node:assert/strict";
import type { Scenario, World } from "../../../scenario.ts";
import { OWNER_SECRET, postConsent, readToken, requestCode } from "../login.ts";
import { buildQuery, exchangeCode, requestBothWays } from "./presenting.ts";
import { listMarks } from "./stored.ts";
import { withMcpSettings } from "./with-mcp-settings.ts";

const STATIC_TOKEN = "static-token-of-the-tests";
const WRONG_SECRET = "a secret that was mistyped";

export const secrets: readonly Scenario[] = [
	{
		name: "neither owner secret nor static token reaches a key-value store, a page, a document or the log",
		cites: ["MCP-CONFIG-SECRETS-NOT-KV", "MCP-CONFIG-SECRETS-NOT-PLAIN", "MCP-CONFIG-STATIC-TOKEN"],
		run: (world) =>
			withMcpSettings(world, { MCP_STATIC_TOKEN: STATIC_TOKEN }, async () => {
				await world.target.lines();
				const pages = [
					...(await requestBothWays(world, buildQuery())),
					await postConsent(world, { ...buildQuery(), owner_secret: WRONG_SECRET }),
				];
				const headers = { authorization: `Bearer ${STATIC_TOKEN}` };
				for (const path of [
					"/openapi.json",
					"/gui/session",
					"/gui/overview",
					"/gui/tokens",
					"/gui/connect",
				]) {
					const answer = await world.anyone.call("GET", path, { headers });
					assert.equal(answer.status, 200, path);
					pages.push(answer);
				}
				const shown = JSON.stringify([pages.map(({ body }) => body), await readEverything(world)]);
				for (const secret of [OWNER_SECRET, STATIC_TOKEN, WRONG_SECRET]) assert.ok(!shown.includes(secret));
				assert.match(shown, /"default"/);
			}),
	},
	{
		name: "codes, verifiers and access tokens are never stored or logged in plain text",
		cites: ["MCP-CONFIG-SECRETS-NOT-KV"],
		async run(world) {
			await world.target.lines();
			const [{ code, exchange }, lost] = [await requestCode(world), await requestCode(world)];
			const before = await readEverything(world);
			const token = readToken(await exchangeCode(world, exchange));
			await exchangeCode(world, { ...lost.exchange, code_verifier: "a".repeat(43) });
			const all = JSON.stringify([before, await readEverything(world)]);
			for (const secret of [code, exchange.code_verifier ?? "", token, token.slice(4), lost.code]) {
				assert.ok(secret.length > 40 && !all.includes(secret));
			}
			assert.match(all, /a client was let in/);
		},
	},
];

/** Everything in the key-value stores and the store's one-time marks, and the log since it was last read. */
async function readEverything(world: World): Promise<unknown> {
	const { oauth, kv, statistics } = world.target;
	const values = [];
	for (const store of [oauth, kv, statistics]) {
		for (const key of await store.keys()) values.push([key, await store.get(key)]);
	}
	const marked = [await listMarks(world, "oauth_code"), await listMarks(world, "oauth_attempt")];
	return [values, marked, await world.target.lines()];
}
