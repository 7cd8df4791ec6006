import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FILE_ID_BYTES } from "@tripline/contract/files";
import { randomToken } from "@tripline/contract/ids";
import type { Json } from "@tripline/contract/json";
import { Meter, TooMuchWork } from "@tripline/engine/meter";
import fc from "fast-check";
import { collectFileIds } from "../src/files/collect.ts";
import { FileRights, type RightsSource } from "../src/files/rights.ts";

const ID = randomToken(FILE_ID_BYTES);
const OTHER = randomToken(FILE_ID_BYTES);
const name = (id = ID) => ({ $file: id, name: "a", type: "text/plain", size: 1 });
const meter = () => new Meter(10_000);
const rights = (source: Partial<RightsSource> = {}) => new FileRights({ input: {}, ...source });
const gaining = (source: Partial<RightsSource> = {}, id = ID) => {
	const gained = rights(source);
	gained.gain(id);
	return gained;
};
const calledBy = (caller: FileRights, input: Json = { file: name() }) =>
	rights({ input, caller: { rights: caller } });

describe("a run opens a file only if it gained it in one of these ways", () => {
	const named = { input: { deep: [{ file: name() }] } };
	const ways: [string, FileRights, boolean][] = [
		[
			"it came with the run: an upload, its event, or what it had when accepted",
			rights({ files: [ID] }),
			true,
		],
		["another file came with the run", rights({ files: [OTHER], ...named }), false],
		["made, downloaded, found by its kept name or returned to it", gaining(), true],
		["named by a caller with the tenant's credential", rights({ ...named, isOwners: true }), true],
		["not named by a caller with the tenant's credential", rights({ isOwners: true }), false],
		["named by any other caller", rights(named), false],
		["named by any other caller, to a run that has another file", gaining(named, OTHER), false],
		["passed by its caller, who may open it", calledBy(gaining()), true],
		["passed by its caller, to whom it was uploaded", calledBy(rights({ files: [ID] })), true],
		["passed by its caller, who may not open it", calledBy(rights(named)), false],
		["not passed by its caller, who may open it", calledBy(gaining(), {}), false],
		["passed through two calls", calledBy(calledBy(gaining())), true],
		["passed through two calls, but not by the first", calledBy(calledBy(gaining(), {})), false],
		["passed by a run whose owner named it", calledBy(rights({ ...named, isOwners: true })), true],
		["passed by a run whose owner did not name it", calledBy(rights({ isOwners: true })), false],
		["nothing", rights(), false],
	];
	for (const [way, run, expected] of ways)
		test(`${way}: ${expected ? "yes" : "no"}`, () => {
			assert.equal(run.mayOpen(ID, meter()), expected);
			assert.deepEqual(run.select([name(), name(), name(OTHER)], meter()).includes(ID), expected);
		});
});

test("a run that can have no file searches nothing", () => {
	const none = new Meter(0);
	assert.deepEqual(rights({ input: { file: name() } }).select({ file: name() }, none), []);
	assert.equal(rights({ input: { file: name() } }).mayOpen(ID, none), false);
	assert.deepEqual(calledBy(rights()).select({ file: name() }, none), []);
});

test("an input is searched once, and searching costs", () => {
	const run = rights({ input: Array.from({ length: 1000 }, () => 1), isOwners: true });
	const spent = meter();
	run.mayOpen(ID, spent);
	const left = spent.left;
	assert.ok(left <= 9_000);
	run.mayOpen(OTHER, spent);
	assert.equal(spent.left, left);
	assert.throws(() => rights({ input: [[1, 2, 3]], isOwners: true }).mayOpen(ID, new Meter(2)), TooMuchWork);
});

test("files are found anywhere in a value, in order and once, and nothing else is a file", () => {
	const lookalikes = [
		{ $file: "short" },
		{ $file: 7 },
		{ $file: [ID] },
		{ file: ID },
		`{"$file":"${ID}"}`,
		{ $file: `${ID} ` },
		{ $file: "../../../../etc/passwd" },
	];
	for (const value of lookalikes) assert.deepEqual([...collectFileIds(value, meter())], []);
	const value = { a: [name(OTHER), { b: name() }], c: name(OTHER), d: { $file: ID, nested: name() } };
	assert.deepEqual([...collectFileIds(value, meter())], [OTHER, ID]);
	fc.assert(
		fc.property(fc.jsonValue(), fc.jsonValue(), (one, two) => {
			const ids = collectFileIds({ one, two, file: name() } as Json, new Meter(1_000_000));
			assert.ok(ids.has(ID));
		}),
	);
});

test("a value names at most 1,000 files", () => {
	const many = Array.from({ length: 1001 }, () => name(randomToken(FILE_ID_BYTES)));
	assert.equal(collectFileIds(many.slice(1), meter()).size, 1000);
	assert.throws(() => collectFileIds(many, meter()), /at most 1000 files/);
});

test("a deeply nested value is searched without recursion", () => {
	let deep: Json = name();
	for (let depth = 0; depth < 5_000; depth++) deep = [deep];
	assert.ok(collectFileIds(deep, new Meter(100_000)).has(ID));
});
