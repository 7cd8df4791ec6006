import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { startWorld } from "./world.ts";

const TOKEN = "a-static-token-for-tests";
const { cli, place, service } = await startWorld({ MCP_STATIC_TOKEN: TOKEN });
const url = `${service.publicUrl}/mcp`;

const readContent = (cwd: string) => JSON.parse(readFileSync(join(cwd, ".mcp.json"), "utf8"));

describe("mcp-setup", () => {
	test("writes .mcp.json from the resolved mcp_url and prints the next step", async () => {
		const { code, out, cwd } = await cli(["mcp-setup"]);
		assert.equal(code, 0);
		assert.deepEqual(readContent(cwd), { mcpServers: { tripline: { type: "http", url } } });
		assert.match(out, /^wrote \.mcp\.json: tripline is http:\/\/127\.0\.0\.1:\d+\/mcp\nnext: /);
		assert.deepEqual(readdirSync(cwd), [".mcp.json"]);
	});

	test("takes mcp_url from the project's config file", async () => {
		const { cwd } = await cli(["mcp-setup"], {
			env: { SERVICE_MCP_URL: undefined },
			files: { "tripline.json": '{ "mcp_url": "https://tripline.example.com/" }' },
		});
		assert.equal(readContent(cwd).mcpServers.tripline.url, "https://tripline.example.com/mcp");
	});

	test("keeps the other servers and everything else in the file", async () => {
		const before = {
			inputs: [],
			mcpServers: { other: { command: "x" }, tripline: { type: "http", url: "old" } },
		};
		const { cwd } = await cli(["mcp-setup"], { files: { ".mcp.json": JSON.stringify(before) } });
		assert.deepEqual(readContent(cwd), {
			inputs: [],
			mcpServers: { other: { command: "x" }, tripline: { type: "http", url } },
		});
	});

	test("changes nothing when repeated", async () => {
		const at = place();
		await cli(["mcp-setup"], { at });
		const { json } = await cli(["mcp-setup", "--json"], { at });
		assert.deepEqual(json, { file: ".mcp.json", url, changed: false });
	});

	for (const broken of ["{ broken", "[]", '{ "mcpServers": [] }', "null"]) {
		test(`rejects ${broken} and does not change it`, async () => {
			const { code, err, cwd } = await cli(["mcp-setup"], { files: { ".mcp.json": broken } });
			assert.equal(code, 1);
			assert.match(err, /is not a JSON object and was not changed/);
			assert.equal(readFileSync(join(cwd, ".mcp.json"), "utf8"), broken);
		});
	}

	test("--static-token-env writes the variable's name, not its value", async () => {
		const { cwd } = await cli(["mcp-setup", "--static-token-env", "MCP_STATIC_TOKEN"], {
			env: { MCP_STATIC_TOKEN: TOKEN },
		});
		assert.deepEqual(readContent(cwd).mcpServers.tripline.headers, {
			// biome-ignore lint/suspicious/noTemplateCurlyInString: the client replaces it.
			Authorization: "Bearer ${MCP_STATIC_TOKEN}",
		});
	});

	test("--static-token-env rejects a token, and does not repeat it", async () => {
		const { code, err, cwd } = await cli(["mcp-setup", "--static-token-env", TOKEN]);
		assert.equal(code, 2);
		assert.ok(!err.includes(TOKEN));
		assert.deepEqual(readdirSync(cwd), []);
	});
});

interface Verified {
	readonly ok: boolean;
	readonly checks: readonly { id: string; verdict: string; message: string; fix: string | null }[];
	readonly clients: readonly { fix: string | null }[];
}

