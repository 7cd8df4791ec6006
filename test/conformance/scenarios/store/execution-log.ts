import assert from "node:assert/strict";
import { EntryPage, UpsertedEntry } from "@tripline/contract/entries";
import {
	ExecutionPage,
	ExecutionRecord,
	ExecutionSummary,
	LatestExecutions,
	WroteExecutions,
} from "@tripline/contract/execution-log";
import { uuidv7 } from "@tripline/contract/ids";
import type { Scenario, World } from "../../scenario.ts";

const report = (world: World, fields: object = {}) => ({
	owner_id: world.owner,
	workflow: "flow",
	verdict: "success",
	duration_ms: 12,
	...fields,
});

const write = (world: World, ...records: object[]) =>
	world.expect(200, WroteExecutions, "POST", "/execution-log", { body: { records } });

async function listExecutions(world: World, query: Record<string, string | number> = {}) {
	const page = await world.expect(200, ExecutionPage, "GET", "/execution-log", {
		query: { owner_id: world.owner, ...query },
	});
	return page.executions;
}

async function readSingle(world: World): Promise<ExecutionRecord> {
	const [record] = await listExecutions(world);
	assert.ok(record);
	return record;
}

const rawEntries = (world: World, entry_type: string, owner_id?: string) =>
	world.expect(200, EntryPage, "GET", "/entries", {
		query: { entry_type, ...(owner_id === undefined ? {} : { owner_id }) },
	});

const repeat = (world: World, count: number, verdict: string) =>
	write(world, ...Array.from({ length: count }, () => report(world, { verdict })));

/** Writes this many records, in batches. */
async function fill(world: World, count: number, verdict = "success", owner_id = world.owner) {
	let recorded = 0;
	for (let left = count; left > 0; left -= 500) {
		const batch = Array.from({ length: Math.min(500, left) }, () => report(world, { verdict, owner_id }));
		recorded += (await write(world, ...batch)).recorded;
	}
	return { recorded };
}

/** Each scenario that fills the day's limit uses its own day, because the counter is per store and day. */
const LIMITED = { EXECUTION_LOG_DAILY_WRITE_LIMIT: "10" };
/** Shares are at least 1,000, so only a larger limit shows their effect. */
const SHARED = { MULTI_TENANT: "true", EXECUTION_LOG_DAILY_WRITE_LIMIT: "4000" };
const day = (number: number) => Date.UTC(2027, 0, number, 12);

