import assert from "node:assert/strict";
import { AcceptedRuns, EndedAcceptedRun } from "@tripline/contract/accepted-runs";
import {
	ExpiredPendingFiles,
	FileRecordAnswer,
	FileRecordPage,
	HeldFiles,
	MarkedFiles,
	RemovedFiles,
	ReservedFile,
	UnkeptAnswer,
} from "@tripline/contract/file-records";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import type { Scenario, World } from "../../scenario.ts";

const NOON = Date.UTC(2026, 10, 10, 12);
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** Years later, so that no executor takes over the runs that the scenarios leave. */
const DUE = Date.UTC(2040, 0) / 1000;
const MIB = 1_048_576;
const RUN = "0199eeee-bbbb-7ccc-8ddd-000000000001";

let ids = 0;
const newId = () => `file-${String(++ids).padStart(17, "0")}`;

const buildFile = (world: World, id: string, fields: object = {}) => ({
	owner_id: world.owner,
	id,
	name: "report.csv",
	type: "text/csv",
	execution_id: null,
	bytes: 8192,
	max_total: MIB,
	...fields,
});

async function reserve(world: World, id: string, fields: object = {}): Promise<number> {
	const body = buildFile(world, id, fields);
	return (await world.expect(200, ReservedFile, "POST", "/files/reserve", { body })).reserved;
}

const commit = (world: World, id: string, size: number, retention_ms = DAY) =>
	world.expect(200, FileRecordAnswer, "POST", "/files/commit", {
		body: { owner_id: world.owner, id, size, retention_ms },
	});

async function add(world: World, { size = 5, retention = DAY, ...fields } = {}): Promise<string> {
	const id = newId();
	assert.notEqual(await reserve(world, id, fields), 0);
	await commit(world, id, size, retention);
	return id;
}

const get = (world: World, id: string, owner_id: string | undefined = world.owner) =>
	world.call("GET", `/files/${id}`, { query: { owner_id } });

async function isThere(world: World, id: string): Promise<boolean> {
	return (await get(world, id)).status === 200;
}

const keep = (world: World, id: string, name: string) =>
	world.expect(200, FileRecordAnswer, "POST", "/files/keep", {
		body: { owner_id: world.owner, id, name, retention_ms: DAY },
	});

const mark = (world: World, which: object) =>
	world.expect(200, MarkedFiles, "POST", "/files/mark", { body: { owner_id: world.owner, ...which } });

async function list(world: World, path: string, query: object = {}) {
	return world.expect(200, FileRecordPage, "GET", path, { query: { owner_id: world.owner, ...query } });
}

/** Which of this world's files the sweep gave out; other scenarios leave files too. */
async function sweep(world: World): Promise<string[]> {
	const own: string[] = [];
	for (;;) {
		const { files } = await world.expect(200, MarkedFiles, "POST", "/files/sweep", { body: { limit: 1000 } });
		own.push(...files.filter(({ owner_id }) => owner_id === world.owner).map(({ id }) => id));
		if (files.length === 0) return own;
	}
}

const remove = (world: World, ...removed: readonly string[]) =>
	world.expect(200, RemovedFiles, "POST", "/files/remove", {
		body: { files: removed.map((id) => ({ owner_id: world.owner, id })) },
	});

const accept = (world: World) =>
	world.expect(200, AcceptedRuns, "POST", "/accepted-runs", {
		body: {
			owner_id: world.owner,
			due_at: DUE,
			metadata_json: '{"status":"accepted"}',
			runs: [{ id: RUN, metadata_json: '{"workflow":"job"}' }],
		},
	});

const end = (world: World) =>
	world.expect(200, EndedAcceptedRun, "POST", "/accepted-runs/end", {
		body: { owner_id: world.owner, id: RUN, metadata_json: '{"status":"success"}' },
	});

const hold = async (world: World, ...held: readonly string[]) =>
	(
		await world.expect(200, HeldFiles, "POST", "/files/hold", {
			body: { owner_id: world.owner, ids: held, execution_ids: [RUN] },
		})
	).held;