describe("mcp-setup --verify", () => {
	test("finds nothing wrong with the real service, protocols included", async () => {
		const { code, out, err } = await cli(["mcp-setup", "--verify"], { env: { MCP_STATIC_TOKEN: TOKEN } });
		assert.equal(code, 0, out);
		assert.match(err, /wrote \.mcp\.json/);
		assert.equal(out.match(/^ok /gm)?.length, 9);
		assert.match(out, /These clients can log in: .*Claude Code/);
		assert.match(out, /ChatGPT cannot log in\.\n +.*chatgpt\.com/);
		assert.ok(!out.includes(TOKEN));
	});

	test("reads the token from .env", async () => {
		const { json } = await cli(["mcp-setup", "--verify", "--json"], {
			files: { ".env": `MCP_STATIC_TOKEN=${TOKEN}\n` },
		});
		assert.deepEqual(new Set((json as Verified).checks.map(({ verdict }) => verdict)), new Set(["ok"]));
	});

	test("without a token skips the protocol checks, which is not an error", async () => {
		const { code, json } = await cli(["mcp-setup", "--verify", "--json"]);
		assert.equal(code, 0);
		const { ok, checks } = json as Verified;
		assert.equal(ok, true);
		assert.deepEqual(
			checks.filter(({ verdict }) => verdict === "not tried").map(({ id }) => id),
			["protocol_2025_11_25", "protocol_2026_07_28"],
		);
	});

	test("reports a wrong token with a fix and exit code 1", async () => {
		const { code, out } = await cli(["mcp-setup", "--verify"], {
			env: { MCP_STATIC_TOKEN: "another-token-altogether" },
		});
		assert.equal(code, 1);
		assert.match(out, /^wrong +Protocol 2025-11-25: \/mcp rejects the credential\.\n +Log in again\./m);
		assert.ok(!out.includes("another-token-altogether"));
	});

	test("reports each failing check when a web page answers instead of the server", async (context) => {
		const other = await startListening(context, (_request, response) => response.end("<h1>hello</h1>"));
		const { code, json } = await cli(["mcp-setup", "--verify", "--json"], {
			env: { SERVICE_MCP_URL: other },
		});
		assert.equal(code, 1);
		const wrong = (json as Verified).checks.filter(({ verdict }) => verdict === "wrong");
		assert.deepEqual(
			wrong.map(({ id }) => id),
			["challenge", "resource_documents", "server_documents", "browsers", "registration", "login"],
		);
		for (const { message, fix } of wrong) assert.ok(message !== "" && fix !== null);
	});

	test("reports an unreachable server as one error", async () => {
		const { code, err } = await cli(["mcp-setup", "--verify"], {
			env: { SERVICE_MCP_URL: "http://127.0.0.1:1" },
		});
		assert.equal(code, 1);
		assert.match(
			err,
			/tripline: nothing answers at http:\/\/127\.0\.0\.1:1.*\n {2}start it with: tripline serve/,
		);
	});

	test("for a deployment on Cloudflare gives fixes that need no restart", async () => {
		const deployed = "https://tripline-mcp.someone.workers.dev";
		const fetchThere = (request: Request) =>
			fetch(new Request(request.url.replace(deployed, service.publicUrl), request));
		const { json } = await cli(["mcp-setup", "--verify", "--json"], {
			env: { SERVICE_MCP_URL: deployed },
			fetch: fetchThere,
		});
		const { checks, clients } = json as Verified;
		const fixes = [...checks, ...clients].flatMap(({ fix }) => fix ?? []).join("\n");
		assert.doesNotMatch(fixes, /restart/);
		assert.match(fixes, /^Set MCP_URL .*\. On Cloudflare: tripline update --force sets it\.$/m);
		assert.match(
			fixes,
			/^Set MCP_ALLOWED_REDIRECT_HOSTS=.*variables of the worker tripline-mcp; updates keep it\.$/m,
		);
		assert.match(
			fixes,
			/^Set MCP_STATIC_TOKEN.*npx wrangler secret put MCP_STATIC_TOKEN --name tripline-mcp$/m,
		);
	});

	test("does not suggest to start a remote deployment that does not answer", async () => {
		const { err } = await cli(["mcp-setup", "--verify"], {
			env: { SERVICE_MCP_URL: "https://tripline-mcp.someone.workers.dev" },
			fetch: () => Promise.reject(new TypeError("fetch failed")),
		});
		assert.match(
			err,
			/nothing answers at .*workers\.dev\n {2}check the network.*tripline config get mcp_url --where/,
		);
	});

	test("sends requests as a page in a browser would", async (context) => {
		const origins = new Set<string | undefined>();
		const other = await startListening(context, (request, response) => {
			origins.add(request.headers.origin);
			response.end();
		});
		await cli(["mcp-setup", "--verify"], { env: { SERVICE_MCP_URL: other } });
		assert.ok(origins.has("http://localhost:6274"));
	});
});

test("names a file that cannot be written", async () => {
	const at = place();
	writeFileSync(join(at.cwd, "file"), "");
	const { code, err } = await cli(["mcp-setup"], { at: { cwd: join(at.cwd, "file"), home: at.home } });
	assert.equal(code, 1);
	assert.match(err, /\.mcp\.json cannot be/);
});

async function startListening(context: TestContext, listener: RequestListener): Promise<string> {
	const server = createServer(listener);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	context.after(() => server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