export const executionLog: readonly Scenario[] = [
	{
		name: "a record contains time, workflow, verdict, duration, error and target",
		cites: [
			"STORE-EXECLOG-LIST",
			"STORE-EXECLOG-TIME",
			"STORE-EXECLOG-WORKFLOW",
			"STORE-EXECLOG-VERDICT",
			"STORE-EXECLOG-DURATION",
			"STORE-EXECLOG-ERROR",
			"STORE-EXECLOG-TARGET",
			"STORE-EXECLOG-FAILURE-MORE",
		],
		async run(world) {
			const body = report(world, {
				verdict: "failed",
				duration_ms: 34.5,
				error: "fetch: timed out",
				time: "2026-02-03T04:05:06.789Z",
				trigger: "webhook",
				failed_node: "fetch",
				nodes: [{ id: "fetch", component: "http_request", params: { url: "hidden" } }, { id: "end" }],
				context: { page_name: "Home" },
			});
			const wrote = await world.expect(200, WroteExecutions, "POST", "/execution-log", { body });
			assert.deepEqual(wrote, { recorded: 1, dropped: 0, mode: "normal" });
			const { id: _, ...record } = await readSingle(world);
			assert.deepEqual(record, {
				time: "2026-02-03T04:05:06.789Z",
				workflow: "flow",
				verdict: "failed",
				duration_ms: 34.5,
				error: "fetch: timed out",
				target: "Home",
				trigger: "webhook",
				failed_node: "fetch",
				nodes: [
					{ id: "fetch", component: "http_request" },
					{ id: "end", component: null },
				],
			});
		},
	},
	{
		name: "a success record is minimal",
		cites: ["STORE-EXECLOG-SUCCESS-MINIMAL"],
		async run(world) {
			await write(world, report(world, { nodes: [{ id: "a", component: "set" }], failed_node: "a" }));
			assert.deepEqual(Object.keys(await readSingle(world)).sort(), [
				"duration_ms",
				"error",
				"id",
				"target",
				"time",
				"trigger",
				"verdict",
				"workflow",
			]);
		},
	},
	{
		name: "an execution is one entry with its workflow as the page and its values as metadata",
		cites: ["STORE-EXECLOG-ONE-ENTRY", "STORE-EXECLOG-NO-EXPANSION", "STORE-HOLDS-EXECUTION-RECORDS"],
		async run(world) {
			await write(world, report(world, { error: "", context: { path: "/x" } }));
			const everything = await world.expect(200, EntryPage, "GET", "/entries", {
				query: { owner_id: world.owner },
			});
			assert.equal(everything.entries.length, 1);
			const [entry] = everything.entries;
			assert.equal(entry?.entry_type, "execution_log");
			assert.equal(entry?.page_name, "flow");
			assert.equal(entry?.content, "");
			const { id: _, ...record } = await readSingle(world);
			assert.deepEqual(JSON.parse(entry?.metadata_json ?? ""), record);
		},
	},
	{
		name: "an error message is truncated to 200 characters for a success and 2000 for a failure",
		cites: ["STORE-EXECLOG-TRUNCATE-SUCCESS", "STORE-EXECLOG-TRUNCATE-FAILURE"],
		async run(world) {
			const error = "é🧵".repeat(3000);
			await write(world, report(world, { workflow: "ok", error }));
			await write(world, report(world, { workflow: "bad", verdict: "failed", error }));
			const [bad, ok] = await listExecutions(world);
			assert.equal(ok?.error, "é🧵".repeat(100));
			assert.equal(bad?.error, "é🧵".repeat(1000));
		},
	},
	{
		name: "the target is page_name, else path, and nothing else",
		cites: ["STORE-EXECLOG-TARGET-PAGE-NAME", "STORE-EXECLOG-TARGET-PATH", "STORE-EXECLOG-TARGET-ONLY"],
		async run(world) {
			const contexts = [
				{ page_name: "Page", path: "/path" },
				{ path: "/path" },
				{ url: "/no", target: "no", name: "no" },
				{ page_name: { nested: true }, path: 5 },
				null,
			];
			for (const context of contexts) await write(world, report(world, { context }));
			const targets = (await listExecutions(world)).map((record) => record.target);
			assert.deepEqual(targets.reverse(), ["Page", "/path", null, null, null]);
		},
	},
	{
		name: "the input is never stored, and records are never embedded",
		cites: ["STORE-EXECLOG-NO-INPUT", "STORE-EXECLOG-NO-EMBED"],
		async run(world) {
			const context = { password: "canary-1", nested: { token: "canary-2" }, path: "/x", embed: true };
			for (const verdict of ["success", "failed"]) await write(world, report(world, { verdict, context }));
			const { entries } = await rawEntries(world, "execution_log", world.owner);
			assert.equal(entries.length, 2);
			for (const entry of entries) {
				assert.doesNotMatch(JSON.stringify(entry), /canary/);
				assert.equal("embed" in JSON.parse(entry.metadata_json), false);
			}
		},
	},
	{
		name: "the latest record is returned for each workflow, for some or for all of them",
		cites: ["STORE-EXECLOG-LATEST"],
		async run(world) {
			const at = (workflow: string, second: number, verdict = "success") =>
				report(world, { workflow, verdict, time: `2026-03-01T00:00:0${second}Z` });
			await write(world, at("a", 1), at("a", 5, "failed"), at("a", 3), at("b", 2), at("編", 1));
			const latest = async (query: object) =>
				(
					await world.expect(200, LatestExecutions, "GET", "/execution-log/latest", {
						query: { owner_id: world.owner, ...query },
					})
				).latest;
			const asked = await latest({ workflow: ["a", "b", "never-ran"] });
			assert.deepEqual(Object.keys(asked).sort(), ["a", "b"]);
			assert.equal(asked.a?.verdict, "failed");
			assert.deepEqual(Object.keys(await latest({ workflow: "編" })), ["編"]);
			assert.deepEqual(Object.keys(await latest({})).sort(), ["a", "b", "編"]);
		},
	},
	{
		name: "of two records of the same second, the later write is the latest",
		cites: ["STORE-ENTRY-NEWEST-DETERMINISTIC", "STORE-EXECLOG-LATEST"],
		async run(world) {
			const time = "2026-03-01T00:00:00Z";
			await write(world, report(world, { time, duration_ms: 1 }), report(world, { time, duration_ms: 2 }));
			const { latest } = await world.expect(200, LatestExecutions, "GET", "/execution-log/latest", {
				query: { owner_id: world.owner, workflow: "flow" },
			});
			assert.equal(latest.flow?.duration_ms, 2);
		},
	},
	{
		name: "records can be filtered by workflow, verdict and time, and are paginated",
		cites: ["STORE-EXECLOG-LIST"],
		async run(world) {
			const at = (workflow: string, verdict: string, minute: number) =>
				report(world, { workflow, verdict, time: `2026-03-01T00:0${minute}:00Z`, duration_ms: minute });
			await write(
				world,
				at("a", "success", 1),
				at("a", "failed", 2),
				at("b", "failed", 3),
				at("a", "failed", 4),
			);
			const durations = async (query: Record<string, string | number>) =>
				(await listExecutions(world, query)).map((record) => record.duration_ms);
			assert.deepEqual(await durations({}), [4, 3, 2, 1]);
			assert.deepEqual(await durations({ workflow: "a" }), [4, 2, 1]);
			assert.deepEqual(await durations({ verdict: "failed" }), [4, 3, 2]);
			assert.deepEqual(await durations({ verdict: "success" }), [1]);
			assert.deepEqual(await durations({ workflow: "a", verdict: "failed" }), [4, 2]);
			assert.deepEqual(
				await durations({ since: "2026-03-01T00:02:00Z", until: "2026-03-01T00:03:00Z" }),
				[3, 2],
			);
			const query = { owner_id: world.owner, limit: 3 };
			const first = await world.expect(200, ExecutionPage, "GET", "/execution-log", { query });
			assert.deepEqual(await durations({ cursor: first.next_cursor ?? "" }), [1]);
		},
	},
	{
		name: "runs_of=named omits the runs of token webhooks, and runs_of=webhook all others",
		cites: ["STORE-EXECLOG-LIST", "STORE-EXECLOG-LATEST"],
		async run(world) {
			const triggers = ["named", "webhook", "query", "schedule", "webhook", "event", "mcp", "console"];
			const at = (trigger: string | undefined, minute: number, fields: object = {}) =>
				report(world, { trigger, time: `2026-03-01T00:0${minute}:00Z`, duration_ms: minute, ...fields });
			await write(world, ...triggers.map((trigger, nth) => at(trigger, nth)), at(undefined, 8));
			await write(world, at("webhook", 9), at("webhook", 9, { workflow: "hook", verdict: "failed" }));
			await write(world, at("named", 9, { workflow: "other", verdict: "failed" }));
			const listRuns = async (query: Record<string, string | number>) =>
				(await listExecutions(world, query)).map(({ workflow, duration_ms }) => `${workflow} ${duration_ms}`);
			const flow = (...minutes: number[]) => minutes.map((minute) => `flow ${minute}`);
			assert.deepEqual(await listRuns({ workflow: "flow" }), flow(9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
			assert.deepEqual(await listRuns({ workflow: "flow", runs_of: "named" }), flow(8, 7, 6, 5, 3, 2, 0));
			assert.deepEqual(await listRuns({ workflow: "flow", runs_of: "webhook" }), flow(9, 4, 1));
			assert.deepEqual(await listRuns({ runs_of: "named" }), ["other 9", ...flow(8, 7, 6, 5, 3, 2, 0)]);
			assert.deepEqual(await listRuns({ runs_of: "webhook" }), ["hook 9", ...flow(9, 4, 1)]);
			const failed = { verdict: "failed" };
			assert.deepEqual(await listRuns({ ...failed, runs_of: "named" }), ["other 9"]);
			assert.deepEqual(await listRuns({ ...failed, runs_of: "webhook", workflow: "hook" }), ["hook 9"]);
			assert.deepEqual(await listRuns({ ...failed, runs_of: "named", workflow: "hook" }), []);
			assert.deepEqual(await listRuns({ runs_of: "named", verdict: "success", limit: 2 }), flow(8, 7));
			assert.deepEqual(await listRuns({ runs_of: "webhook", q: "FLOW" }), flow(9, 4, 1));
			const some = { since: "2026-03-01T00:02:00Z", until: "2026-03-01T00:05:00Z" };
			assert.deepEqual(await listRuns({ ...some, runs_of: "named", workflow: "flow" }), flow(5, 3, 2));
			assert.deepEqual(await listRuns({ ...some, runs_of: "webhook" }), flow(4));
			const latest = async (query: object) => {
				const answer = await world.expect(200, LatestExecutions, "GET", "/execution-log/latest", {
					query: { owner_id: world.owner, ...query },
				});
				return Object.values(answer.latest).map(({ workflow, duration_ms }) => `${workflow} ${duration_ms}`);
			};
			const every = { workflow: ["flow", "hook", "other", "none"] };
			for (const query of [{}, every]) {
				assert.deepEqual((await latest(query)).sort(), ["flow 9", "hook 9", "other 9"]);
				assert.deepEqual((await latest({ ...query, runs_of: "named" })).sort(), ["flow 8", "other 9"]);
				assert.deepEqual((await latest({ ...query, runs_of: "webhook" })).sort(), ["flow 9", "hook 9"]);
			}
			for (const runs_of of ["", "schedule", ["named", "webhook"]]) {
				const query = { owner_id: world.owner, runs_of };
				await world.refuse(422, "GET", "/execution-log", { query });
				await world.refuse(422, "GET", "/execution-log/latest", { query });
			}
		},
	},
	{
		name: "a workflow's run is found among thousands of runs of a token webhook of the same name",
		cites: ["STORE-EXECLOG-LIST", "STORE-EXECLOG-LATEST"],
		async run(world) {
			await world.target.setNow(day(21));
			await write(world, report(world, { workflow: "greet", trigger: "schedule", duration_ms: 1 }));
			await world.target.setNow(day(21) + 1000);
			const hook = report(world, { workflow: "greet", trigger: "webhook" });
			for (let round = 0; round < 10; round++) {
				await write(world, ...Array.from({ length: 500 }, () => hook));
			}
			const named = { owner_id: world.owner, runs_of: "named" };
			const { latest } = await world.expect(200, LatestExecutions, "GET", "/execution-log/latest", {
				query: named,
			});
			assert.deepEqual([latest.greet?.duration_ms, latest.greet?.trigger], [1, "schedule"]);
			const page = await world.expect(200, ExecutionPage, "GET", "/execution-log", {
				query: { ...named, workflow: "greet" },
			});
			assert.deepEqual(page.executions, [latest.greet]);
			assert.equal(page.next_cursor, null);
			const found: ExecutionRecord[] = [];
			let cursor: string | null = "";
			for (let pages = 0; cursor !== null; pages++) {
				assert.ok(pages < 5, "a page without a workflow scans several thousand records");
				const query = { ...named, ...(cursor === "" ? {} : { cursor }) };
				const part: { executions: ExecutionRecord[]; next_cursor: string | null } = await world.expect(
					200,
					ExecutionPage,
					"GET",
					"/execution-log",
					{ query },
				);
				found.push(...part.executions);
				cursor = part.next_cursor;
			}
			assert.deepEqual(found, page.executions);
		},
	},
	{
		name: "pages filtered by runs_of have no gaps or duplicates",
		cites: ["STORE-EXECLOG-LIST"],
		async run(world) {
			const triggers = ["webhook", "named", "webhook", "webhook", "schedule", "named", "webhook"];
			const time = "2026-03-01T00:00:00Z";
			await write(
				world,
				...triggers.map((trigger, nth) => report(world, { trigger, time, duration_ms: nth })),
			);
			for (const workflow of [{}, { workflow: "flow" }]) {
				for (const [runs_of, expected] of [
					["named", [5, 4, 1]],
					["webhook", [6, 3, 2, 0]],
					[undefined, [6, 5, 4, 3, 2, 1, 0]],
				] as const) {
					const found: number[] = [];
					let cursor: string | null = null;
					do {
						const query = { owner_id: world.owner, ...workflow, runs_of, limit: 2 };
						const page: { executions: ExecutionRecord[]; next_cursor: string | null } = await world.expect(
							200,
							ExecutionPage,
							"GET",
							"/execution-log",
							{ query: cursor === null ? query : { ...query, cursor } },
						);
						found.push(...page.executions.map((record) => record.duration_ms));
						cursor = page.next_cursor;
					} while (cursor !== null);
					assert.deepEqual(found, expected);
				}
			}
		},
	},
	{
		name: "a record written as an entry is classified by its trigger",
		cites: ["STORE-EXECLOG-LIST"],
		async run(world) {
			for (const trigger of ["webhook", "schedule", null]) {
				const record = { time: "2026-03-01T00:00:00Z", workflow: "flow", verdict: "success", trigger };
				const metadata_json = JSON.stringify({ ...record, duration_ms: 1, error: "", target: null });
				const entry = { entry_type: "execution_log", page_name: "flow", content: "", metadata_json };
				const body = { owner_id: world.owner, ...entry };
				assert.equal((await world.call("POST", "/entries", { body })).status, 201);
			}
			const listTriggers = async (query: Record<string, string>) =>
				(await listExecutions(world, query)).map(({ trigger }) => trigger);
			for (const workflow of [{}, { workflow: "flow" }]) {
				assert.deepEqual(await listTriggers({ ...workflow, runs_of: "webhook" }), ["webhook"]);
				assert.deepEqual(await listTriggers({ ...workflow, runs_of: "named" }), [null, "schedule"]);
			}
		},
	},
	{
		name: "a time in the future is replaced by the current time",
		cites: ["STORE-EXECLOG-TIME"],
		async run(world) {
			await world.target.setNow(Date.UTC(2026, 3, 1));
			await write(world, report(world, { time: "2099-01-01T00:00:00Z" }));
			assert.equal((await readSingle(world)).time, "2026-04-01T00:00:00.000Z");
		},
	},
	{
		name: "one invalid record rejects the whole batch, and nothing is written",
		cites: [],
		async run(world) {
			const body = { records: [report(world), report(world, { verdict: "maybe" })] };
			const { issues } = await world.refuse(422, "POST", "/execution-log", { body });
			assert.equal(issues?.[0]?.path, "records.1.verdict");
			assert.deepEqual(await listExecutions(world), []);
		},
	},
	{
		name: "up to 80% of the day's limit every record is written",
		cites: ["STORE-EXECLOG-NORMAL", "STORE-EXECLOG-LIMIT-OVERRIDE", "STORE-EXECLOG-USAGE"],
		environment: LIMITED,
		async run(world) {
			await world.target.setNow(day(1));
			assert.deepEqual(await repeat(world, 8, "success"), { recorded: 8, dropped: 0, mode: "normal" });
			assert.deepEqual(await repeat(world, 1, "success"), { recorded: 1, dropped: 0, mode: "failures_only" });
			const usage = await rawEntries(world, "execution_log_usage");
			const today = usage.entries.find((entry) => entry.page_name === "2027-01-01");
			assert.deepEqual(JSON.parse(today?.metadata_json ?? ""), { count: 9 });
		},
	},
	{
		name: "above 80% of the day's limit successes are dropped and failures kept",
		cites: [
			"STORE-EXECLOG-FAILURES-ONLY",
			"STORE-EXECLOG-FAILURES-ONLY-DROPS",
			"STORE-EXECLOG-FAILURES-ONLY-KEEPS",
		],
		environment: LIMITED,
		async run(world) {
			await world.target.setNow(day(2));
			await repeat(world, 9, "success");
			const dropped = await repeat(world, 5, "success");
			assert.deepEqual(dropped, { recorded: 0, dropped: 5, mode: "failures_only" });
			const kept = await repeat(world, 1, "failed");
			assert.deepEqual(kept, { recorded: 1, dropped: 0, mode: "failures_only" });
			assert.equal((await listExecutions(world)).length, 10);
		},
	},
	{
		name: "above 100% of the day's limit nothing is recorded, without an error",
		cites: ["STORE-EXECLOG-STOPPED", "STORE-EXECLOG-STOPPED-NOTHING"],
		environment: LIMITED,
		async run(world) {
			await world.target.setNow(day(3));
			assert.deepEqual(await repeat(world, 20, "failed"), { recorded: 11, dropped: 9, mode: "stopped" });
			assert.deepEqual(await repeat(world, 3, "failed"), { recorded: 0, dropped: 3, mode: "stopped" });
			assert.deepEqual(await repeat(world, 3, "success"), { recorded: 0, dropped: 3, mode: "stopped" });
			assert.equal((await listExecutions(world)).length, 11);
		},
	},
	{
		name: "a batch that crosses a threshold is cut at the record that reaches it",
		cites: ["STORE-EXECLOG-FAILURES-ONLY", "STORE-EXECLOG-STOPPED"],
		environment: LIMITED,
		async run(world) {
			await world.target.setNow(day(4));
			await repeat(world, 7, "success");
			const verdicts = ["success", "failed", "success", "failed", "success", "failed", "failed"];
			const batch = verdicts.map((verdict, index) => report(world, { verdict, duration_ms: 100 + index }));
			assert.deepEqual(await write(world, ...batch), { recorded: 4, dropped: 3, mode: "stopped" });
			const kept = (await listExecutions(world))
				.map((record) => record.duration_ms)
				.filter((ms) => ms >= 100);
			assert.deepEqual(kept.reverse(), [100, 101, 103, 105]);
		},
	},
	{
		name: "parallel writes never exceed the limit, and the counter equals what was written",
		cites: ["STORE-EXECLOG-USAGE", "STORE-EXECLOG-STOPPED-NOTHING"],
		environment: LIMITED,
		async run(world) {
			await world.target.setNow(day(5));
			const answers = await Promise.all(Array.from({ length: 30 }, () => repeat(world, 1, "failed")));
			const recorded = answers.reduce((sum, answer) => sum + answer.recorded, 0);
			assert.equal(recorded, 11);
			assert.equal((await listExecutions(world)).length, 11);
			const usage = await rawEntries(world, "execution_log_usage");
			const today = usage.entries.find((entry) => entry.page_name === "2027-01-05");
			assert.deepEqual(JSON.parse(today?.metadata_json ?? ""), { count: 11 });
		},
	},
	{
		name: "a new UTC day starts at zero",
		cites: ["STORE-EXECLOG-USAGE"],
		environment: LIMITED,
		async run(world) {
			await world.target.setNow(Date.UTC(2027, 0, 6, 23, 59, 59));
			assert.equal((await repeat(world, 20, "failed")).mode, "stopped");
			await world.target.setNow(Date.UTC(2027, 0, 7));
			assert.deepEqual(await repeat(world, 2, "success"), { recorded: 2, dropped: 0, mode: "normal" });
		},
	},
	{
		name: "above half of the day's limit only namespaces over their share lose successes",
		cites: [],
		environment: SHARED,
		async run(world) {
			await world.target.setNow(day(9));
			const other = `${world.owner}-other`;
			assert.equal((await fill(world, 2_001)).recorded, 2_001);
			assert.deepEqual(await repeat(world, 3, "success"), { recorded: 0, dropped: 3, mode: "failures_only" });
			const kept = await write(world, report(world, { owner_id: other }));
			assert.deepEqual(kept, { recorded: 1, dropped: 0, mode: "normal" });
			assert.equal((await repeat(world, 2, "failed")).recorded, 2);
			const summary = (owner_id: string) =>
				world.expect(200, ExecutionSummary, "GET", "/execution-log/summary", { query: { owner_id } });
			assert.equal((await summary(world.owner)).mode, "failures_only");
			assert.equal((await summary(other)).mode, "normal");
		},
	},
	{
		name: "above 80% a namespace over its share also loses failures; the others lose none up to the limit",
		cites: [],
		environment: SHARED,
		async run(world) {
			await world.target.setNow(day(10));
			const other = `${world.owner}-other`;
			const reportFailed = (owner_id: string) => report(world, { owner_id, verdict: "failed" });
			await fill(world, 3_500, "failed");
			assert.deepEqual(await repeat(world, 1, "failed"), { recorded: 0, dropped: 1, mode: "stopped" });
			const mixed = [
				reportFailed(world.owner),
				reportFailed(other),
				reportFailed(world.owner),
				reportFailed(other),
			];
			assert.deepEqual(await write(world, ...mixed), { recorded: 2, dropped: 2, mode: "failures_only" });
			const storm = Array.from({ length: 100 }, () => reportFailed(other));
			assert.deepEqual(await write(world, ...storm), { recorded: 100, dropped: 0, mode: "failures_only" });
			const usage = await rawEntries(world, "execution_log_usage");
			const today = usage.entries.find((entry) => entry.page_name === "2027-01-10");
			assert.deepEqual(JSON.parse(today?.metadata_json ?? ""), { count: 3_303 });
		},
	},
	{
		name: "records that are sent again count once against a namespace's share",
		cites: [],
		environment: SHARED,
		async run(world) {
			await world.target.setNow(day(11));
			const other = `${world.owner}-other`;
			const mine = Array.from({ length: 400 }, (_, nth) => report(world, { id: uuidv7(nth) }));
			for (let again = 0; again < 5; again++) await write(world, ...mine, ...mine.slice(0, 50));
			await fill(world, 1_800, "success", other);
			assert.deepEqual(await repeat(world, 1, "success"), { recorded: 1, dropped: 0, mode: "normal" });
		},
	},
	{
		name: "the day's limit is 20000 by default",
		cites: ["STORE-EXECLOG-LIMIT-DEFAULT"],
		async run(world) {
			await world.target.setNow(day(8));
			const batch = Array.from({ length: 500 }, () => report(world));
			let wrote = await write(world, ...batch);
			for (let round = 1; round < 32; round++) wrote = await write(world, ...batch);
			assert.deepEqual(wrote, { recorded: 500, dropped: 0, mode: "normal" });
			wrote = await write(world, ...batch);
			assert.deepEqual(wrote, { recorded: 1, dropped: 499, mode: "failures_only" });
			const failed = batch.map((record) => ({ ...record, verdict: "failed" }));
			for (let round = 0; round < 8; round++) wrote = await write(world, ...failed);
			assert.deepEqual(wrote, { recorded: 500, dropped: 0, mode: "stopped" });
		},
	},
	{
		name: "a record sent with an id is stored under that id, and only once",
		cites: [],
		async run(world) {
			const [first, second, third] = [uuidv7(1), uuidv7(2), uuidv7(3)];
			const batch = [report(world, { id: first }), report(world, { id: second, verdict: "failed" })];
			assert.deepEqual(await write(world, ...batch), { recorded: 2, dropped: 0, mode: "normal" });
			assert.deepEqual(await write(world, ...batch), { recorded: 0, dropped: 0, mode: "normal" });
			const more = [...batch, report(world, { id: third }), report(world, { id: third }), report(world)];
			assert.deepEqual(await write(world, ...more), { recorded: 2, dropped: 0, mode: "normal" });
			const kept = (await listExecutions(world)).map((record) => record.id);
			assert.equal(kept.length, 4);
			for (const id of [first, second, third]) assert.ok(kept.includes(id));
			const body = report(world, { id: "not-a-uuid" });
			await world.refuse(422, "POST", "/execution-log", { body });
		},
	},
	{
		name: "a batch resent above the limit distinguishes already stored records from dropped ones",
		cites: [],
		environment: LIMITED,
		async run(world) {
			await world.target.setNow(day(20));
			const batch = Array.from({ length: 12 }, (_, nth) =>
				report(world, { id: uuidv7(nth), verdict: "failed" }),
			);
			const wrote = await write(world, ...batch);
			assert.deepEqual(wrote, { recorded: 11, dropped: 1, mode: "stopped" });
			assert.deepEqual(await write(world, ...batch), { ...wrote, recorded: 0 });
			const usage = await rawEntries(world, "execution_log_usage");
			const today = usage.entries.find((entry) => entry.page_name === "2027-01-20");
			assert.deepEqual(JSON.parse(today?.metadata_json ?? ""), { count: 11 });
		},
	},
	{
		name: "an id that belongs to another owner's record is not overwritten",
		cites: ["STORE-ENTRY-ISOLATION"],
		async run(world) {
			const id = uuidv7(4);
			const other = `${world.owner}-other`;
			await write(world, report(world, { id, owner_id: other, duration_ms: 1 }));
			const wrote = await write(world, report(world, { id, duration_ms: 2 }));
			assert.deepEqual(wrote, { recorded: 0, dropped: 1, mode: "normal" });
			assert.deepEqual(await listExecutions(world), []);
			await world.refuse(404, "GET", `/execution-log/${id}`, { query: { owner_id: world.owner } });
		},
	},
	{
		name: "GET /execution-log/{id} returns one record of the owner",
		cites: [],
		async run(world) {
			const id = uuidv7(5);
			await write(world, report(world, { id, verdict: "failed", error: "e", failed_node: "n" }));
			const query = { owner_id: world.owner };
			const record = await world.expect(200, ExecutionRecord, "GET", `/execution-log/${id}`, { query });
			assert.deepEqual(record, await readSingle(world));
			await world.refuse(404, "GET", `/execution-log/${id}`, { query: { owner_id: `${world.owner}-x` } });
			await world.refuse(404, "GET", `/execution-log/${uuidv7(6)}`, { query });
			await world.refuse(422, "GET", `/execution-log/${id}`);
			await world.refuse(422, "GET", "/execution-log/none", { query });
			const note = { owner_id: world.owner, entry_type: "note", page_name: "p", content: "" };
			const { entry } = await world.expect(201, UpsertedEntry, "PUT", "/entries", { body: note });
			await world.refuse(404, "GET", `/execution-log/${entry.id}`, { query });
		},
	},
	{
		name: "the tick deletes records past their retention and keeps newer ones and other entries",
		cites: [],
		environment: { EXECUTION_RETENTION_DAYS: "7" },
		async run(world) {
			await world.target.setNow(Date.UTC(2026, 7, 1));
			const other = `${world.owner}-other`;
			await world.call("PUT", "/entries", {
				body: { owner_id: world.owner, entry_type: "note", page_name: "kept", content: "" },
			});
			await write(world, report(world, { workflow: "old" }), report(world, { owner_id: other }));
			await write(world, ...Array.from({ length: 500 }, () => report(world, { workflow: "many" })));
			await world.target.setNow(Date.UTC(2026, 7, 6));
			await write(world, report(world, { workflow: "young" }));
			await world.target.setNow(Date.UTC(2026, 7, 10));
			await world.target.tick();
			const left = await world.expect(200, EntryPage, "GET", "/entries", {
				query: { owner_id: world.owner },
			});
			assert.deepEqual(
				left.entries.map((entry) => entry.page_name),
				["young", "kept"],
			);
			assert.deepEqual((await rawEntries(world, "execution_log", other)).entries, []);
		},
	},
	{
		name: "the record of a run that lasted longer than the retention is kept from its end",
		cites: [],
		environment: { EXECUTION_RETENTION_DAYS: "7" },
		async run(world) {
			await world.target.setNow(Date.UTC(2026, 7, 20));
			await write(world, report(world, { workflow: "long", time: "2026-07-25T00:00:00Z" }));
			const countLeft = async () => {
				await world.target.tick();
				return (await rawEntries(world, "execution_log", world.owner)).entries.length;
			};
			assert.equal(await countLeft(), 1);
			await world.target.setNow(Date.UTC(2026, 7, 28));
			assert.equal(await countLeft(), 0);
		},
	},
];
