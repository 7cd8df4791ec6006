import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Manifest } from "@tripline/contract/registry";
import fc from "fast-check";
import { hashManifest, toCanonicalJson } from "../../src/installed/canonical.ts";
import { codeWith } from "./manifest.ts";

/** The same value with the keys of every object in another order. */
function shuffle(value: unknown): unknown {
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map(shuffle);
	return Object.fromEntries(
		Object.entries(value)
			.reverse()
			.map(([key, inner]) => [key, shuffle(inner)]),
	);
}

describe("canonical JSON", () => {
	test("does not depend on the order of names, and parses to the value", () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				assert.equal(toCanonicalJson(shuffle(value)), toCanonicalJson(value));
				assert.deepEqual(JSON.parse(toCanonicalJson(value)), JSON.parse(JSON.stringify(value)));
			}),
		);
	});

	test("differs for different values", () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
				const [first, second] = [JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))];
				let same = true;
				try {
					assert.deepStrictEqual(first, second);
				} catch {
					same = false;
				}
				assert.equal(toCanonicalJson(first) === toCanonicalJson(second), same);
			}),
		);
	});

	test("follows RFC 8785", () => {
		const value = { "\u20ac": "Euro", "\r": "CR", "1": "One", "\ud83d\ude00": [1e30, 4.5, 0.002, 1e-27, -0] };
		assert.equal(toCanonicalJson(value), '{"\\r":"CR","1":"One","€":"Euro","😀":[1e+30,4.5,0.002,1e-27,0]}');
		assert.equal(toCanonicalJson(JSON.parse('{"b":1,"__proto__":{"a":1}}')), '{"__proto__":{"a":1},"b":1}');
		assert.equal(toCanonicalJson({ a: undefined, b: null }), '{"b":null}');
	});
});

describe("the hash of a manifest", () => {
	test("is equal for equal manifests, also after parsing, and differs for others", async () => {
		const manifest = Manifest.parse(codeWith());
		const hash = await hashManifest(manifest);
		assert.match(hash, /^[0-9a-f]{64}$/);
		assert.equal(await hashManifest(Manifest.parse(shuffle(manifest))), hash);
		assert.equal(await hashManifest(Manifest.parse(JSON.parse(toCanonicalJson(manifest)))), hash);
		assert.notEqual(await hashManifest(Manifest.parse(codeWith({ version: "1.2.4" }))), hash);
	});
});
