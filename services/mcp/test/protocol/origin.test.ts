import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findOriginProblem } from "../../src/protocol/origin.ts";

const known = {
	own: ["https://flows.example.com", "http://192.168.1.5:8484"],
	redirectHosts: ["claude.ai", "example.org"],
};

describe("the Origin of a browser's page", () => {
	for (const origin of [
		null,
		"https://flows.example.com",
		"http://192.168.1.5:8484",
		"http://localhost",
		"http://localhost:6274",
		"https://localhost:3000",
		"http://127.0.0.1:9999",
		"http://[::1]:8484",
		"https://claude.ai",
		"https://www.claude.ai",
		"https://a.b.example.org",
	]) {
		test(`${origin} may call`, () => {
			assert.equal(findOriginProblem(origin, known), null);
		});
	}

	for (const origin of [
		"",
		"null",
		"nonsense",
		"https://evil.com",
		"http://flows.example.com",
		"https://flows.example.com:8443",
		"https://flows.example.com.evil.com",
		"http://192.168.1.5",
		"http://claude.ai",
		"https://claude.ai:8443",
		"https://claude.ai.",
		"https://claude.ai/",
		"https://CLAUDE.ai",
		"https://user@claude.ai",
		"https://evilclaude.ai",
		"https://claude.ai.evil.com",
		"http://localhost.evil.com",
		"http://127.0.0.1.evil.com",
		"http://0.0.0.0:8484",
		"http://[::ffff:127.0.0.1]",
		"javascript://claude.ai",
		"vscode-webview://localhost",
		"ftp://localhost",
		"file://",
		"https://claude.ai, https://evil.com",
	]) {
		test(`${JSON.stringify(origin)} must not call`, () => {
			assert.equal(typeof findOriginProblem(origin, known), "string");
		});
	}
});
