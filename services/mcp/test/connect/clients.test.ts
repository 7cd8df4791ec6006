import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClientInstruction, clientInstructions } from "../../src/connect/clients.ts";

const PUBLIC = "https://tripline.example";
const LOCAL = "http://127.0.0.1:8484";
const DEFAULTS = ["claude.ai", "claude.com"];

const listInstructions = (
	origin = PUBLIC,
	redirectHosts: readonly string[] = DEFAULTS,
): ClientInstruction[] => clientInstructions({ mcpUrl: `${origin}/mcp`, origin, redirectHosts });

const findInstruction = (id: string, ...args: Parameters<typeof listInstructions>): ClientInstruction => {
	const found = listInstructions(...args).find((each) => each.id === id);
	assert.ok(found, id);
	return found;
};

test("every client's steps name the address and the login", () => {
	for (const { id, title, steps, snippet } of listInstructions()) {
		const told = [...steps, snippet?.text ?? ""].join("\n");
		assert.ok(title !== "" && steps.length >= 2, id);
		assert.ok(told.includes(`${PUBLIC}/mcp`), id);
		assert.ok(told.includes(`${PUBLIC}/authorize`), id);
	}
});

test("JSON snippets are valid and name the server once", () => {
	for (const { id, snippet, token_snippet } of listInstructions()) {
		for (const each of [snippet, token_snippet]) {
			if (each === null) continue;
			assert.ok(each.text.includes(`${PUBLIC}/mcp`), id);
			if (each.language === "json") assert.match(JSON.stringify(JSON.parse(each.text)), /"tripline":\{/);
		}
	}
});

test("a token snippet says where the token comes from and contains none", () => {
	for (const { token_snippet } of listInstructions()) {
		if (token_snippet === null) continue;
		assert.match(token_snippet.text, /Bearer (?:\$\{|<your MCP_STATIC_TOKEN>)/);
	}
	for (const { snippet } of listInstructions()) assert.doesNotMatch(snippet?.text ?? "", /Bearer/);
});

test("the snippets have the format that each client reads", () => {
	const url = `${PUBLIC}/mcp`;
	assert.equal(
		findInstruction("claude-code").snippet?.text,
		`claude mcp add --transport http tripline ${url}`,
	);
	assert.deepEqual(JSON.parse(findInstruction("cursor").snippet?.text ?? ""), {
		mcpServers: { tripline: { url } },
	});
	assert.deepEqual(JSON.parse(findInstruction("vscode").snippet?.text ?? ""), {
		servers: { tripline: { type: "http", url } },
	});
	assert.equal(findInstruction("mcp-remote").snippet?.text, `npx -y mcp-remote ${url}`);
	assert.deepEqual(JSON.parse(findInstruction("claude-desktop").snippet?.text ?? ""), {
		mcpServers: { tripline: { command: "npx", args: ["-y", "mcp-remote", url] } },
	});
});

test("clients that call from their vendor's servers need a public address, and missing settings come first", () => {
	const needing = listInstructions(LOCAL).filter(({ needs_public_url }) => needs_public_url);
	assert.deepEqual(
		needing.map(({ id }) => id),
		["claude", "claude-desktop", "chatgpt"],
	);
	for (const { steps } of needing) {
		assert.match(steps[0] ?? "", /public https address.*MCP_URL/);
		assert.match(steps.join("\n"), /address https:\/\/<your public address>\/mcp/);
		assert.ok(!steps.slice(1).join("\n").includes(LOCAL), "what cannot work is not advised");
	}
	for (const { steps } of listInstructions()) assert.doesNotMatch(steps.join(), /public https address/);
	assert.match(
		findInstruction("claude", "http://tripline.example").steps[0] ?? "",
		/does not accept plain http/,
	);
});

test("names hosts that are not allowed and the setting that allows them", () => {
	const chatGpt = findInstruction("chatgpt");
	assert.deepEqual(chatGpt.redirect_hosts_missing, ["chatgpt.com"]);
	assert.match(chatGpt.steps[0] ?? "", /MCP_ALLOWED_REDIRECT_HOSTS=\+chatgpt\.com /);
	const allowed = findInstruction("chatgpt", PUBLIC, ["chatgpt.com"]);
	assert.deepEqual(allowed.redirect_hosts_missing, []);
	assert.doesNotMatch(allowed.steps.join(), /MCP_ALLOWED_REDIRECT_HOSTS/);
	assert.deepEqual(findInstruction("claude", PUBLIC, ["claude.ai"]).redirect_hosts_missing, ["claude.com"]);
});

test("mcp-remote gets --allow-http where it would refuse plain http", () => {
	assert.equal(findInstruction("mcp-remote", LOCAL).snippet?.text, `npx -y mcp-remote ${LOCAL}/mcp`);
	assert.match(findInstruction("mcp-remote", "http://nas.lan:8484").snippet?.text ?? "", / --allow-http$/);
});
