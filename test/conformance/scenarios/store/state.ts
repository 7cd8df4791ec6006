import assert from "node:assert/strict";
import { DeletedAnswer, EntryPage } from "@tripline/contract/entries";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import { Suggestions } from "@tripline/contract/search";
import { IncrementStateAnswer, SetStateAnswer, StateAnswer } from "@tripline/contract/state";
import * as z from "zod";
import type { Scenario, World } from "../../scenario.ts";

const START = Date.UTC(2026, 10, 16, 12);
/** Partner keys exist only in this mode. */
const MULTI_TENANT = { MULTI_TENANT: "true" };

const get = async (world: World, name: string, owner_id = world.owner): Promise<unknown> => {
	const query = { owner_id, name };
	const { value_json } = await world.expect(200, StateAnswer, "GET", "/state", { query });
	return value_json === null ? undefined : JSON.parse(value_json);
};

const set = (world: World, name: string, value: unknown, fields: object = {}) =>
	world.expect(200, SetStateAnswer, "PUT", "/state", {
		body: { owner_id: world.owner, name, value_json: JSON.stringify(value), ...fields },
	});

const increment = async (world: World, name: string, fields: object = {}) =>
	(
		await world.expect(200, IncrementStateAnswer, "POST", "/state/increment", {
			body: { owner_id: world.owner, name, ...fields },
		})
	).value;

const listStored = async (world: World) => {
	const query = { owner_id: world.owner, entry_type: "state_value", limit: 1000 };
	return (await world.expect(200, EntryPage, "GET", "/entries", { query })).entries;
};