export const files: readonly Scenario[] = [
	{
		name: "a file is found once it is committed, by its owner only",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const id = newId();
			assert.equal(await reserve(world, id, { execution_id: RUN }), 8192);
			assert.equal(await isThere(world, id), false);
			const { file } = await commit(world, id, 5);
			assert.deepEqual(file, {
				owner_id: world.owner,
				id,
				name: "report.csv",
				type: "text/csv",
				size: 5,
				kept_as: null,
				kept_at: null,
				execution_id: RUN,
				created_at: NOON,
				expires_at: NOON + DAY,
			});
			assert.deepEqual((await get(world, id)).body, { file });
			assert.equal((await get(world, id, `${world.owner}-x`)).status, 404);
			assert.deepEqual((await get(world, id, "")).status, 422);
			assert.deepEqual((await world.call("GET", `/files/${id}`)).body, { file });
		},
	},
	{
		name: "a file is committed once, and not larger than reserved",
		cites: [],
		async run(world) {
			const id = newId();
			await reserve(world, id);
			const body = { owner_id: world.owner, id, size: 8193, retention_ms: DAY };
			await world.refuse(409, "POST", "/files/commit", { body });
			await commit(world, id, 8192);
			await world.refuse(409, "POST", "/files/commit", { body: { ...body, size: 1 } });
			const unknown = { ...body, id: newId(), size: 0 };
			await world.refuse(409, "POST", "/files/commit", { body: unknown });
		},
	},
	{
		name: "what is being written counts, and no more is reserved than is left",
		cites: [],
		async run(world) {
			const [one, other, none] = [newId(), newId(), newId()];
			const max_total = 20_000;
			assert.equal(await reserve(world, one, { max_total, bytes: 12_000 }), 12_000);
			assert.equal(await reserve(world, other, { max_total, bytes: 12_000 }), 8_000);
			assert.equal(await reserve(world, none, { max_total }), 0);
			const extend = async (id: string, bytes: number) =>
				(
					await world.expect(200, ReservedFile, "POST", "/files/extend", {
						body: { owner_id: world.owner, id, bytes, max_total },
					})
				).reserved;
			assert.equal(await extend(other, 1), 8_000);
			await commit(world, one, 5_000);
			assert.equal(await extend(other, 10_000), 15_000);
			assert.equal(await extend(other, 1), 15_000);
			const body = { owner_id: world.owner, id: one, bytes: 1, max_total };
			await world.refuse(409, "POST", "/files/extend", { body });
		},
	},
	{
		name: "an empty file counts as 4 KiB, and a removed one no longer",
		cites: [],
		async run(world) {
			const fields = { max_total: 10_000, bytes: 4096 };
			const first = await add(world, { size: 0, ...fields });
			await add(world, { size: 0, ...fields });
			assert.equal(await reserve(world, newId(), fields), 0);
			await mark(world, { ids: [first] });
			assert.equal(await reserve(world, newId(), fields), 0);
			assert.deepEqual(await remove(world, first), { removed: 1 });
			assert.equal(await reserve(world, newId(), fields), 4096);
		},
	},
	{
		name: "of 20 parallel callers only as many get room as there is",
		cites: [],
		async run(world) {
			const all = Array.from({ length: 20 }, () => reserve(world, newId(), { max_total: 40_000 }));
			const granted = await Promise.all(all);
			assert.equal(
				granted.reduce((sum, bytes) => sum + bytes, 0),
				8192 * 4 + 7232,
			);
		},
	},
	{
		name: "an owner's files are listed newest first, page by page",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const added: string[] = [];
			for (let nth = 0; nth < 5; nth++) added.unshift(await add(world));
			await reserve(world, newId());
			const first = await list(world, "/files", { limit: 2 });
			const second = await list(world, "/files", { limit: 3, cursor: first.next_cursor });
			assert.deepEqual(
				[...first.files, ...second.files].map(({ id }) => id),
				added,
			);
			assert.equal(second.next_cursor, null);
			await world.refuse(422, "GET", "/files", { query: { owner_id: world.owner, cursor: "=" } });
		},
	},
	{
		name: "a kept file has no end; a name has one file, and the one before gets its retention back",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const [first, second] = [await add(world, { retention: HOUR }), await add(world, { retention: HOUR })];
			const kept = (await keep(world, first, "prices")).file;
			assert.deepEqual([kept.kept_as, kept.kept_at, kept.expires_at], ["prices", NOON, null]);
			await world.target.setNow(NOON + HOUR / 2);
			await keep(world, second, "prices");
			const before = FileRecordAnswer.parse((await get(world, first)).body).file;
			assert.deepEqual([before.kept_as, before.expires_at], [null, NOON + HOUR / 2 + DAY]);
			await world.target.setNow(NOON + 2 * DAY);
			assert.deepEqual([await isThere(world, first), await isThere(world, second)], [false, true]);
			const body = { owner_id: world.owner, id: first, name: "prices", retention_ms: DAY };
			await world.refuse(404, "POST", "/files/keep", { body });
			assert.equal((await list(world, "/files/kept")).files[0]?.id, second);
		},
	},
	{
		name: "kept files are listed by name, prefix and page",
		cites: [],
		async run(world) {
			const names = ["b/2", "a", "b/1", "b", "c", "b/漢字"];
			for (const name of names) await keep(world, await add(world), name);
			await add(world);
			const read = async (query: object) => {
				const page = await list(world, "/files/kept", query);
				return [page.files.map(({ kept_as }) => kept_as), page.next_cursor] as const;
			};
			assert.deepEqual((await read({}))[0], ["a", "b", "b/1", "b/2", "b/漢字", "c"]);
			const [first, cursor] = await read({ prefix: "b/", limit: 2 });
			assert.deepEqual(first, ["b/1", "b/2"]);
			assert.deepEqual(await read({ prefix: "b/", limit: 2, cursor }), [["b/漢字"], null]);
			assert.deepEqual(await read({ name: "b" }), [["b"], null]);
			assert.deepEqual(await read({ name: "B" }), [[], null]);
		},
	},
	{
		name: "the first file that is not kept is found",
		cites: [],
		async run(world) {
			const [kept, loose, other] = [await add(world), await add(world), await add(world)];
			await keep(world, kept, "kept");
			const find = async (given: readonly string[]) =>
				(
					await world.expect(200, UnkeptAnswer, "POST", "/files/unkept", {
						body: { owner_id: world.owner, ids: given },
					})
				).file?.id;
			assert.equal(await find([kept, other, loose]), other);
			assert.equal(await find([kept, newId()]), undefined);
		},
	},
	{
		name: "a file expires and is swept, then removed with what it counted",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const [expiring, staying] = [await add(world, { retention: HOUR }), await add(world)];
			assert.deepEqual(await sweep(world), []);
			await world.target.setNow(NOON + HOUR);
			assert.equal(await isThere(world, expiring), false);
			assert.deepEqual(await sweep(world), [expiring]);
			assert.deepEqual(await sweep(world), []);
			// Whoever was to delete its bytes may have died.
			await world.target.setNow(NOON + HOUR + 60_000);
			assert.deepEqual(await sweep(world), [expiring]);
			assert.deepEqual(await remove(world, expiring, staying), { removed: 1 });
			await world.target.setNow(NOON + 2 * HOUR);
			assert.deepEqual(await sweep(world), []);
			assert.equal(await isThere(world, staying), true);
		},
	},
	{
		name: "a file that was being written is swept after an hour, or once its process is known to have ended",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const [left, slow] = [newId(), newId()];
			await reserve(world, left);
			await reserve(world, slow);
			await world.target.setNow(NOON + HOUR / 2);
			const more = { owner_id: world.owner, id: slow, bytes: 1, max_total: MIB };
			await world.expect(200, ReservedFile, "POST", "/files/extend", { body: more });
			await world.target.setNow(NOON + HOUR);
			assert.deepEqual(await sweep(world), [left]);
			await world.refuse(409, "POST", "/files/commit", {
				body: { owner_id: world.owner, id: left, size: 1, retention_ms: DAY },
			});
			const body = { before: NOON + HOUR };
			await world.expect(200, ExpiredPendingFiles, "POST", "/files/expire-pending", { body });
			assert.deepEqual(await sweep(world), [slow]);
		},
	},
	{
		name: "an expired file is there while an accepted run that holds it has not ended",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const [held, free] = [await add(world, { retention: HOUR }), await add(world, { retention: HOUR })];
			assert.equal(await hold(world, held, newId()), 1);
			assert.equal(await hold(world, held), 0);
			await accept(world);
			await world.target.setNow(NOON + HOUR);
			assert.deepEqual(await sweep(world), [free]);
			assert.equal(await isThere(world, held), true);
			await world.target.setNow(NOON + 3 * DAY);
			assert.equal(await isThere(world, held), true);
			await end(world);
			assert.equal(await isThere(world, held), false);
			await world.target.setNow(NOON + 3 * DAY + HOUR);
			assert.deepEqual((await sweep(world)).sort(), [held, free].sort());
		},
	},
	{
		name: "a deleted file is gone at once, by its id or by its name",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const [one, kept] = [await add(world), await add(world)];
			await keep(world, kept, "prices");
			assert.deepEqual((await mark(world, { ids: [one, newId()] })).files, [
				{ owner_id: world.owner, id: one },
			]);
			assert.deepEqual((await mark(world, { ids: [one] })).files, []);
			assert.equal((await mark(world, { kept_as: "prices" })).files[0]?.id, kept);
			assert.deepEqual((await mark(world, { kept_as: "prices" })).files, []);
			assert.deepEqual([await isThere(world, one), await isThere(world, kept)], [false, false]);
			assert.deepEqual((await list(world, "/files/kept")).files, []);
			await world.target.setNow(NOON + 60_000);
			assert.deepEqual((await sweep(world)).sort(), [one, kept].sort());
		},
	},
	{
		name: "another owner can neither delete, keep nor hold a file",
		cites: [],
		async run(world) {
			const id = await add(world);
			const owner_id = `${world.owner}-x`;
			await world.refuse(404, "POST", "/files/keep", {
				body: { owner_id, id, name: "mine", retention_ms: DAY },
			});
			const held = { owner_id, ids: [id], execution_ids: [RUN] };
			assert.deepEqual((await world.call("POST", "/files/hold", { body: held })).body, { held: 0 });
			const marked = await world.call("POST", "/files/mark", { body: { owner_id, ids: [id] } });
			assert.deepEqual(marked.body, { files: [] });
			assert.equal(await isThere(world, id), true);
		},
	},
	{
		name: "names that could be paths, and ids that are not ids, are refused",
		cites: [],
		async run(world) {
			for (const fields of [
				{ name: "../x" },
				{ name: "a\\b" },
				{ name: "a\r\nb" },
				{ name: "" },
				{ type: "text" },
				{ type: "text/html\r\nx: y" },
				{ id: "../../../../etc/passwd" },
				{ bytes: 1 },
			])
				await world.refuse(422, "POST", "/files/reserve", { body: buildFile(world, newId(), fields) });
			await world.refuse(422, "GET", "/files/..%2F..", { query: { owner_id: world.owner } });
		},
	},
	{
		name: "files are for internal callers only",
		cites: [],
		environment: { STORE_INTERNAL_TOKEN: "internal-token-of-the-tests", MULTI_TENANT: "true" },
		async run(world) {
			const internal = { authorization: "Bearer internal-token-of-the-tests" };
			const created = await world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", {
				headers: internal,
				body: { namespace: world.owner },
			});
			const headers = { authorization: `Bearer ${created.key}` };
			const id = newId();
			const own = { owner_id: world.owner, id };
			const posts: [string, object][] = [
				["reserve", buildFile(world, id)],
				["extend", { ...own, bytes: 1, max_total: 1 }],
				["commit", { ...own, size: 1, retention_ms: 1 }],
				["unkept", { owner_id: world.owner, ids: [] }],
				["keep", { ...own, name: "n", retention_ms: 1 }],
				["hold", { owner_id: world.owner, ids: [id], execution_ids: [RUN] }],
				["mark", { owner_id: world.owner, ids: [id] }],
				["sweep", { limit: 1 }],
				["expire-pending", { before: 1 }],
				["remove", { files: [] }],
			];
			for (const [name, body] of posts) await world.refuse(403, "POST", `/files/${name}`, { headers, body });
			for (const path of ["/files", "/files/kept", `/files/${id}`])
				await world.refuse(403, "GET", path, { headers, query: { owner_id: world.owner } });
		},
	},
];
