import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { isConfusable } from "../../src/domain/confusable.ts";
import { findAddresses, findHostProblem } from "../../src/domain/hosts.ts";
import { compareVersions } from "../../src/domain/versions.ts";

describe("names that can be mistaken for each other", () => {
	const yes = [
		["http_request", "http-request"],
		["http_request", "httprequest"],
		["github", "githib"],
		["github", "githubs"],
		["github", "gihtub"],
		["github", "g1thub"],
		["notion", "n0tion"],
		["stripe", "5tripe"],
		["learner", "leamer"],
		["map", "map"],
	] as const;
	const no = [
		["github", "gitlab"],
		["map", "mad"],
		["slack", "slack-files"],
		["csv-parse", "csv-write"],
		["weather", "feather-duster"],
	] as const;

	test("are distinguished from those that cannot, in either order", () => {
		for (const [one, other] of yes)
			assert.ok(isConfusable(one, other) && isConfusable(other, one), `${one} ${other}`);
		for (const [one, other] of no)
			assert.ok(!isConfusable(one, other) && !isConfusable(other, one), `${one} ${other}`);
	});

	test("include every name one typing error away", () => {
		const name = fc.string({ unit: fc.constantFrom(..."abcdefgh-"), minLength: 6, maxLength: 20 });
		fc.assert(
			fc.property(name, fc.nat(), fc.constantFrom(..."xyz"), (text, where, letter) => {
				const at = where % text.length;
				assert.ok(isConfusable(text, text.slice(0, at) + text.slice(at + 1)));
				assert.ok(isConfusable(text, text.slice(0, at) + letter + text.slice(at)));
				assert.ok(isConfusable(text, text.slice(0, at) + letter + text.slice(at + 1)));
			}),
		);
	});
});

describe("versions", () => {
	test("are compared by their numbers", () => {
		const sorted = ["0.9.9", "1.0.0", "1.0.2", "1.0.10", "1.2.0", "1.10.0", "2.0.0", "10.0.0"];
		assert.deepEqual([...sorted].reverse().sort(compareVersions), sorted);
		assert.equal(compareVersions("1.2.3", "1.2.3"), 0);
	});
});

describe("hosts", () => {
	test("must be public names to be declared", () => {
		const refused = [
			"localhost",
			"127.0.0.1",
			"10.0.0.1:8080",
			"2130706433",
			"0x7f000001",
			"127.1",
			"[::1]",
			"[fd00::1]:443",
			"metadata.google.internal",
			"printer.local",
			"*.local",
			"intranet",
			"router.lan",
			"1.0.0.127.in-addr.arpa",
			"0x7f.0.0.0x1",
		];
		assert.deepEqual(
			refused.filter((host) => findHostProblem(host) === null),
			[],
		);
		for (const host of [
			"api.example.com",
			"*.example.com",
			"api.example.com:8443",
			"{host}",
			"{site}.example.net",
		])
			assert.equal(findHostProblem(host), null);
	});

	test("are found in texts", () => {
		const hosts = (text: string) => findAddresses(text).map(({ host }) => host);
		assert.deepEqual(hosts("see https://API.Example.com/x and http://u:p@evil.org:81/?q"), [
			"api.example.com",
			"evil.org:81",
		]);
		assert.deepEqual(hosts("https://$" + "{host}/x https:// nothing"), []);
	});
});
