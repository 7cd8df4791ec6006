import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { anyPath } from "../../../../test/any-character.ts";
import { findRedirectProblem, isSameRedirect } from "../../src/oauth/redirect-uri.ts";
import { ALLOWED, ALLOWED_HOSTS, FORBIDDEN } from "./redirect-uris.ts";

describe("redirect URIs", () => {
	for (const uri of ALLOWED) {
		it(`allows ${uri}`, () => assert.equal(findRedirectProblem(uri, ALLOWED_HOSTS), null));
	}

	for (const uri of FORBIDDEN) {
		it(`refuses ${JSON.stringify(uri)}`, () => {
			assert.equal(typeof findRedirectProblem(uri, ALLOWED_HOSTS), "string");
		});
	}

	it("allows only listed vendor hosts", () => {
		assert.notEqual(findRedirectProblem("https://vscode.dev/redirect", ["claude.ai"]), null);
		assert.equal(findRedirectProblem("http://localhost:1/callback", []), null);
	});

	it("allows a listed IP address only in its listed form", () => {
		assert.equal(findRedirectProblem("https://10.0.0.5/callback", ["10.0.0.5"]), null);
		for (const host of ["10.5", "0xa.0.0.5", "167772165"])
			assert.notEqual(findRedirectProblem(`https://${host}/callback`, ["10.0.0.5"]), null);
	});

	it("accepts nothing that a browser takes to another host", () => {
		const piece = fc.constantFrom(
			...["https", "http", "javascript", ":", "//", "/", "\\", "@", "#", "?", ".", "claude.ai", "evil.com"],
			...["CLAUDE.AI", "Evil.Com", "LOCALHOST", "HTTPS", "A", "\u212a", "\u017f"],
			...[
				"localhost",
				"127.0.0.1",
				"[::1]",
				"0x7f.1",
				"%2f",
				"%40",
				"\t",
				" ",
				"ａ",
				":443",
				":80",
				"-",
				"a",
			],
		);
		const written = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
		const anything = fc.oneof(
			written,
			written.map((rest) => `https://${rest}`),
			written.map((rest) => `https://claude.ai${rest}`),
			written.map((rest) => `https://CLAUDE.AI${rest}`),
			written.map((rest) => `http://localhost${rest}`),
			fc
				.tuple(fc.constantFrom("http", "https"), fc.webAuthority(), anyPath)
				.map(([scheme, host, path]) => `${scheme}://${host}${path}`),
			fc.string(),
		);
		fc.assert(
			fc.property(anything, (uri) => {
				if (findRedirectProblem(uri, ["claude.ai"]) !== null) return;
				const url = new URL(uri);
				const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
				const isVendor = url.hostname === "claude.ai" || url.hostname.endsWith(".claude.ai");
				assert.ok(isLoopback || (isVendor && url.protocol === "https:" && url.port === ""), uri);
				assert.ok(url.protocol === "https:" || url.protocol === "http:", uri);
				assert.equal(url.username + url.password + url.hash, "");
			}),
			{ numRuns: 5_000 },
		);
	});

	it("must match exactly, except for the port of a loopback address", () => {
		assert.ok(isSameRedirect("http://localhost:1234/callback", "http://localhost:5678/callback"));
		assert.ok(isSameRedirect("http://[::1]/callback", "http://[::1]:5678/callback"));
		assert.ok(!isSameRedirect("http://localhost:1234/callback", "http://localhost:1234/other"));
		assert.ok(!isSameRedirect("http://localhost:1234/callback", "http://localhost:1234/callback?a=1"));
		assert.ok(!isSameRedirect("http://localhost:1234/callback", "https://localhost:1234/callback"));
		assert.ok(!isSameRedirect("http://localhost:1234/callback", "http://127.0.0.1:1234/callback"));
		assert.ok(!isSameRedirect("https://claude.ai/callback", "https://claude.ai/callback/"));
		assert.ok(!isSameRedirect("https://claude.ai/callback", "https://claude.ai:443/callback"));
		assert.ok(!isSameRedirect("https://claude.ai/callback", "https://CLAUDE.ai/callback"));
	});
});