export const state: readonly Scenario[] = [
	{
		name: "a named value of any JSON type is read as it was set, until null deletes it",
		cites: [],
		async run(world) {
			assert.equal(await get(world, "a"), undefined);
			let before: string | null = null;
			for (const value of [1, -0.1, 1e300, "茶", "", false, [], [null], { embed: true, a: { b: [1] } }]) {
				assert.deepEqual(await set(world, "a", value), { stored: true, previous_json: before });
				assert.deepEqual(await get(world, "a"), value);
				before = JSON.stringify(value);
			}
			assert.deepEqual(await set(world, "a", null), { stored: true, previous_json: before });
			assert.equal(await get(world, "a"), undefined);
			assert.deepEqual(await set(world, "a", null), { stored: true, previous_json: null });
			assert.deepEqual(await listStored(world), []);
		},
	},
	{
		name: "names of every kind are separate, also those of JavaScript's objects",
		cites: [],
		async run(world) {
			const names = [
				"__proto__",
				"constructor",
				"toString",
				"a",
				"A",
				"a ",
				"x/y?z=1&é",
				"'; --",
				"茶".repeat(128),
			];
			for (const [index, name] of names.entries()) await set(world, name, { index });
			for (const [index, name] of names.entries()) assert.deepEqual(await get(world, name), { index });
			assert.equal((await listStored(world)).length, names.length);
		},
	},
	{
		name: "fifty concurrent increments lose nothing, and each gets its own value",
		cites: [],
		async run(world) {
			const values = await Promise.all(Array.from({ length: 50 }, () => increment(world, "hits")));
			assert.deepEqual(
				values.sort((one, other) => one - other),
				Array.from({ length: 50 }, (_, index) => index + 1),
			);
			assert.equal(await get(world, "hits"), 50);
			assert.equal((await listStored(world)).length, 1);
		},
	},
	{
		name: "exactly one of fifty concurrent calls with if_absent stores its value",
		cites: [],
		async run(world) {
			const claim = (nth: number) => set(world, "lock", { nth }, { if_absent: true, ttl_seconds: 60 });
			const answers = await Promise.all(Array.from({ length: 50 }, (_, nth) => claim(nth)));
			const winner = answers.findIndex(({ stored }) => stored);
			assert.equal(answers.filter(({ stored }) => stored).length, 1);
			assert.deepEqual(await get(world, "lock"), { nth: winner });
			const previous_json = JSON.stringify({ nth: winner });
			assert.deepEqual(await claim(99), { stored: false, previous_json });
		},
	},
	{
		name: "numbers are added as JavaScript adds them, by any amount, and set values are counted on",
		cites: [],
		async run(world) {
			assert.equal(await increment(world, "sum", { by: 0.1 }), 0.1);
			assert.equal(await increment(world, "sum", { by: 0.2 }), 0.1 + 0.2);
			assert.equal(await increment(world, "sum", { by: -1.5 }), 0.1 + 0.2 - 1.5);
			assert.equal(await increment(world, "sum", { by: 0 }), 0.1 + 0.2 - 1.5);
			await set(world, "sum", 9007199254740990);
			assert.equal(await increment(world, "sum"), 9007199254740991);
			const body = { owner_id: world.owner, name: "sum" };
			const { error } = await world.refuse(409, "POST", "/state/increment", { body });
			assert.equal(error, 'the value of "sum" would exceed ±9007199254740991');
			assert.equal(await get(world, "sum"), 9007199254740991);
		},
	},
	{
		name: "a value that is not a number is not incremented",
		cites: [],
		async run(world) {
			for (const value of ["1", true, [1], { value: 1 }]) {
				await set(world, "a", value);
				const body = { owner_id: world.owner, name: "a" };
				const { error } = await world.refuse(409, "POST", "/state/increment", { body });
				assert.equal(error, 'the value of "a" is not a number');
				assert.deepEqual(await get(world, "a"), value);
			}
		},
	},
	{
		name: "a value is absent from the millisecond at which it expires, and is deleted at the tick",
		cites: [],
		async run(world) {
			await world.target.setNow(START + 7);
			await set(world, "a", "old", { ttl_seconds: 2 });
			await set(world, "kept", "old");
			assert.equal(await increment(world, "n", { by: 5, ttl_seconds: 2 }), 5);
			await world.target.setNow(START + 7 + 1999);
			assert.equal(await get(world, "a"), "old");
			// A counter keeps its lifetime, however often it is incremented.
			assert.equal(await increment(world, "n", { ttl_seconds: 100 }), 6);
			await world.target.setNow(START + 7 + 2000);
			assert.equal(await get(world, "a"), undefined);
			assert.equal(await get(world, "n"), undefined);
			assert.equal((await listStored(world)).length, 3);
			assert.deepEqual(await set(world, "a", "new", { if_absent: true }), {
				stored: true,
				previous_json: null,
			});
			assert.equal(await increment(world, "n", { ttl_seconds: 1 }), 1);
			await world.target.setNow(START + 7 + 3000);
			await world.target.tick();
			assert.deepEqual((await listStored(world)).map(({ page_name }) => page_name).sort(), ["a", "kept"]);
			assert.equal(await get(world, "a"), "new");
		},
	},
	{
		name: "setting a value again replaces its lifetime",
		cites: [],
		async run(world) {
			await world.target.setNow(START);
			await set(world, "a", 1, { ttl_seconds: 1 });
			await set(world, "a", 2);
			await set(world, "b", 1);
			await set(world, "b", 2, { ttl_seconds: 1 });
			await world.target.setNow(START + 1000);
			await world.target.tick();
			assert.equal(await get(world, "a"), 2);
			assert.equal(await get(world, "b"), undefined);
		},
	},
	{
		name: "values survive a restart",
		cites: [],
		environment: { RUN_TIMEOUT_MS: "29996" },
		async run(world) {
			await set(world, "a", { tea: "茶" }, { ttl_seconds: 600 });
			await increment(world, "n", { by: 3 });
			await world.target.restart({ RUN_TIMEOUT_MS: "29996" });
			assert.deepEqual(await get(world, "a"), { tea: "茶" });
			assert.equal(await increment(world, "n"), 4);
		},
	},
	{
		name: "a value has at most 64 KiB of JSON and 64 levels, a name 128 characters, a lifetime ten years",
		cites: [],
		async run(world) {
			const text = (bytes: number) => "x".repeat(bytes - 2);
			await set(world, "a", text(65_536));
			await set(world, "a", "茶".repeat(21_844));
			let deep: unknown = 0;
			for (let level = 0; level < 64; level++) deep = [deep];
			await set(world, "deep", deep);
			assert.deepEqual(await get(world, "deep"), deep);
			await set(world, "a", 1, { ttl_seconds: 315_360_000 });
			const body = { owner_id: world.owner, name: "a", value_json: "1" };
			for (const [bad, problem] of [
				[{ value_json: JSON.stringify(text(65_537)) }, "must be at most 64 KiB of JSON"],
				[{ value_json: JSON.stringify("茶".repeat(21_846)) }, "must be at most 64 KiB of JSON"],
				[{ value_json: JSON.stringify([deep]) }, "json nests deeper than 64 levels"],
				[{ value_json: "1e999" }, "a number is too large"],
				[{ value_json: '"\\u0000"' }, "text must not contain NUL characters"],
				[{ value_json: "{" }, "must be JSON"],
				[{ value_json: "null", if_absent: true }, "must not be null with if_absent"],
				[{ name: "x".repeat(129) }, "must be at most 128 characters"],
				[{ name: "" }, "must not be empty"],
				[{ name: "a\nb" }, "must not contain control characters"],
				[{ ttl_seconds: 0 }, null],
				[{ ttl_seconds: -1 }, null],
				[{ ttl_seconds: 1.5 }, null],
				[{ ttl_seconds: 315_360_001 }, null],
				[{ ttl_seconds: "60" }, null],
				[{ more: 1 }, null],
			] as const) {
				const { issues } = await world.refuse(422, "PUT", "/state", { body: { ...body, ...bad } });
				if (problem !== null) assert.equal(issues?.[0]?.message, problem);
			}
			for (const bad of [{ by: "1" }, { by: 1e16 }, { by: null }, { ttl_seconds: 0 }]) {
				const { value_json: _, ...counter } = { ...body, ...bad };
				await world.refuse(422, "POST", "/state/increment", { body: counter });
			}
			assert.equal(await get(world, "a"), 1);
		},
	},
	{
		name: "values belong to their owner, and only internal callers reach them",
		cites: [],
		environment: MULTI_TENANT,
		async run(world) {
			const other = `${world.owner}-other`;
			await set(world, "a", "mine");
			assert.equal(await get(world, "a", other), undefined);
			await set(world, "a", "theirs", { owner_id: other });
			await set(world, "a", null, { owner_id: other });
			assert.equal(await get(world, "a"), "mine");
			const { key } = await world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", {
				body: { namespace: world.owner },
			});
			const headers = { authorization: `Bearer ${key}` };
			const [entry] = await listStored(world);
			const name = { owner_id: world.owner, name: "a" };
			await world.refuse(403, "GET", "/state", { query: name, headers });
			await world.refuse(403, "PUT", "/state", { body: { ...name, value_json: "1" }, headers });
			await world.refuse(403, "POST", "/state/increment", { body: name, headers });
			await world.refuse(403, "GET", "/entries", { query: { entry_type: "state_value" }, headers });
			await world.refuse(404, "GET", `/entries/${entry?.id}`, { headers });
			await world.refuse(404, "DELETE", `/entries/${entry?.id}`, { headers });
			assert.equal(await get(world, "a"), "mine");
		},
	},
	{
		name: "values are in no list of entries, no search and no count of usage",
		cites: [],
		async run(world) {
			await set(world, "kettle", { text: "kettle", embed: true });
			await increment(world, "kettle counter");
			const { owner } = world;
			const { entries } = await world.expect(200, EntryPage, "GET", "/entries", {
				query: { owner_id: owner },
			});
			assert.deepEqual(entries, []);
			const body = { owner_id: owner, q: "kettle" };
			assert.deepEqual(await world.expect(200, Suggestions, "POST", "/search", { body }), {
				suggestions: [],
			});
			const Usage = z.object({ types: z.array(z.unknown()) });
			const { types } = await world.expect(200, Usage, "GET", "/usage", { query: { owner_id: owner } });
			assert.deepEqual(types, []);
			// Deleting the entry, as an operator may, deletes the value.
			for (const { id } of await listStored(world)) {
				await world.expect(200, DeletedAnswer, "DELETE", `/entries/${id}`, { query: { owner_id: owner } });
			}
			assert.equal(await get(world, "kettle"), undefined);
		},
	},
];
