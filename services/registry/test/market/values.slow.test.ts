import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { runComponent } from "./run-component.ts";

const RUNS = { numRuns: 100 };
// A name that is only a backslash is missing on purpose: after an object with the name `\\\\`, JSON.parse of V8 14.6 reads
// the name `\\.` as the former.
const name = fc.constantFrom(
	"a",
	"b",
	"",
	".",
	"[0]",
	"0",
	"\\b",
	"__proto__",
	"a/b",
	"~1",
	"é",
	"constructor",
);
const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 3, withCrossShrink: true },
		fc.constantFrom<Json>(null, true, 0, -1.5, "", "text"),
		fc.array(tie("value"), { maxLength: 4 }),
		fc.array(fc.tuple(name, tie("value")), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
	),
}));
const anyObject = fc
	.array(fc.tuple(name, anyValue), { maxLength: 4 })
	.map((pairs): { [name: string]: Json } => Object.fromEntries(pairs));

test("flatten: unflattening restores the value", async () => {
	await fc.assert(
		fc.asyncProperty(anyObject, async (value) => {
			const flat = (await runComponent("flatten", { value })) as { [name: string]: Json };
			for (const leaf of Object.values(flat)) assert.ok(isLeaf(leaf), JSON.stringify(leaf));
			assert.deepEqual(
				toPlain(await runComponent("flatten", { operation: "unflatten", value: flat })),
				toPlain(value),
			);
		}),
		RUNS,
	);
});

const isLeaf = (value: Json) =>
	value === null || typeof value !== "object" || Object.keys(value).length === 0;
const toPlain = (value: Json): Json => JSON.parse(JSON.stringify(value));

test("flatten: reports which paths contradict each other", async () => {
	const unflatten = (value: { [name: string]: Json }) =>
		runComponent("flatten", { operation: "unflatten", value });
	await assert.rejects(unflatten({ a: 1, "a.b": 2 }), /"a\.b": a part of this path already has a value/);
	await assert.rejects(unflatten({ "a.b": 2, a: 1 }), /"a": something is below this value/);
	await assert.rejects(unflatten({ "a[0]": 1, "a.b": 2 }), /"a\.b": .* a list and an object at once/);
	await assert.rejects(unflatten({ "a]": 1 }), /"a\]" is no path/);
	await assert.rejects(unflatten({ "a[999999]": 1 }), /a\[0\] is missing/);
});

test("json_diff: its patch turns the old value into the new one", async () => {
	await fc.assert(
		fc.asyncProperty(anyValue, anyValue, async (before, after) => {
			const { patch, changed } = (await runComponent("json_diff", { before, after })) as Patch;
			assert.deepEqual(applyPatch(before, patch), toPlain(after));
			assert.equal(changed, patch.length > 0);
		}),
		{ numRuns: 200 },
	);
});

type Patch = { changed: boolean; patch: { op: string; path: string; value?: Json; old?: Json }[] };

/** Applies RFC 6902 strictly: a replaced or removed value must exist and equal the patch's old value. */
function applyPatch(before: Json, patch: Patch["patch"]): Json {
	let whole = toPlain(before);
	for (const { op, path, value = null, old } of patch) {
		if (path === "") {
			assert.deepEqual(whole, old);
			whole = toPlain(value);
			continue;
		}
		const steps = path.split("/").slice(1);
		const keys = steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
		const last = keys.pop() as string;
		const parent = keys.reduce((node, key) => getOwn(node, key), whole);
		if (op !== "add") assert.deepEqual(getOwn(parent, last), old);
		if (Array.isArray(parent)) {
			if (op === "replace") parent[Number(last)] = toPlain(value);
			else parent.splice(Number(last), op === "remove" ? 1 : 0, ...(op === "add" ? [toPlain(value)] : []));
		} else if (op === "remove") delete (parent as { [key: string]: Json })[last];
		else Object.defineProperty(parent, last, { value: toPlain(value), ...FIELD });
	}
	return whole;
}

const FIELD = { writable: true, enumerable: true, configurable: true };

function getOwn(node: Json, key: string): Json {
	assert.ok(node !== null && typeof node === "object" && Object.hasOwn(node, key), `${key} is not there`);
	return Object.getOwnPropertyDescriptor(node, key)?.value as Json;
}

