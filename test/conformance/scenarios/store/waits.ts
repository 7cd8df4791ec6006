import assert from "node:assert/strict";
import { ParkedAcceptedRun } from "@tripline/contract/accepted-runs";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import { AnsweredWaits, EventWaitPage, FoundWait, OpenedWait } from "@tripline/contract/waits";
import type { Scenario, World } from "../../scenario.ts";

const MULTI_TENANT = { MULTI_TENANT: "true" };
const RUN = "0199aaaa-bbbb-7ccc-8ddd-0000000000f1";
const ID = "0123456789abcdef0123456789abcdef";
const LATER = 4_000_000_000;

const build = (world: World, fields: object = {}) => ({ owner_id: world.owner, run: RUN, id: ID, ...fields });

const open = (world: World, fields: object = {}) =>
	world.expect(200, OpenedWait.strict(), "POST", "/waits", {
		body: build(world, { expires_at: LATER, metadata_json: '{"question":"茶?"}', ...fields }),
	});

const answer = async (world: World, text: string, ids: readonly string[] = [ID]) => {
	const { answered } = await world.expect(200, AnsweredWaits.strict(), "POST", "/waits/answer", {
		body: {
			...{ owner_id: world.owner, answer_json: text, by: "Ada" },
			waits: ids.map((id) => ({ run: RUN, id })),
		},
	});
	return answered.map(({ id }) => id);
};

/** The ids of the runs' waits for events whose pattern begins with that word. */
const listForEvents = async (world: World, word: string) => {
	const ids: string[] = [];
	for (let after: number | null = 0; after !== null; ) {
		const query = { owner_id: world.owner, word, after };
		const page: EventWaitPage = await world.expect(200, EventWaitPage, "GET", "/waits/events", { query });
		ids.push(...page.waits.map(({ id }) => id));
		after = page.next;
	}
	return ids;
};

const toId = (nth: number) => nth.toString(16).padStart(32, "0");

const end = (world: World, state: string) =>
	world.call("POST", "/waits/end", { body: build(world, { state }) });

const read = async (world: World, fields: object = {}) =>
	(await world.expect(200, FoundWait.strict(), "GET", "/waits", { query: build(world, fields) })).wait;

export const waits: readonly Scenario[] = [
	{
		name: "of all answers to a wait the first one counts, and it is kept",
		cites: [],
		async run(world) {
			assert.equal(await read(world), null);
			assert.equal((await open(world)).opened, true);
			assert.equal((await open(world, { metadata_json: '{"question":"another"}' })).opened, false);
			const found = await read(world);
			assert.deepEqual(
				[found?.state, found?.expires_at, JSON.parse(found?.metadata_json ?? ""), found?.answer_json],
				["open", LATER, { question: "茶?" }, null],
			);
			const answers = await Promise.all(
				Array.from({ length: 8 }, (_, nth) => answer(world, JSON.stringify({ nth }))),
			);
			assert.equal(answers.flat().length, 1);
			const nth = answers.findIndex((answered) => answered.length > 0);
			await end(world, "withdrawn");
			const kept = await read(world);
			assert.deepEqual(
				[kept?.state, kept?.by, JSON.parse(kept?.answer_json ?? "")],
				["answered", "Ada", { nth }],
			);
		},
	},
	{
		name: "a wait that has ended or expired cannot be answered",
		cites: [],
		async run(world) {
			await open(world);
			await end(world, "withdrawn");
			assert.deepEqual(await answer(world, "{}"), []);
			assert.equal((await read(world))?.state, "withdrawn");
			const id = "f".repeat(32);
			await open(world, { id, expires_at: 1 });
			assert.deepEqual(await answer(world, "{}", [id, "e".repeat(32)]), []);
		},
	},
	{
		name: "a wait that is opened again is the same, with its answer",
		cites: [],
		async run(world) {
			await open(world);
			await answer(world, '{"n":1}');
			assert.deepEqual(await open(world), { opened: false });
			assert.equal((await read(world))?.answer_json, '{"n":1}');
		},
	},
	{
		name: "waits for events are listed by the first word of their pattern, page by page, until they are answered",
		cites: [],
		async run(world) {
			const ids = Array.from({ length: 250 }, (_, nth) => toId(nth));
			for (const id of ids) await open(world, { id, event_word: "payment" });
			await open(world, { id: toId(300), event_word: "*" });
			await open(world, { id: toId(301), event_word: "payment", expires_at: 1 });
			await open(world);
			assert.deepEqual(await listForEvents(world, "payment"), ids);
			assert.deepEqual(await listForEvents(world, "*"), [toId(300)]);
			assert.deepEqual(await listForEvents(world, "order"), []);
			const some = ids.slice(10, 210);
			assert.deepEqual((await answer(world, '{"n":1}', some)).toSorted(), some);
			assert.deepEqual(await listForEvents(world, "payment"), [...ids.slice(0, 10), ...ids.slice(210)]);
			assert.deepEqual(await answer(world, "{}", ids.slice(0, 20)), ids.slice(0, 10));
		},
	},
	{
		name: "only internal callers open, read, answer and end waits or let runs wait, and invalid ones are rejected",
		cites: [],
		environment: MULTI_TENANT,
		async run(world) {
			const { key } = await world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", {
				body: { namespace: world.owner },
			});
			const headers = { authorization: `Bearer ${key}` };
			const park = { owner_id: world.owner, id: RUN, attempts: 1, due_at: LATER, workflow: "w" };
			const bodies: Readonly<Record<string, object>> = {
				"/waits": build(world, { expires_at: LATER, metadata_json: "{}" }),
				"/waits/answer": {
					...{ owner_id: world.owner, answer_json: "{}", by: "Ada" },
					waits: [{ run: RUN, id: ID }],
				},
				"/waits/end": build(world, { state: "expired" }),
				"/accepted-runs/park": park,
			};
			for (const [path, body] of Object.entries(bodies)) {
				await world.refuse(403, "POST", path, { body, headers });
				for (const bad of [{ id: "x" }, { owner_id: undefined }, { more: 1 }])
					await world.refuse(422, "POST", path, { body: { ...body, ...bad } });
			}
			for (const waits of [
				[],
				[{ run: RUN, id: "x" }],
				[{ run: RUN }],
				"x",
				Array(201).fill({ run: RUN, id: ID }),
			])
				await world.refuse(422, "POST", "/waits/answer", { body: { ...bodies["/waits/answer"], waits } });
			const events = { owner_id: world.owner, word: "payment" };
			await world.refuse(403, "GET", "/waits/events", { query: events, headers });
			for (const bad of [{ word: "" }, { after: "x" }, { after: -1 }, { more: 1 }])
				await world.refuse(422, "GET", "/waits/events", { query: { ...events, ...bad } });
			await world.refuse(403, "GET", "/waits", { query: build(world), headers });
			await world.refuse(422, "GET", "/waits", { query: build(world, { run: "x" }) });
			for (const bad of [{ metadata_json: "[]" }, { metadata_json: "{" }, { expires_at: -1 }])
				await world.refuse(422, "POST", "/waits", { body: { ...bodies["/waits"], ...bad } });
			for (const answer_json of ["", "{", "[]", "1", 5])
				await world.refuse(422, "POST", "/waits/answer", {
					body: { ...bodies["/waits/answer"], answer_json },
				});
			await world.refuse(422, "POST", "/waits/end", { body: build(world, { state: "answered" }) });
			const parked = await world.expect(200, ParkedAcceptedRun, "POST", "/accepted-runs/park", {
				body: park,
			});
			assert.equal(parked.due_at, null);
			assert.equal(await read(world), null);
		},
	},
];
