import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isPublicAddress, isPublicName, parseAllowedHosts } from "../src/addresses.ts";
import { OutboundRefused } from "../src/http.ts";
import { outboundGuard } from "../src/http-guard.ts";

/** Whether a URL may be called, where a name stands for `address`. */
function isAllowed(setting: string, text: string, address?: string): boolean {
	const guard = outboundGuard({ allow: parseAllowedHosts(setting) });
	const url = new URL(text);
	try {
		guard.checkUrl(url);
		if (address !== undefined)
			guard.checkAddress({ hostname: url.hostname, port: Number(url.port) }, address);
		return true;
	} catch (error) {
		assert.ok(error instanceof OutboundRefused);
		return false;
	}
}

describe("addresses", () => {
	test("only Internet addresses are public", () => {
		for (const address of [
			"1.1.1.1",
			"8.8.8.8",
			"172.32.0.1",
			"100.128.0.1",
			"2606:4700::1111",
			"::ffff:8.8.8.8",
		]) {
			assert.equal(isPublicAddress(address), true, address);
		}
		for (const address of [
			"127.0.0.1",
			"::ffff:127.0.0.1",
			"::7f00:1",
			"4000::1",
			"168.63.129.16",
			"x",
			"",
		]) {
			assert.equal(isPublicAddress(address), false, address);
		}
	});

	test("names of local networks are not public", () => {
		for (const name of [
			"example.com",
			"a.b.example.co.uk",
			"local.example.com",
			"mylocal.com",
			"internal.dev",
		]) {
			assert.equal(isPublicName(name), true, name);
		}
		for (const name of [
			"localhost",
			"redis",
			"a.local",
			"a.internal",
			"a.home.arpa",
			"a.lan",
			"a.localhost",
		]) {
			assert.equal(isPublicName(name), false, name);
		}
	});
});

describe("hosts that are allowed", () => {
	test("a name is allowed whatever it resolves to, on any port or one", () => {
		assert.equal(isAllowed("db.internal", "http://DB.internal:5000/", "10.0.0.1"), true);
		assert.equal(isAllowed("db.internal:5000", "http://db.internal:5000/", "10.0.0.1"), true);
		assert.equal(isAllowed("db.internal:5000", "http://db.internal:5001/"), false);
		assert.equal(isAllowed("db.internal", "http://x.db.internal/"), false);
		assert.equal(isAllowed("wiki.example", "http://wiki.example/", "192.168.0.9"), true);
		assert.equal(isAllowed("wiki.example", "http://other.example/", "192.168.0.9"), false);
		assert.equal(isAllowed("bücher.internal", "http://xn--bcher-kva.internal/"), true);
	});

	test("an address is allowed in every notation, and for names that resolve to it", () => {
		for (const url of ["http://127.0.0.1:80/", "http://2130706433/", "http://[::ffff:127.0.0.1]/"]) {
			assert.equal(isAllowed("127.0.0.1", url), true);
		}
		assert.equal(isAllowed("127.0.0.1:8080", "http://127.0.0.1:8080/"), true);
		assert.equal(isAllowed("127.0.0.1:8080", "http://127.0.0.1/"), false);
		assert.equal(isAllowed("127.0.0.1:443", "https://127.0.0.1/"), true);
		assert.equal(isAllowed("::1", "http://[::1]/"), true);
		assert.equal(isAllowed("[::1]:81", "http://[::1]:81/"), true);
		assert.equal(isAllowed("[::1]:81", "http://[::1]:82/"), false);
		assert.equal(isAllowed("10.0.0.7", "http://wiki.example/", "10.0.0.7"), true);
		assert.equal(isAllowed("127.0.0.1", "http://localhost/"), false);
	});

	test("an address range is allowed, but not addresses next to it", () => {
		assert.equal(isAllowed("10.1.0.0/16", "http://10.1.255.255/"), true);
		assert.equal(isAllowed("10.1.0.0/16", "http://10.2.0.0/"), false);
		assert.equal(isAllowed("fd00::/8", "http://[fd12::1]/"), true);
		assert.equal(isAllowed("fd00::/8", "http://[fe80::1]/"), false);
	});

	test("entries are separated by commas, and empty ones are ignored", () => {
		assert.deepEqual(parseAllowedHosts("").entries, []);
		assert.deepEqual(parseAllowedHosts(" , ,").entries, []);
		assert.equal(parseAllowedHosts(" db.internal , 10.0.0.0/8,[::1]:80, ").entries.length, 3);
	});

	test("an invalid entry is reported by its position", () => {
		const wrong = [
			"http://db.internal",
			"db.internal/path",
			"*.internal",
			"user@db",
			"a b",
			"db:0",
			"db:65536",
			"db:port",
			"[::1",
			"10.0.0.0/33",
			"10.0.0/8/8",
			"10.0.0.0/8:80",
			"::ffff:10.0.0.0/104",
			"256.0.0.1",
			"db.internal.",
			":80",
			"%41",
		];
		for (const entry of wrong) {
			assert.throws(() => parseAllowedHosts(`10.0.0.1, ${entry}`), {
				message:
					"must be a comma-separated list of hosts, host:port or address ranges such as 10.0.0.0/8: entry 2 is invalid",
			});
		}
	});
});
