import assert from "node:assert/strict";
import { test } from "node:test";
import { isLoopback, shortenTitle } from "../../src/pages/connect/address.ts";

test("recognises all forms of a loopback address", () => {
	for (const host of ["127.0.0.1:8484", "127.1.2.3", "localhost:1", "a.localhost", "[::1]:80"])
		assert.equal(isLoopback(`http://${host}/mcp`), true, host);
});

test("does not treat other addresses as loopback", () => {
	for (const url of [
		"https://example.com/mcp",
		"http://192.168.0.2/mcp",
		"https://127.example.com",
		"no address",
	])
		assert.equal(isLoopback(url), false, url);
});

test("shortens a title at the comma", () => {
	assert.equal(shortenTitle("mcp-remote, for clients that only start programs"), "mcp-remote");
	assert.equal(shortenTitle("Cursor"), "Cursor");
});