test("money_split: parts add up to the amount, and each is within a cent of its share", async () => {
	const weights = fc
		.array(fc.nat(100), { minLength: 1, maxLength: 12 })
		.filter((all) => all.some((one) => one > 0));
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: -1_000_000, max: 1_000_000 }), weights, async (cents, given) => {
			const parts = (await runComponent("money_split", { amount: cents / 100, weights: given })) as number[];
			const units = parts.map((part) => Math.round(part * 100));
			const total = given.reduce((sum, weight) => sum + weight, 0);
			assert.equal(
				units.reduce((sum, part) => sum + part, 0),
				cents,
			);
			for (const [place, weight] of given.entries()) {
				assert.ok(Math.abs((units[place] ?? 0) - (cents * weight) / total) < 1);
			}
		}),
		RUNS,
	);
});

describe("check_number", () => {
	const isValid = async (kind: string, number: string) =>
		((await runComponent("check_number", { kind, number })) as { valid: boolean }).valid;

	const VALID: Record<string, string[]> = {
		iban: [
			"GB82 WEST 1234 5698 7654 32",
			"FR14 2004 1010 0505 0001 3M02 606",
			"NO93 8601 1117 947",
			"CH93 0076 2011 6238 5295 7",
		],
		card: ["378282246310005", "5555 5555 5555 4444", "6011111111111117", "3530111333300000"],
		isbn: ["978-3-16-148410-0", "0-306-40615-2", "080442957X"],
		ean: ["4006381333931", "96385074", "036000291452"],
		lei: ["5493 001K JTII GC8Y 1R12"],
	};

	test("accepts valid numbers", async () => {
		for (const [kind, numbers] of Object.entries(VALID))
			for (const number of numbers) assert.ok(await isValid(kind, number), number);
	});

	test("detects every single wrong digit", async () => {
		for (const [kind, [number = ""]] of Object.entries(VALID)) {
			for (let place = number.length - 1; place >= number.length - 6; place--) {
				const digit = number[place] ?? "";
				if (!/\d/.test(digit)) continue;
				const wrong = number.slice(0, place) + ((Number(digit) + 1) % 10) + number.slice(place + 1);
				assert.ok(!(await isValid(kind, wrong)), wrong);
			}
		}
	});
});

describe("url_edit", () => {
	test("leaves an address without changes as it is", async () => {
		const query = fc.array(fc.constantFrom("a=1", "b", "c=%20+", "=x", "d=é", "%zz=%"), { maxLength: 4 });
		await fc.assert(
			fc.asyncProperty(query, fc.constantFrom("", "#x", "#%41"), async (pairs, fragment) => {
				const url = `https://a.example/p%2Fq${pairs.length === 0 ? "" : "?"}${pairs.join("&")}${fragment}`;
				assert.equal(((await runComponent("url_edit", { url })) as { url: string }).url, url);
			}),
			RUNS,
		);
	});

	test("parses an address as browsers do", async () => {
		const text = fc.string({ unit: "grapheme", maxLength: 10 });
		await fc.assert(
			fc.asyncProperty(fc.dictionary(text, text, { maxKeys: 4, noNullPrototype: true }), async (set) => {
				const { url } = (await runComponent("url_edit", { url: "https://a.example/?x=1", set })) as {
					url: string;
				};
				const read = Object.fromEntries(new URL(url).searchParams);
				assert.deepEqual(read, { x: "1", ...set });
			}),
			RUNS,
		);
	});

	test("refuses addresses with a password and non-web addresses", async () => {
		for (const url of [
			"https://a:b@c.example/",
			"javascript:alert(1)",
			"//a.example",
			"https:///a",
			"https://",
		]) {
			await assert.rejects(runComponent("url_edit", { url }), /url (?:has a name|must be)/, url);
		}
	});
});

test("version_compare: orders versions by Semantic Versioning", async () => {
	const order =
		"1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.1 1.2.0 1.10.0 2.0.0-0 2.0.0".split(
			" ",
		);
	for (const [index, current] of order.entries()) {
		for (const [place, other] of order.entries()) {
			const found = (await runComponent("version_compare", { current, other })) as Record<string, boolean>;
			assert.deepEqual(
				[found.is_newer, found.is_older],
				[place > index, place < index],
				`${current} and ${other}`,
			);
		}
	}
});

test("jwt_decode: reads tokens with any claims", async () => {
	const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
	await fc.assert(
		fc.asyncProperty(anyObject, async (claims) => {
			const token = `${base64({ alg: "none" })}.${base64(claims)}.`;
			const read = (await runComponent("jwt_decode", { token })) as { claims: Json };
			assert.deepEqual(read.claims, toPlain(claims));
		}),
		RUNS,
	);
});
