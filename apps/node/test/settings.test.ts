import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseSettings, StartProblem } from "../src/settings.ts";

const problem = (variables: Record<string, string>): string => {
	try {
		parseSettings(variables);
	} catch (error) {
		assert.ok(error instanceof StartProblem);
		assert.doesNotMatch(error.message, /\n/);
		return error.message;
	}
	return assert.fail(`accepted ${JSON.stringify(variables)}`);
};

describe("settings", () => {
	test("nothing set gives the laptop's defaults", () => {
		const settings = parseSettings({});
		assert.equal(settings.HOST, "127.0.0.1");
		assert.equal(settings.PORT, 8484);
		assert.equal(settings.STORE_PORT, 8485);
		assert.equal(settings.DATA_DIR, "./data");
		assert.equal(settings.MULTI_TENANT, false);
		assert.equal(settings.NAMESPACE, "default");
		assert.equal(settings.EXECUTION_RETENTION_DAYS, 30);
		assert.equal(settings.EXECUTION_LOG_DAILY_WRITE_LIMIT, 20_000);
		assert.equal(settings.MAX_BODY_BYTES, 1_048_576);
	});

	test("MULTI_TENANT is what it was set to", () => {
		assert.equal(parseSettings({ MULTI_TENANT: "true" }).MULTI_TENANT, true);
		assert.equal(parseSettings({ MULTI_TENANT: "false" }).MULTI_TENANT, false);
	});

	test("a bad value is one line that names the setting and what it must be", () => {
		const bad: [string, string[]][] = [
			["PORT", ["", "abc", "-1", "65536", "80.5", "0x50"]],
			["STORE_PORT", ["99999"]],
			["HOST", ["", "a b", "http://x"]],
			["DATA_DIR", [""]],
			["BASE_URL", ["example.org", "ftp://example.org", "https://example.org/?q=1", ""]],
			["MULTI_TENANT", ["", "yes", "TRUE", "1"]],
			["NAMESPACE", ["", "-x", "a/b", "x".repeat(65)]],
			["MCP_OWNER_SECRET", ["short"]],
			["OAUTH_KV", ["maybe"]],
			["STORE_INTERNAL_TOKEN", ["", "short"]],
			["SERVICE_ACCESS_TOKEN", ["short"]],
			["EXECUTION_RETENTION_DAYS", ["0", "-1", "1.5", "forever"]],
			["EXECUTION_LOG_DAILY_WRITE_LIMIT", ["-1", "many"]],
			["MAX_BODY_BYTES", ["0", "1e6"]],
			["LOG_LEVEL", ["loud"]],
		];
		for (const [name, values] of bad) {
			for (const value of values) assert.match(problem({ [name]: value }), new RegExp(`^${name} must `));
		}
	});

	test("a bad secret is not repeated", () => {
		assert.doesNotMatch(problem({ STORE_INTERNAL_TOKEN: "hunter2" }), /hunter2/);
	});

	test("the owner secret may be empty, which means not configured", () => {
		assert.equal(parseSettings({ MCP_OWNER_SECRET: "" }).MCP_OWNER_SECRET, "");
	});

	test("a store that others can reach needs a token", () => {
		assert.match(problem({ STORE_HOST: "0.0.0.0" }), /set STORE_INTERNAL_TOKEN/);
		parseSettings({ STORE_HOST: "0.0.0.0", STORE_INTERNAL_TOKEN: "0123456789abcdef" });
		parseSettings({ STORE_HOST: "::1" });
	});

	test("a self-hosted service that others can reach needs an access token", () => {
		assert.match(problem({ HOST: "0.0.0.0" }), /set SERVICE_ACCESS_TOKEN/);
		assert.match(problem({ HOST: "192.0.2.1", MULTI_TENANT: "false" }), /set SERVICE_ACCESS_TOKEN/);
		assert.match(problem({ BASE_URL: "https://example.org" }), /BASE_URL .* set SERVICE_ACCESS_TOKEN/);
		assert.match(problem({ MCP_URL: "https://example.org" }), /MCP_URL .* set SERVICE_ACCESS_TOKEN/);
		parseSettings({ HOST: "0.0.0.0", SERVICE_ACCESS_TOKEN: "0123456789abcdef" });
		parseSettings({ MCP_URL: "https://example.org", SERVICE_ACCESS_TOKEN: "0123456789abcdef" });
		parseSettings({ MCP_URL: "http://localhost:9000", BASE_URL: "http://[::1]:9000" });
		parseSettings({ HOST: "0.0.0.0", MULTI_TENANT: "true" });
		parseSettings({ HOST: "127.0.0.2" });
	});

	test("an address may carry a trailing slash", () => {
		assert.equal(parseSettings({ BASE_URL: "http://localhost:80/" }).BASE_URL, "http://localhost:80");
	});
});
