import assert from "node:assert/strict";
import { EntryPage, UpsertedEntry } from "@tripline/contract/entries";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import { ClaimedOccurrence, DueRuns } from "@tripline/contract/schedules";
import type { Scenario, World } from "../../scenario.ts";

/** Partner keys exist only in this mode. */
const MULTI_TENANT = { MULTI_TENANT: "true" };

const NOON = Date.UTC(2026, 6, 1, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

async function put(world: World, page_name: string, metadata: object, entry_type = "workflow") {
	const body = {
		entry_type,
		owner_id: world.owner,
		page_name,
		content: "",
		metadata_json: JSON.stringify(metadata),
	};
	const { status, body: answer } = await world.call("PUT", "/entries", { body });
	assert.ok(status === 200 || status === 201, JSON.stringify(answer));
	return UpsertedEntry.parse(answer).entry;
}

const claim = (world: World, id: string, fields: object = {}) =>
	world.expect(200, ClaimedOccurrence, "POST", "/schedules/claim", {
		body: { owner_id: world.owner, id, ...fields },
	});

async function due(world: World, now: number, query: object = {}) {
	const page = await world.expect(200, EntryPage, "GET", "/entries", {
		query: { owner_id: world.owner, cron: "due", now: now / 1000, ...query },
	});
	return page.entries.map((entry) => [entry.page_name, entry.next_run_at]);
}

async function listOccurrences(world: World) {
	const query = { owner_id: world.owner, entry_type: "occurrence" };
	const page = await world.expect(200, EntryPage, "GET", "/entries", { query });
	return page.entries.map((entry) => entry.page_name);
}

const toIso = (time: number) => new Date(time).toISOString();

export const claims: readonly Scenario[] = [
	{
		name: "a due occurrence is claimed once and stored as an entry, and the next time advances",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const { id } = await put(world, "five 編", { cron_expr: "*/5 * * * *" });
			assert.deepEqual(await claim(world, id), {
				claimed: false,
				occurrence: null,
				next_run_at: toIso(NOON + 5 * MINUTE),
			});
			await world.target.setNow(NOON + 5 * MINUTE + 400);
			const first = { occurrence: toIso(NOON + 5 * MINUTE), next_run_at: toIso(NOON + 10 * MINUTE) };
			assert.deepEqual(await claim(world, id), { claimed: true, ...first });
			assert.equal((await claim(world, id)).claimed, false);
			assert.deepEqual(await listOccurrences(world), [`five 編@${first.occurrence}`]);
			assert.deepEqual(await due(world, NOON + 5 * MINUTE), []);
			assert.deepEqual(await due(world, NOON + 10 * MINUTE), [["five 編", (NOON + 10 * MINUTE) / 1000]]);
		},
	},
	{
		name: "of parallel claims that bring a run exactly one stores it, with the scheduled time as its input",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const { id } = await put(world, "job", { cron_expr: "*/5 * * * *" });
			await world.target.setNow(NOON + 5 * MINUTE);
			const due_at = (NOON + 10 * MINUTE) / 1000;
			const bring = (nth: number, fields: object = {}) => ({
				run: {
					id: `0199dddd-bbbb-7ccc-8ddd-00000000000${nth}`,
					due_at,
					metadata_json: '{"status":"accepted","workflow":"job"}',
					...fields,
				},
			});
			const answers = await Promise.all(Array.from({ length: 8 }, (_, nth) => claim(world, id, bring(nth))));
			const won = answers.findIndex(({ claimed }) => claimed);
			assert.deepEqual(
				answers.map(({ claimed, accepted }) => [claimed, accepted]),
				answers.map((_, nth) => (nth === won ? [true, true] : [false, answers[nth]?.accepted])),
			);
			assert.ok(answers.every(({ accepted }, nth) => nth === won || accepted !== true));
			await world.target.setNow(NOON + 10 * MINUTE);
			const waiting = await claim(world, id, bring(9, { waits_for: "job" }));
			assert.deepEqual([waiting.claimed, waiting.accepted], [true, true]);
			const query = { owner_id: world.owner, entry_type: "accepted_run" };
			const { entries } = await world.expect(200, EntryPage, "GET", "/entries", { query });
			const common = { status: "accepted", workflow: "job", due_at };
			assert.deepEqual(
				entries.map(({ page_name, metadata_json }) => [page_name, JSON.parse(metadata_json)]),
				[
					[bring(9).run.id, { ...common, attempts: 0, input: { scheduled_at: toIso(NOON + 10 * MINUTE) } }],
					[bring(won).run.id, { ...common, attempts: 1, input: { scheduled_at: toIso(NOON + 5 * MINUTE) } }],
				],
			);
			for (const bad of [{ metadata_json: "[" }, { due_at: -1 }, { id: "x" }, { more: 1 }])
				await world.refuse(422, "POST", "/schedules/claim", {
					body: { owner_id: world.owner, id, now: NOON / 1000 + 3600, ...bring(8, bad) },
				});
		},
	},
	{
		name: "only the latest of the occurrences missed during downtime is claimed",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const { id } = await put(world, "five", { cron_expr: "*/5 * * * *" });
			const back = NOON + 400 * DAY + 7 * MINUTE;
			await world.target.setNow(back);
			assert.deepEqual(await claim(world, id), {
				claimed: true,
				occurrence: toIso(back - 2 * MINUTE),
				next_run_at: toIso(back + 3 * MINUTE),
			});
			assert.equal((await listOccurrences(world)).length, 1);
			assert.equal((await claim(world, id)).claimed, false);
		},
	},
	{
		name: "exactly one of many parallel callers claims an occurrence",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const { id } = await put(world, "job", { cron_expr: "* * * * *" });
			for (const minute of [1, 2]) {
				const now = (NOON + minute * MINUTE) / 1000;
				const answers = await Promise.all(Array.from({ length: 20 }, () => claim(world, id, { now })));
				assert.equal(answers.filter((answer) => answer.claimed).length, 1);
			}
			assert.equal((await listOccurrences(world)).length, 2);
		},
	},
	{
		name: "an occurrence is not claimed again if its schedule is reset or its workflow recreated",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const hourly = { cron_expr: "0 * * * *" };
			const { id } = await put(world, "job", hourly);
			const one = (NOON + 60 * MINUTE) / 1000;
			assert.equal((await claim(world, id, { now: one })).claimed, true);
			await put(world, "job", { cron_expr: null });
			assert.deepEqual(await claim(world, id, { now: one }), {
				claimed: false,
				occurrence: null,
				next_run_at: null,
			});
			await put(world, "job", hourly);
			assert.deepEqual(await due(world, one * 1000), [["job", one]]);
			assert.equal((await claim(world, id, { now: one })).claimed, false);
			assert.deepEqual(await due(world, one * 1000), []);
			await world.call("DELETE", `/entries/${id}?owner_id=${world.owner}`);
			const again = await put(world, "job", hourly);
			assert.equal((await claim(world, id, { now: one })).claimed, false);
			assert.equal((await claim(world, again.id, { now: one })).claimed, false);
			assert.equal((await listOccurrences(world)).length, 1);
		},
	},
	{
		name: "a claim uses the workflow's time zone, across the hour that the clocks skip or repeat",
		cites: [],
		async run(world) {
			await world.target.setNow(Date.UTC(2026, 9, 24, 12));
			const config = { trigger: { type: "schedule", timezone: "Europe/Berlin" } };
			const { id } = await put(world, "night", { cron_expr: "30 3 * * *", config });
			const claimed = await claim(world, id, { now: Date.UTC(2026, 9, 25, 12) / 1000 });
			assert.deepEqual(claimed, {
				claimed: true,
				occurrence: "2026-10-25T02:30:00.000Z",
				next_run_at: "2026-10-26T02:30:00.000Z",
			});
		},
	},
	{
		name: "an occurrence of another owner or of no workflow, or with a partner key, cannot be claimed",
		cites: [],
		environment: MULTI_TENANT,
		async run(world) {
			await world.target.setNow(NOON);
			const { id } = await put(world, "job", { cron_expr: "* * * * *" });
			const now = NOON / 1000 + 3600;
			const none = { claimed: false, occurrence: null, next_run_at: null };
			assert.deepEqual(await claim(world, id, { owner_id: `${world.owner}-x`, now }), none);
			const note = await put(world, "note", {}, "note");
			assert.deepEqual(await claim(world, note.id, { now }), none);
			const { key } = await world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", {
				body: { namespace: world.owner },
			});
			const headers = { authorization: `Bearer ${key}` };
			const body = { owner_id: world.owner, id, now };
			await world.refuse(403, "POST", "/schedules/claim", { body, headers });
			for (const bad of [{ id: "x" }, { now: -1 }, { now: "soon" }, { now: 1e15 }, { more: 1 }]) {
				await world.refuse(422, "POST", "/schedules/claim", { body: { ...body, ...bad } });
			}
			assert.equal((await claim(world, id, { now })).claimed, true);
		},
	},
	{
		name: "an accepted run is due at its due_at until that is cleared, and can be requested by type",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await put(world, "job", { cron_expr: "* * * * *" });
			await put(world, "run", { due_at: NOON / 1000 + 30 }, "accepted_run");
			await put(world, "unset", { due_at: null }, "accepted_run");
			await put(world, "note", { due_at: 1 }, "note");
			assert.deepEqual(await due(world, NOON + 29_000), []);
			const run = ["run", NOON / 1000 + 30];
			assert.deepEqual(await due(world, NOON + 30_000), [run]);
			const later = NOON + 2 * MINUTE;
			assert.deepEqual(await due(world, later), [run, ["job", NOON / 1000 + 60]]);
			assert.deepEqual(await due(world, later, { entry_type: "accepted_run" }), [run]);
			assert.deepEqual(await due(world, later, { entry_type: "workflow" }), [["job", NOON / 1000 + 60]]);
			await put(world, "run", { due_at: NOON / 1000 + 300 }, "accepted_run");
			assert.deepEqual(await due(world, later, { entry_type: "accepted_run" }), []);
			await put(world, "run", {}, "accepted_run");
			assert.deepEqual(await due(world, NOON + DAY, { entry_type: "accepted_run" }), []);
			for (const due_at of ["soon", 1.5, -1, {}, 1e300]) {
				const { issues } = await world.refuse(422, "PUT", "/entries", {
					body: {
						entry_type: "accepted_run",
						owner_id: world.owner,
						page_name: "bad",
						content: "",
						metadata_json: JSON.stringify({ due_at }),
					},
				});
				assert.equal(issues?.[0]?.path, "metadata_json.due_at");
			}
		},
	},
	{
		name: "due entries are listed in turns: the longest due of each owner, then the next of each",
		cites: [],
		async run(world) {
			// Earlier than anything else in the store.
			const due: [string, string, number][] = [
				["many", "a", 1],
				["many", "b", 2],
				["many", "c", 2],
				["many", "d", 4],
				["few", "e", 5],
				["few", "f", 6],
				["one", "g", 9],
				["one", "not yet", 11],
			];
			const metadata = async (owner: string, page_name: string, due_at: number | null) => {
				const body = {
					entry_type: "accepted_run",
					owner_id: `${world.owner}-${owner}`,
					page_name,
					content: "",
					metadata_json: JSON.stringify({ due_at }),
				};
				assert.ok((await world.call("PUT", "/entries", { body })).status < 300);
			};
			for (const each of due) await metadata(...each);
			const listDuePages = async (limit: number) => {
				const query = { now: 10, limit };
				const page = await world.expect(200, DueRuns.strict(), "GET", "/schedules/due", { query });
				assert.ok(page.due.every(({ entry_type }) => entry_type === "accepted_run"));
				assert.equal(typeof page.scheduled, "number");
				return page.due.map(({ page_name }) => page_name);
			};
			assert.deepEqual(await listDuePages(1000), ["a", "e", "g", "b", "f", "c", "d"]);
			assert.deepEqual(await listDuePages(3), ["a", "e", "g"]);
			for (const [owner, page] of due) await metadata(owner, page, null);
			assert.deepEqual(await listDuePages(1000), []);
			for (const query of [{ limit: 0 }, { limit: 1001 }, { now: "soon" }, { owner_id: world.owner }])
				await world.refuse(422, "GET", "/schedules/due", { query });
		},
	},
	{
		name: "a partner key sees only its own due workflows, and none of the service's counts",
		cites: [],
		environment: MULTI_TENANT,
		async run(world) {
			await world.target.setNow(NOON);
			await put(world, "job", { cron_expr: "* * * * *" });
			await put(world, "run", { due_at: NOON / 1000 }, "accepted_run");
			const { key } = await world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", {
				body: { namespace: world.owner },
			});
			const page = await world.expect(200, EntryPage, "GET", "/entries", {
				query: { cron: "due", now: NOON / 1000 + 600 },
				headers: { authorization: `Bearer ${key}` },
			});
			assert.deepEqual(
				page.entries.map((entry) => entry.page_name),
				["job"],
			);
			assert.equal(page.scheduled, undefined);
		},
	},
	{
		name: "cron=due counts the workflows that have a schedule, due or not",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const countScheduled = async () => {
				const query = { cron: "due", now: 1 };
				return (await world.expect(200, EntryPage, "GET", "/entries", { query })).scheduled ?? -1;
			};
			const before = await countScheduled();
			const { id } = await put(world, "a", { cron_expr: "@yearly" });
			await put(world, "b", { cron_expr: "@daily" });
			await put(world, "c", { cron_expr: null });
			await put(world, "run", { due_at: 5_000_000_000 }, "accepted_run");
			assert.equal(await countScheduled(), before + 2);
			await put(world, "a", { cron_expr: "@hourly" });
			await put(world, "c", { cron_expr: "@hourly" });
			await put(world, "b", {});
			assert.equal(await countScheduled(), before + 2);
			await world.call("DELETE", `/entries/${id}?owner_id=${world.owner}`);
			assert.equal(await countScheduled(), before + 1);
		},
	},
];
