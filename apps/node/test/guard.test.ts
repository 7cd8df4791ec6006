import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { guardBrowsers } from "../src/guard.ts";

const status = async (
	url: string,
	options: { method?: string; origin?: string; urls?: string[]; host?: string } = {},
): Promise<number> => {
	const fetch = guardBrowsers(async () => new Response("through"), {
		host: options.host ?? "127.0.0.1",
		urls: options.urls ?? [],
	});
	const headers = options.origin === undefined ? {} : { origin: options.origin };
	return (await fetch(new Request(url, { method: options.method ?? "GET", headers }))).status;
};

describe("what browsers may reach", () => {
	test("loopback names and the configured host are served", async () => {
		for (const name of ["localhost", "127.0.0.1", "127.9.9.9", "[::1]"]) {
			assert.equal(await status(`http://${name}:8484/x`), 200);
		}
		assert.equal(await status("http://192.0.2.7:8484/x", { host: "192.0.2.7" }), 200);
	});

	test("a name that was rebound to this address is refused", async () => {
		for (const name of [
			"evil.example",
			"localhost.evil.example",
			"127.0.0.1.evil.example",
			"0.0.0.0",
			"local",
		]) {
			assert.equal(await status(`http://${name}:8484/x`), 403);
		}
	});

	test("the public address is served when it is configured", async () => {
		assert.equal(await status("http://flows.example/x", { urls: ["https://flows.example"] }), 200);
		assert.equal(await status("http://other.example/x", { urls: ["https://flows.example"] }), 403);
	});

	test("a page of another origin may read nothing and change nothing", async () => {
		const from = (origin: string, method: string) => status("http://localhost:8484/x", { origin, method });
		for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
			for (const origin of [
				"https://evil.example",
				"null",
				"http://localhost:3000",
				"http://localhost",
				"",
			]) {
				assert.equal(await from(origin, method), 403, `${method} from ${origin}`);
			}
			assert.equal(await from("http://localhost:8484", method), 200);
		}
	});

	test("the public address is an origin of its own", async () => {
		const options = { method: "POST", origin: "https://flows.example", urls: ["https://flows.example"] };
		assert.equal(await status("http://flows.example/x", options), 200);
	});
});
