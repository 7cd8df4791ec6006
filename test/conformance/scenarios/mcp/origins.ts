import assert from "node:assert/strict";
import { ERAS, MODERN } from "../../../mcp/wire.ts";
import type { Scenario } from "../../scenario.ts";
import { mcpCall } from "./asking.ts";
import { bearer, OPEN, publicAt, withRestart } from "./settings.ts";

const EVIL = "https://evil.example";
const ASKED = [
	"authorization",
	"content-type",
	"accept",
	"mcp-protocol-version",
	"mcp-method",
	"mcp-name",
	"mcp-session-id",
	"last-event-id",
];
const EXPOSED = ["www-authenticate", "mcp-session-id", "mcp-protocol-version"];

const preflight = (origin: string, method = "POST") => ({
	origin,
	"access-control-request-method": method,
	"access-control-request-headers": ASKED.join(", "),
});

const listIn = (headers: Headers, name: string): string[] =>
	(headers.get(name) ?? "").split(",").map((each) => each.trim().toLowerCase());

/** Lists the CORS headers of a response. */
const listCors = (headers: Headers): string[] =>
	[...headers.keys()].filter((name) => name.startsWith("access-control-"));

export const origins: readonly Scenario[] = [
	{
		name: "a CORS preflight of /mcp needs no bearer",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			for (const origin of ["https://claude.ai", "https://app.claude.com", "http://localhost:6274"]) {
				const { status, headers } = await world.anyone.call("OPTIONS", "/mcp", {
					headers: preflight(origin),
				});
				assert.equal(status, 204);
				assert.equal(headers.get("access-control-allow-origin"), origin);
				assert.equal(headers.get("access-control-allow-credentials"), null);
				assert.match(headers.get("vary") ?? "", /origin/i);
				const allowed = listIn(headers, "access-control-allow-headers");
				for (const name of ASKED) assert.ok(allowed.includes(name), name);
				assert.ok(listIn(headers, "access-control-allow-methods").includes("post"));
			}
		},
	},
	{
		name: "a page of an allowed origin can read every response of /mcp, including the 401 and its header",
		cites: ["MCP-BEARER-401-HEADER", "MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			const origin = "https://claude.ai";
			const answers = [
				await world.anyone.call("POST", "/mcp", { headers: { origin }, body: {} }),
				await world.anyone.call("GET", "/mcp", { headers: { origin, ...bearer(world.owner) } }),
				await world.anyone.call("POST", "/mcp", { headers: { origin, ...bearer(world.owner) }, raw: "{" }),
				await mcpCall(world, world.owner, MODERN, "tools/list", {}, { headers: { origin } }),
			];
			assert.deepEqual(
				answers.map(({ status }) => status),
				[401, 405, 400, 200],
			);
			for (const { headers } of answers) {
				assert.equal(headers.get("access-control-allow-origin"), origin);
				const exposed = listIn(headers, "access-control-expose-headers");
				for (const name of EXPOSED) assert.ok(exposed.includes(name), name);
			}
			assert.match(answers[0]?.headers.get("www-authenticate") ?? "", /^Bearer resource_metadata="/);
		},
	},
	{
		name: "a page of a foreign origin gets 403 at /mcp, with any bearer",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			const foreign = [
				EVIL,
				"null",
				"https://claude.ai.evil.example",
				"https://evilclaude.ai",
				"http://claude.ai",
				"https://claude.ai:8443",
				"https://localhost.evil.example",
				"file://",
				"garbage",
			];
			for (const origin of foreign) {
				for (const era of ERAS) {
					const answer = await mcpCall(world, world.owner, era, "tools/list", {}, { headers: { origin } });
					assert.equal(answer.status, 403, origin);
					assert.deepEqual(listCors(answer.headers), []);
				}
				const asked = await world.anyone.call("OPTIONS", "/mcp", { headers: preflight(origin) });
				assert.equal(asked.status, 403, origin);
				assert.deepEqual(listCors(asked.headers), []);
			}
		},
	},
	{
		name: "only pages of the same origin can read the console's endpoints",
		cites: ["MCP-GUI-AUTH"],
		environment: OPEN,
		async run(world) {
			const own = world.target.publicUrl;
			const call = (method: string, origin: string) =>
				world.anyone.call(method, "/gui/session", { headers: { origin, ...bearer(world.owner) } });
			const mine = await call("GET", own);
			assert.equal(mine.status, 200);
			assert.equal(mine.headers.get("access-control-allow-origin"), own);
			const asked = await world.anyone.call("OPTIONS", "/gui/session", { headers: preflight(own, "PUT") });
			assert.equal(asked.status, 204);
			const nobody = await world.anyone.call("GET", "/gui/session", { headers: { origin: own } });
			assert.equal(nobody.status, 401);
			assert.equal(nobody.headers.get("access-control-allow-origin"), own);
			for (const origin of [EVIL, "null", "https://claude.ai", "http://localhost:1"]) {
				for (const method of ["GET", "OPTIONS", "POST"]) {
					const answer = await call(method, origin);
					assert.equal(answer.status, 403, `${method} ${origin}`);
					assert.deepEqual(listCors(answer.headers), []);
				}
			}
		},
	},
	{
		name: "with a public address set, the console may be served from it",
		cites: ["MCP-GUI-AUTH"],
		environment: OPEN,
		async run(world) {
			const origin = "https://tripline.example";
			await withRestart(world, OPEN, { ...publicAt(origin), ...OPEN }, async () => {
				const headers = { origin, ...bearer(world.owner) };
				const answer = await world.anyone.call("GET", "/gui/session", { headers });
				assert.deepEqual([answer.status, answer.headers.get("access-control-allow-origin")], [200, origin]);
				const put = await world.anyone.call("POST", "/gui/search", { headers, body: { q: "x" } });
				assert.equal(put.status, 200);
			});
		},
	},
];
