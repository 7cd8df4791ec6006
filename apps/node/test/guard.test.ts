import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TRIGGER_PATH } from "@tripline/executor/http/trigger-description";
import { systemClock } from "@tripline/platform/clock";
import { incomingOf } from "@tripline/web/exchange";
import { guardBrowsers } from "../src/guard.ts";

const through = async () => ({ status: 200, headers: {}, body: "through" });

interface Attempt {
	readonly method?: string;
	readonly origin?: string;
	readonly urls?: string[];
	readonly host?: string;
	readonly anyAddress?: boolean;
	readonly fromAnywhere?: readonly RegExp[];
}

async function status(
	url: string,
	{ method = "GET", origin, host = "127.0.0.1", ...accepted }: Attempt = {},
) {
	const guarded = guardBrowsers(through, {
		host,
		...accepted,
		clock: systemClock,
		log: () => {},
	});
	const request = new Request(url, { method, headers: origin === undefined ? {} : { origin } });
	return (await guarded(incomingOf(request))).status;
}

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

	test("a listener on every address takes any address as Host, but no name", async () => {
		const everywhere = { host: "0.0.0.0", anyAddress: true };
		assert.equal(await status("http://192.0.2.7:8485/x", everywhere), 200);
		assert.equal(await status("http://[2001:db8::7]:8485/x", everywhere), 200);
		assert.equal(await status("http://evil.example:8485/x", everywhere), 403);
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

	test("a page of another origin may call a trigger, and nothing that only looks like one", async () => {
		const post = { method: "POST", origin: "https://evil.example", fromAnywhere: [TRIGGER_PATH] };
		for (const path of ["0123456789abcdef", "named/digest", "named/default/digest"]) {
			assert.equal(await status(`http://localhost:8484/webhooks/${path}/trigger`, post), 200, path);
		}
		for (const path of [
			"/webhooks",
			"/webhooks/named",
			"/webhooks/named/x",
			"/x/webhooks/a/trigger",
			"/events",
		]) {
			assert.equal(await status(`http://localhost:8484${path}`, post), 403, path);
			assert.equal(await status(`http://localhost:8484${path}?/webhooks/a/trigger`, post), 403, path);
		}
	});

	test("a host that is no host is refused", async () => {
		for (const host of ["localhost:99999", "local host", "localhost:8484@evil.example", "[::1", ""]) {
			const request = { ...incomingOf(new Request("http://localhost/x")), url: `http://${host}/x` };
			const guarded = guardBrowsers(through, {
				host: "127.0.0.1",
				clock: systemClock,
				log: () => {},
			});
			assert.equal((await guarded(request)).status, 403, host);
		}
	});
});
