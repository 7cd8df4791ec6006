import assert from "node:assert/strict";
import { AppendedEntry, Entry, EntryPage, StoreUsage, UpsertedEntry } from "@tripline/contract/entries";
import {
	EndedPage,
	ExecutionPage,
	ExecutionSummary,
	WroteExecutions,
} from "@tripline/contract/execution-log";
import { SavedWorkflow, WorkflowList } from "@tripline/contract/executor";
import { UpcomingRuns } from "@tripline/contract/schedules";
import { Suggestions } from "@tripline/contract/search";
import * as z from "zod";
import type { Scenario, World } from "../../scenario.ts";

const NOON = Date.UTC(2027, 2, 1, 12);
const HOUR = 3_600_000;

const record = (world: World, fields: object = {}) => ({
	owner_id: world.owner,
	workflow: "flow",
	verdict: "success",
	duration_ms: 12,
	...fields,
});

const write = (world: World, ...records: object[]) =>
	world.expect(200, WroteExecutions, "POST", "/execution-log", { body: { records } });

const summary = (world: World, query: object = {}) =>
	world.expect(200, ExecutionSummary, "GET", "/execution-log/summary", {
		query: { owner_id: world.owner, ...query },
	});

const ended = (world: World, query: object = {}) =>
	world.expect(200, EndedPage.strict(), "GET", "/execution-log/ended", {
		query: { owner_id: world.owner, ...query },
	});

/** Errors name the records. */
const listErrors = ({ executions }: z.infer<typeof EndedPage>): string[] =>
	executions.map(({ error }) => error);

const append = async (world: World, fields: object) =>
	(
		await world.expect(201, AppendedEntry, "POST", "/entries", {
			body: { owner_id: world.owner, entry_type: "note", page_name: "p", content: "", ...fields },
		})
	).entry;

const workflow = (world: World, page_name: string, metadata: object, owner_id = world.owner) =>
	world.expect(201, UpsertedEntry, "PUT", "/entries", {
		body: {
			owner_id,
			entry_type: "workflow",
			page_name,
			content: "",
			metadata_json: JSON.stringify(metadata),
		},
	});

const toIso = (time: number): string => new Date(time).toISOString();

