import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { NAMED_RUN_PATH, TOKEN_TRIGGER_PATH } from "@tripline/executor/http/trigger-description";
import { systemClock } from "@tripline/platform/clock";
import { toIncoming } from "@tripline/web/http-message";
import { guardBrowsers } from "../src/guard.ts";

const passThrough = async () => ({ status: 200, headers: {}, body: "through" });

interface Attempt {
	readonly method?: string;
	readonly origin?: string;
	readonly site?: string;
	readonly urls?: string[];
	readonly host?: string;
	readonly anyAddress?: boolean;
	readonly anyOrigin?: readonly RegExp[];
	readonly sameOriginOnly?: RegExp;
}

async function status(
	url: string,
	{ method = "GET", origin, site, host = "127.0.0.1", ...accepted }: Attempt = {},
) {
	const guarded = guardBrowsers(passThrough, {
		host,
		...accepted,
		clock: systemClock,
		log: () => {},
	});
	const headers = new Headers();
	if (origin !== undefined) headers.set("origin", origin);
	if (site !== undefined) headers.set("sec-fetch-site", site);
	const request = new Request(url, { method, headers });
	return (await guarded(toIncoming(request))).status;
}

describe("browser guard", () => {
	test("loopback names and the configured host are served", async () => {
		for (const name of ["localhost", "127.0.0.1", "127.9.9.9", "[::1]"]) {
			assert.equal(await status(`http://${name}:8484/x`), 200);
		}
		assert.equal(await status("http://192.0.2.7:8484/x", { host: "192.0.2.7" }), 200);
	});

	test("refuses a name that was rebound to this address", async () => {
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

	test("a listener on all addresses accepts any IP address as Host, but no name", async () => {
		const everywhere = { host: "0.0.0.0", anyAddress: true };
		assert.equal(await status("http://192.0.2.7:8485/x", everywhere), 200);
		assert.equal(await status("http://[2001:db8::7]:8485/x", everywhere), 200);
		assert.equal(await status("http://evil.example:8485/x", everywhere), 403);
	});

	test("the configured public address is served", async () => {
		assert.equal(await status("http://flows.example/x", { urls: ["https://flows.example"] }), 200);
		assert.equal(await status("http://other.example/x", { urls: ["https://flows.example"] }), 403);
	});

	test("a page of another origin can read and change nothing", async () => {
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

	test("the public address counts as an own origin", async () => {
		const options = { method: "POST", origin: "https://flows.example", urls: ["https://flows.example"] };
		assert.equal(await status("http://flows.example/x", options), 200);
	});

	test("a page of another origin may call a token trigger, but no path that only looks like one", async () => {
		const post = { method: "POST", origin: "https://evil.example", anyOrigin: [TOKEN_TRIGGER_PATH] };
		assert.equal(await status("http://localhost:8484/webhooks/0123456789abcdef/trigger", post), 200);
		for (const path of [
			"/webhooks",
			"/webhooks/named",
			"/webhooks/named/x",
			"/webhooks/named/digest/trigger",
			"/webhooks/named/default/digest/trigger",
			"/x/webhooks/a/trigger",
			"/events",
		]) {
			assert.equal(await status(`http://localhost:8484${path}`, post), 403, path);
			assert.equal(await status(`http://localhost:8484${path}?/webhooks/a/trigger`, post), 403, path);
		}
	});

	const NAMED = [
		"/webhooks/named/digest/trigger",
		"/webhooks/named/default/digest/trigger",
		"/webhooks/named/digest/query",
		"/q/default/digest",
		"/q/default/digest?name=Ada",
		"/q/%64efault/..%2f",
	];

	test("a page of another origin may not run a workflow by its name, by any method", async () => {
		for (const path of NAMED) {
			for (const method of ["GET", "POST", "HEAD", "OPTIONS"]) {
				const from = (by: Attempt) =>
					status(`http://localhost:8484${path}`, { method, sameOriginOnly: NAMED_RUN_PATH, ...by });
				for (const origin of ["https://evil.example", "null", "http://localhost:3000", ""]) {
					assert.equal(await from({ origin }), 403, `${method} ${path} from ${origin}`);
					assert.equal(await from({ origin, site: "same-origin" }), 403, `${method} ${path} from ${origin}`);
				}
				for (const site of ["cross-site", "same-site", "none, cross-site"]) {
					assert.equal(await from({ site }), 403, `${method} ${path}: ${site}`);
					assert.equal(await from({ site, origin: "http://localhost:8484" }), 403);
				}
				for (const site of ["same-origin", "none"]) assert.equal(await from({ site }), 200);
				assert.equal(await from({ origin: "http://localhost:8484", site: "same-origin" }), 200);
				assert.equal(await from({}), 200);
			}
		}
	});

	test("other paths may be read from another site", async () => {
		const cross = { site: "cross-site", sameOriginOnly: NAMED_RUN_PATH, anyOrigin: [TOKEN_TRIGGER_PATH] };
		for (const path of ["/console", "/authorize", "/webhooks/named/digest", "/q/default", "/q/a/b/c"]) {
			assert.equal(await status(`http://localhost:8484${path}`, cross), 200, path);
		}
		const trigger = { ...cross, method: "POST", origin: "https://evil.example" };
		assert.equal(await status("http://localhost:8484/webhooks/0123456789abcdef/trigger", trigger), 200);
	});

	test("refuses an invalid Host", async () => {
		for (const host of ["localhost:99999", "local host", "localhost:8484@evil.example", "[::1", ""]) {
			const request = { ...toIncoming(new Request("http://localhost/x")), url: `http://${host}/x` };
			const guarded = guardBrowsers(passThrough, {
				host: "127.0.0.1",
				clock: systemClock,
				log: () => {},
			});
			assert.equal((await guarded(request)).status, 403, host);
		}
	});
});