/** What the console shows about a namespace. */
export const reports: readonly Scenario[] = [
	{
		name: "records are followed in the order in which they are stored, whatever their time",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const of = (error: string, fields: object = {}) => record(world, { error, ...fields });
			await write(world, of("before"));
			const begin = await ended(world);
			assert.deepEqual([begin.executions, begin.has_more], [[], false]);
			await write(world, of("new"), of("other's", { owner_id: "someone-else" }));
			await write(world, of("of yesterday", { time: toIso(NOON - 24 * HOUR), verdict: "failed" }));
			await write(world, of("of another", { workflow: "other" }));
			const after = begin.next;
			const all = await ended(world, { after });
			assert.deepEqual(listErrors(all), ["new", "of yesterday", "of another"]);
			assert.deepEqual(listErrors(await ended(world, { after, verdict: "failed" })), ["of yesterday"]);
			assert.deepEqual(listErrors(await ended(world, { after, workflow: "other" })), ["of another"]);
			assert.deepEqual(listErrors(await ended(world, { after: all.next })), []);
			const first = await ended(world, { after, limit: "2" });
			assert.deepEqual([listErrors(first), first.has_more], [["new", "of yesterday"], true]);
			const rest = await ended(world, { after: first.next });
			assert.deepEqual([listErrors(rest), rest.has_more], [["of another"], false]);
			for (const query of [{ after: "nonsense!" }, { limit: "101" }, { verdict: "odd" }, { since: "1" }])
				await world.refuse(422, "GET", "/execution-log/ended", {
					query: { owner_id: world.owner, ...query } as Record<string, string>,
				});
		},
	},
	{
		name: "a record is followed although the rows before it were deleted",
		cites: [],
		async run(world) {
			await write(world, record(world, { error: "before" }));
			const notes: string[] = [];
			for (let nth = 0; nth < 5; nth++) notes.push((await append(world, { page_name: `n${nth}` })).id);
			const { next: after } = await ended(world);
			for (const id of notes)
				await world.expect(200, z.object({}), "DELETE", `/entries/${id}`, {
					query: { owner_id: world.owner },
				});
			await write(world, record(world, { error: "after" }));
			assert.deepEqual(listErrors(await ended(world, { after })), ["after"]);
		},
	},
	{
		name: "many records and other rows are followed page by page, each record once",
		cites: [],
		async run(world) {
			let { next: after } = await ended(world);
			const errors = Array.from({ length: 1_200 }, (_, nth) => `run ${nth}`);
			for (let nth = 0; nth < errors.length; nth += 400) {
				const others = Array.from({ length: 100 }, () => record(world, { owner_id: "someone-else" }));
				const own = errors.slice(nth, nth + 400).map((error) => record(world, { error }));
				await write(world, ...own, ...others);
			}
			const seen: string[] = [];
			for (let hasMore = true; hasMore; ) {
				const page = await ended(world, { after });
				seen.push(...listErrors(page));
				({ next: after, has_more: hasMore } = page);
			}
			assert.deepEqual(seen, errors);
		},
	},
	{
		name: "a summary counts an owner's runs by hour and verdict",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const at = (hoursAgo: number, verdict: string, fields: object = {}) =>
				record(world, { verdict, time: toIso(NOON - hoursAgo * HOUR), ...fields });
			await write(
				world,
				at(0, "success"),
				at(0, "failed", { workflow: "other" }),
				at(0.5, "success"),
				at(0.6, "success"),
				at(23.9, "failed"),
				at(25, "success"),
				at(1, "success", { owner_id: `${world.owner}-x` }),
			);
			const day = await summary(world);
			assert.deepEqual(day.hours, [
				{ hour: toIso(NOON - 24 * HOUR), success: 0, failed: 1 },
				{ hour: toIso(NOON - HOUR), success: 2, failed: 0 },
				{ hour: toIso(NOON), success: 1, failed: 1 },
			]);
			assert.equal(day.truncated, false);
			const early = await summary(world, { since: toIso(NOON - 26 * HOUR), until: toIso(NOON - 24 * HOUR) });
			assert.deepEqual(early.hours, [{ hour: toIso(NOON - 25 * HOUR), success: 1, failed: 0 }]);
			const within = await summary(world, { since: toIso(NOON - 0.55 * HOUR), until: toIso(NOON - 1000) });
			assert.deepEqual(within.hours, [{ hour: toIso(NOON - HOUR), success: 1, failed: 0 }]);
			const nothing = await summary(world, { since: toIso(NOON), until: toIso(NOON - HOUR) });
			assert.deepEqual(nothing.hours, []);
		},
	},
	{
		name: "a summary shows how much of the day's limit is used",
		cites: [],
		environment: { EXECUTION_LOG_DAILY_WRITE_LIMIT: "10" },
		async run(world) {
			await world.target.setNow(Date.UTC(2027, 0, 25, 12));
			const { hours: _, ...unused } = await summary(world);
			assert.deepEqual(unused, {
				truncated: false,
				mode: "normal",
				day: "2027-01-25",
				limit: 10,
				written: 0,
			});
			await write(world, ...Array.from({ length: 9 }, () => record(world)));
			const used = await summary(world);
			assert.deepEqual([used.mode, used.written], ["failures_only", 9]);
		},
	},
	{
		name: "a summary of more than a week, or without an owner, is rejected",
		cites: [],
		async run(world) {
			const path = "/execution-log/summary";
			const long = { owner_id: world.owner, since: toIso(NOON - 169 * HOUR), until: toIso(NOON) };
			const { issues } = await world.refuse(422, "GET", path, { query: long });
			assert.equal(issues?.[0]?.path, "since");
			await world.refuse(422, "GET", path);
			await world.refuse(422, "GET", path, { query: { owner_id: world.owner, since: "yesterday" } });
		},
	},
	{
		name: "records are found by text in the workflow, the error or the target, ignoring case",
		cites: [],
		async run(world) {
			await write(
				world,
				record(world, { workflow: "Daily 編碼", duration_ms: 1 }),
				record(world, { verdict: "failed", error: "fetch: TIMED out 100%_", duration_ms: 2 }),
				record(world, { context: { path: "/orders/日誌" }, duration_ms: 3 }),
				record(world, { owner_id: `${world.owner}-x`, workflow: "daily" }),
			);
			const findMatches = async (q: string, query: object = {}) => {
				const page = await world.expect(200, ExecutionPage, "GET", "/execution-log", {
					query: { owner_id: world.owner, q, ...query },
				});
				return page.executions.map((each) => each.duration_ms);
			};
			assert.deepEqual(await findMatches("daily"), [1]);
			assert.deepEqual(await findMatches("編碼"), [1]);
			assert.deepEqual(await findMatches("timed OUT"), [2]);
			assert.deepEqual(await findMatches("0%_"), [2]);
			assert.deepEqual(await findMatches("日誌"), [3]);
			assert.deepEqual(await findMatches("flow"), [3, 2]);
			assert.deepEqual(await findMatches("flow", { verdict: "failed" }), [2]);
			assert.deepEqual(await findMatches("flow", { workflow: "Daily 編碼" }), []);
			assert.deepEqual(await findMatches("' or 1=1 --"), []);
		},
	},
	{
		name: "a text search continues page by page, past records that do not match",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON + 24 * HOUR);
			const time = (nth: number) => ({ time: toIso(NOON + nth * 1000) });
			await write(world, record(world, { workflow: "needle", duration_ms: 1, ...time(0) }));
			for (let batch = 0; batch < 5; batch++) {
				const hay = Array.from({ length: 500 }, (_, nth) => record(world, time(1 + batch * 500 + nth)));
				await write(world, ...hay);
			}
			await write(
				world,
				...[2, 3, 4].map((duration_ms) =>
					record(world, { workflow: "needle", duration_ms, ...time(3000 + duration_ms) }),
				),
			);
			const seen: number[][] = [];
			let cursor: string | null = "";
			while (cursor !== null) {
				const query = { owner_id: world.owner, q: "needle", limit: 2, ...(cursor !== "" && { cursor }) };
				const page: z.output<typeof ExecutionPage> = await world.expect(
					200,
					ExecutionPage,
					"GET",
					"/execution-log",
					{ query },
				);
				seen.push(page.executions.map((each) => each.duration_ms));
				cursor = page.next_cursor;
			}
			assert.deepEqual(seen, [[4, 3], [2], [1]]);
		},
	},
	{
		name: "an owner's next runs are listed, soonest first",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await workflow(world, "yearly", { cron_expr: "@yearly" });
			await workflow(world, "often", { cron_expr: "*/5 * * * *" });
			await workflow(world, "hourly", { cron_expr: "@hourly" });
			await workflow(world, "by hand", {});
			await workflow(world, "another's", { cron_expr: "* * * * *" }, `${world.owner}-x`);
			const upcoming = async (query: object = {}) =>
				(
					await world.expect(200, UpcomingRuns, "GET", "/schedules/upcoming", {
						query: { owner_id: world.owner, ...query },
					})
				).upcoming;
			assert.deepEqual(await upcoming(), [
				{ workflow: "often", next_run_at: toIso(NOON + 5 * 60_000) },
				{ workflow: "hourly", next_run_at: toIso(NOON + HOUR) },
				{ workflow: "yearly", next_run_at: "2028-01-01T00:00:00.000Z" },
			]);
			assert.deepEqual(
				(await upcoming({ limit: 1 })).map((run) => run.workflow),
				["often"],
			);
			await world.refuse(422, "GET", "/schedules/upcoming");
			await world.refuse(422, "GET", "/schedules/upcoming", { query: { owner_id: world.owner, limit: 0 } });
		},
	},
	{
		name: "a list of workflows shows the next run of each",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await workflow(world, "by hand", {});
			await workflow(world, "hourly", { cron_expr: "@hourly" });
			const query = { owner_id: world.owner, entry_type: "workflow" };
			const { entries } = await world.expect(200, EntryPage, "GET", "/entries", { query });
			assert.deepEqual(
				entries.map((entry) => [entry.page_name, entry.next_run_at]),
				[
					["hourly", (NOON + HOUR) / 1000],
					["by hand", undefined],
				],
			);
		},
	},
	{
		name: "the executor returns one workflow by its name, with its next run",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const document = { description: "d", version: "1", triplets: ["input >> then >> say"] };
			const config = { say: { component: "template", text: "hi" } };
			const hourly = { ...document, config, name: "hourly", trigger: { type: "schedule", cron: "@hourly" } };
			await world.executor.expect(201, SavedWorkflow, "POST", "/workflows", { body: hourly });
			const listByName = (name: string) =>
				world.executor.expect(200, WorkflowList, "GET", "/webhooks/named", { query: { name } });
			const { workflows } = await listByName("hourly");
			assert.deepEqual(
				workflows.map(({ name, next_run_at }) => [name, next_run_at]),
				[["hourly", toIso(NOON + HOUR)]],
			);
			assert.deepEqual((await listByName("other")).workflows, []);
		},
	},
	{
		name: "the executor rejects a document whose name differs from the one in the path",
		cites: [],
		async run(world) {
			const config = { say: { component: "template", text: "hi" } };
			const body = { name: "a", description: "d", version: "1", triplets: ["input >> then >> say"], config };
			const { diagnostics } = await world.executor.refuse(400, "POST", "/workflows", {
				body,
				query: { name: "b" },
			});
			assert.equal(diagnostics?.[0]?.path, "name");
			const { workflows } = await world.executor.expect(200, WorkflowList, "GET", "/webhooks/named");
			assert.deepEqual(workflows, []);
			await world.executor.expect(201, SavedWorkflow, "POST", "/workflows", { body, query: { name: "a" } });
		},
	},
	{
		name: "usage shows the size of the database and the number of entries of each type",
		cites: [],
		async run(world) {
			await append(world, {});
			await append(world, {});
			await append(world, { entry_type: "idea" });
			await append(world, { owner_id: `${world.owner}-x` });
			await workflow(world, "w", {});
			await append(world, { entry_type: "credential" });
			await write(world, record(world));
			const query = { owner_id: world.owner };
			const usage = await world.expect(200, StoreUsage, "GET", "/usage", { query });
			assert.ok((usage.size_bytes ?? 0) > 10_000);
			assert.deepEqual(usage.types, [
				{ entry_type: "idea", count: 1, more: false },
				{ entry_type: "note", count: 2, more: false },
				{ entry_type: "workflow", count: 1, more: false },
			]);
			const nobody = { owner_id: `${world.owner}-nobody` };
			assert.deepEqual((await world.expect(200, StoreUsage, "GET", "/usage", { query: nobody })).types, []);
			await world.refuse(422, "GET", "/usage");
		},
	},
	{
		name: "a list of knowledge omits internal entries and triplets",
		cites: [],
		async run(world) {
			const note = await append(world, { page_name: "kept" });
			await workflow(world, "kept", {});
			await write(world, record(world, { workflow: "kept" }));
			await append(world, { entry_type: "value", page_name: "kept" });
			const source = { uri: "u", hash: "h" };
			await world.call("POST", "/triplets/ingest", {
				body: { owner_id: world.owner, subject: "a", predicate: "b", object: "c", source },
			});
			const ids = async (query: object = {}) => {
				const page = await world.expect(200, EntryPage, "GET", "/entries", {
					query: { owner_id: world.owner, knowledge: "true", ...query },
				});
				return page.entries.map((entry) => entry.id);
			};
			assert.deepEqual(await ids(), [note.id]);
			assert.deepEqual(await ids({ page_name: "kept" }), [note.id]);
			assert.equal((await ids({ entry_type: "workflow" })).length, 1);
			await world.refuse(422, "GET", "/entries", { query: { owner_id: world.owner, knowledge: "no" } });
		},
	},
	{
		name: "PUT /entries/{id} replaces that entry's content and metadata, and search finds the new words",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const first = await append(world, { content: "apples", metadata_json: '{"a":1}' });
			const second = await append(world, { content: "pears" });
			await world.target.setNow(NOON + HOUR);
			const body = { owner_id: world.owner, content: "quinces", metadata_json: '{"b":2}' };
			const Answer = z.object({ entry: Entry });
			const { entry } = await world.expect(200, Answer, "PUT", `/entries/${second.id}`, { body });
			assert.deepEqual(entry, {
				...second,
				content: "quinces",
				metadata_json: '{"b":2}',
				updated_at: (NOON + HOUR) / 1000,
			});
			const query = { owner_id: world.owner };
			assert.deepEqual(
				(await world.expect(200, Answer, "GET", `/entries/${first.id}`, { query })).entry,
				first,
			);
			const findMatches = async (q: string) => {
				const search = { owner_id: world.owner, q };
				const answer = await world.expect(200, Suggestions, "POST", "/search", { body: search });
				return answer.suggestions.map(({ id }) => id);
			};
			assert.deepEqual(await findMatches("quinces"), [second.id]);
			assert.deepEqual(await findMatches("pears"), []);
			assert.deepEqual(await findMatches("apples"), [first.id]);
		},
	},
	{
		name: "PUT /entries/{id} keeps a time that is already due; a new schedule replaces it",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const { entry } = await workflow(world, "w", { cron_expr: "@hourly" });
			await world.target.setNow(NOON + 2 * HOUR);
			const replaceCron = async (cron_expr: string) => {
				const metadata_json = JSON.stringify({ cron_expr });
				const body = { owner_id: world.owner, content: "", metadata_json };
				await world.expect(200, z.object({ entry: Entry }), "PUT", `/entries/${entry.id}`, { body });
				const query = { owner_id: world.owner };
				const answer = await world.expect(200, UpcomingRuns, "GET", "/schedules/upcoming", { query });
				return answer.upcoming[0]?.next_run_at;
			};
			assert.equal(await replaceCron("@hourly"), toIso(NOON + HOUR));
			assert.equal(await replaceCron("@daily"), toIso(NOON + 12 * HOUR));
		},
	},
	{
		name: "PUT /entries/{id} rejects entries that are another owner's, missing, ingested or invalid",
		cites: ["STORE-ENTRY-ISOLATION"],
		async run(world) {
			const mine = await append(world, {});
			const body = { owner_id: world.owner, content: "c" };
			const other = { ...body, owner_id: `${world.owner}-x` };
			await world.refuse(404, "PUT", `/entries/${mine.id}`, { body: other });
			await world.refuse(404, "PUT", "/entries/01890000-0000-7000-8000-000000000000", { body });
			await world.refuse(422, "PUT", "/entries/none", { body });
			await world.refuse(422, "PUT", `/entries/${mine.id}`, { body: { ...body, page_name: "q" } });
			await world.refuse(422, "PUT", `/entries/${mine.id}`, { body: { ...body, metadata_json: "[]" } });
			await world.refuse(422, "PUT", `/entries/${mine.id}`, { body: { content: "c" } });
			await world.call("POST", "/triplets/ingest", {
				body: {
					owner_id: world.owner,
					subject: "a",
					predicate: "b",
					object: "c",
					source: { uri: "u", hash: "h" },
				},
			});
			const query = { owner_id: world.owner, entry_type: "triplet" };
			const { entries } = await world.expect(200, EntryPage, "GET", "/entries", { query });
			await world.refuse(422, "PUT", `/entries/${entries[0]?.id}`, { body });
		},
	},
];
