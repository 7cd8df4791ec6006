import assert from "node:assert/strict";
import { AcceptedRun, ExecutionDetail, UnfinishedPage } from "@tripline/contract/executor";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import { openHost } from "./outside-host.ts";
import { webhook } from "./public-calls.ts";
import { createWorkflow, getNamedPath, listStored, run, save, trigger, waitForRecords } from "./saving.ts";
import { buildParts, listFiles } from "./uploads.ts";

const NOON = Date.UTC(2026, 10, 3, 12);
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const PREFER = { prefer: "respond-async" };

const APPLICATION = {
	type: "object",
	required: ["name", "cv"],
	properties: { name: { type: "string" }, cv: { type: "object", format: "file" } },
};

/** Calls the host before and after it waits. */
const pauses = (name: string, url: string, wait: object, more: object = {}) => ({
	...createWorkflow(name, {}, more),
	triplets: ["input >> then >> before", "before >> then >> pause", "pause >> then >> after"],
	config: {
		before: { component: "http_request", url: `${url}/before` },
		pause: { component: "wait", ...wait },
		after: { component: "http_request", url: `${url}/after` },
	},
});

async function accept(world: World, name: string, body: object = {}): Promise<string> {
	const answer = await trigger(world, name, { body, headers: PREFER });
	assert.equal(answer.status, 202, JSON.stringify(answer.body));
	return AcceptedRun.parse(answer.body).execution_id;
}

const readDetail = (world: World, id: string) =>
	world.executor.expect(200, ExecutionDetail, "GET", `/executions/${id}`);

/** Until when the run waits. */
const waitForWait = (world: World, id: string): Promise<string | undefined> =>
	eventually(async () => {
		const { unfinished } = await readDetail(world, id);
		assert.deepEqual([unfinished?.status, unfinished?.waits_for], ["waiting", "time"]);
		return unfinished?.until;
	});

const waitForEnd = (world: World, id: string) =>
	eventually(async () => {
		const detail = await readDetail(world, id);
		assert.notEqual(detail.status, "accepted");
		assert.notEqual(detail.record, null);
		return detail;
	});

async function tickAt(world: World, time: number): Promise<void> {
	await world.target.setNow(time);
	await world.target.tick();
}

const toText = (time: number) => new Date(time).toISOString();
const readPaths = ({ seen }: ReturnType<typeof openHost>) => seen.map(({ url }) => new URL(url).pathname);

/** Runs that wait for longer than a process lives. */
export const waiting: readonly Scenario[] = [
	{
		name: "a run that waits for days leaves its process and goes on then, also after a restart",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const host = openHost(world);
			await save(world, pauses("job", host.url, { for: "3 days" }));
			const id = await accept(world, "job");
			assert.equal(await waitForWait(world, id), toText(NOON + 3 * DAY));
			await tickAt(world, NOON + 2 * DAY);
			await world.target.restart({});
			await tickAt(world, NOON + 3 * DAY - 1_000);
			assert.equal(await waitForWait(world, id), toText(NOON + 3 * DAY));
			assert.deepEqual(readPaths(host), ["/before"]);
			await tickAt(world, NOON + 3 * DAY);
			const { record } = await waitForEnd(world, id);
			assert.equal(record?.verdict, "success");
			assert.deepEqual(readPaths(host), ["/before", "/after"]);
		},
	},
	{
		name: "the caller of a run that waits gets 202, and its idempotency key follows the run",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const host = openHost(world);
			await save(world, pauses("job", host.url, { until: "{{input.at}}" }));
			const call = (at: number) =>
				trigger(world, "job", { body: { at: toText(at) }, headers: { "idempotency-key": `k${at}` } });
			const answer = await call(NOON + HOUR);
			assert.equal(answer.status, 202, JSON.stringify(answer.body));
			const { execution_id: id } = AcceptedRun.parse(answer.body);
			assert.equal(answer.headers.get("location"), `/executions/${id}`);
			assert.equal(await waitForWait(world, id), toText(NOON + HOUR));
			assert.equal((await call(NOON + HOUR)).status, 409);
			const past = await call(NOON - HOUR);
			assert.equal(past.status, 200, "a time that has passed is not waited for");
			await tickAt(world, NOON + HOUR);
			await waitForEnd(world, id);
			assert.equal((await call(NOON + HOUR)).status, 200);
		},
	},
	{
		name: "a form whose run waits says that it was received, and keeps its files for the run",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await save(world, {
				...createWorkflow("apply", {}),
				...webhook({ form: { title: "Apply", done: "You are in" } }),
				triplets: ["input >> then >> pause", "pause >> then >> size"],
				config: {
					pause: { component: "wait", for: "1 hour" },
					size: { component: "kb_upsert", page_name: "cv", content: "{{input.cv.size}} of {{input.name}}" },
				},
				options: { input_schema: APPLICATION },
			});
			const answer = await world.anyone.call(
				"POST",
				`/f/${world.owner}/apply`,
				buildParts(
					{ name: "name", bytes: "Ada" },
					{ name: "cv", filename: "cv.txt", type: "text/plain", bytes: "worked" },
				),
			);
			assert.equal(answer.status, 202, String(answer.body));
			const page = String(answer.body);
			assert.match(page, /<h1>Received<\/h1>/);
			assert.doesNotMatch(page, /You are in|until|2026/);
			const id = /<code>([0-9a-f-]{36})<\/code>/.exec(page)?.[1] ?? "";
			assert.equal(await waitForWait(world, id), toText(NOON + HOUR));
			assert.deepEqual(
				(await listFiles(world)).map(({ name }) => name),
				["cv.txt"],
			);
			await tickAt(world, NOON + HOUR);
			assert.equal((await waitForEnd(world, id)).record?.verdict, "success");
			const [note] = await listStored(world, "note");
			assert.equal(note?.content, "6 of Ada");
		},
	},
	{
		name: "a query whose run waits is answered with 503 and the address of the run",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const host = openHost(world);
			await save(world, pauses("job", host.url, { for: "1 hour" }, { options: { query: true } }));
			const { error } = await world.anyone.refuse(503, "GET", `/q/${world.owner}/job`);
			const id = /see \/executions\/([0-9a-f-]{36})$/.exec(error)?.[1] ?? "";
			assert.equal(await waitForWait(world, id), toText(NOON + HOUR));
			await world.executor.call("POST", `/executions/${id}/cancel`);
		},
	},
	{
		name: "each element of a loop waits for its own time, and the run goes on with each",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const host = openHost(world);
			await save(world, {
				...createWorkflow("loop", {}),
				triplets: ["input >> then >> list", "list >> FOREACH n >> pause", "pause >> then >> call"],
				config: {
					list: { component: "foreach", items: [3, 1, 2], concurrency: 3 },
					pause: { component: "wait", for: "{{n}} hours" },
					call: { component: "http_request", url: `${host.url}/{{n}}` },
				},
			});
			const id = await accept(world, "loop");
			for (const n of [1, 2, 3]) {
				assert.equal(await waitForWait(world, id), toText(NOON + n * HOUR));
				await tickAt(world, NOON + n * HOUR);
				await eventually(async () => assert.equal(host.seen.length, n));
			}
			await waitForEnd(world, id);
			assert.deepEqual(readPaths(host), ["/1", "/2", "/3"]);
		},
	},
	{
		name: "a run waits only once its other branches have nothing left to do, and in a called workflow as well",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const host = openHost(world);
			await save(world, pauses("inner", host.url, { for: "1 day" }));
			await save(world, {
				...createWorkflow("outer", {}),
				triplets: [
					"input >> then >> call",
					"input >> then >> slow",
					"slow >> then >> side",
					"call >> then >> last",
				],
				config: {
					call: { component: "workflow", name: "inner" },
					slow: { component: "wait", ms: 300 },
					side: { component: "http_request", url: `${host.url}/side` },
					last: { component: "http_request", url: `${host.url}/last` },
				},
			});
			const id = await accept(world, "outer");
			assert.equal(await waitForWait(world, id), toText(NOON + DAY));
			assert.deepEqual(readPaths(host), ["/before", "/side"]);
			await tickAt(world, NOON + DAY);
			await waitForEnd(world, id);
			assert.deepEqual(readPaths(host), ["/before", "/side", "/after", "/last"]);
			const failed = await createSyncCaller(world);
			assert.match(failed, /can be called only by a durable run: set options\.durable/);
		},
	},
	{
		name: "nodes behind ON_WAIT run once, when the wait has begun, and read until when it lasts",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const host = openHost(world);
			await save(world, {
				...createWorkflow("told", {}),
				triplets: [
					"input >> then >> pause",
					"pause >> while waiting >> tell",
					"tell >> then >> note",
					"pause >> then >> done",
				],
				config: {
					pause: { component: "wait", for: "1 day" },
					tell: { component: "http_request", url: `${host.url}/until/{{pause.expires_at}}` },
					note: { component: "set", values: { told: "{{tell.status}}" } },
					done: { component: "template", text: "done: {{pause}}" },
				},
			});
			const id = await accept(world, "told");
			await waitForWait(world, id);
			assert.deepEqual(readPaths(host), [`/until/${toText(NOON + DAY)}`]);
			await world.target.restart({});
			await tickAt(world, NOON + DAY);
			const { record, nodes } = await waitForEnd(world, id);
			assert.equal(record?.verdict, "success", `${record?.error}`);
			assert.deepEqual(
				nodes?.map(({ id: node, status }) => [node, status]),
				["pause", "tell", "note", "done"].map((node) => [node, "success"]),
			);
			assert.equal(host.seen.length, 1);
		},
	},
	{
		name: "a failure behind ON_WAIT that no edge handles fails the run, which no longer waits",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await save(world, {
				...createWorkflow("broken", {}),
				triplets: ["input >> then >> pause", "pause >> ON_WAIT >> tell", "pause >> then >> done"],
				config: {
					pause: { component: "wait", for: "1 day" },
					tell: { component: "fail", message: "cannot tell" },
					done: { component: "set", values: {} },
				},
			});
			const { record } = await waitForEnd(world, await accept(world, "broken"));
			assert.deepEqual([record?.error, record?.failed_node], ["tell: cannot tell", "tell"]);
		},
	},
	{
		name: "ON_WAIT follows only nodes that wait, and what is behind both ways cannot read the node",
		cites: [],
		async run(world) {
			const check = async (triplets: readonly string[], config: object, message: RegExp) => {
				const document = { ...createWorkflow("bad", {}), triplets, config };
				const answer = await world.executor.call("POST", "/workflows", { body: document });
				assert.equal(answer.status, 400, JSON.stringify(answer.body));
				const { diagnostics } = answer.body as { diagnostics: { message: string }[] };
				assert.match(diagnostics[0]?.message ?? "", message);
			};
			const done = { component: "set", values: {} };
			const [start, aside] = ["input >> then >> pause", "pause >> ON_WAIT >> tell"];
			await check(
				[start, aside],
				{ pause: { component: "wait", ms: 5 }, tell: done },
				/"pause" never waits, so ON_WAIT cannot follow it/,
			);
			await check(
				[start, aside, "pause >> then >> tell"],
				{
					pause: { component: "wait", for: "1 day" },
					tell: { component: "set", values: { at: "{{pause}}" } },
				},
				/"tell" runs after "pause" and while it waits/,
			);
			await check(
				[start, aside],
				{
					pause: { component: "wait", for: "1 day" },
					tell: { component: "set", values: { at: "{{pause.unknown}}" } },
				},
				/"pause" has no "unknown"; it has url, expires_at/,
			);
		},
	},
	{
		name: "a called workflow that begins with a wait waits once, and goes on with the version that it began with",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const host = openHost(world);
			const inner = {
				...createWorkflow("inner", {}),
				triplets: ["input >> then >> pause", "pause >> then >> after"],
				config: {
					pause: { component: "wait", for: "1 hour" },
					after: { component: "http_request", url: `${host.url}/after` },
				},
			};
			await save(world, inner);
			await save(world, createWorkflow("middle", { component: "workflow", name: "inner" }));
			const outer = createWorkflow("outer", { component: "workflow", name: "middle" });
			await save(world, { ...outer, options: { durable: true } });
			const id = await accept(world, "outer");
			assert.equal(await waitForWait(world, id), toText(NOON + HOUR));
			await save(world, createWorkflow("inner", { component: "fail", message: "another version" }));
			await save(world, createWorkflow("middle", { component: "fail", message: "another version" }));
			await tickAt(world, NOON + HOUR);
			const { record } = await waitForEnd(world, id);
			assert.equal(record?.verdict, "success", `${record?.error}`);
			assert.deepEqual(readPaths(host), ["/after"]);
		},
	},
	{
		name: "timeout_ms of a node ends the wait of a workflow that it calls",
		cites: [],
		async run(world) {
			const patient = createWorkflow("patient", { component: "wait", for: "1 hour" });
			await save(world, { ...patient, options: { durable: true } });
			const calling = { component: "workflow", name: "patient", timeout_ms: 200 };
			await save(world, { ...createWorkflow("calling", calling), options: { durable: true } });
			const { error } = await run(world, "calling", {}, 500);
			assert.equal(error, "only: timed out after 200 ms");
		},
	},
	{
		name: "a run that waits can be cancelled, and takes its ALWAYS edges",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const host = openHost(world);
			await save(world, pauses("plain", host.url, { for: "1 day" }));
			const plain = await accept(world, "plain");
			await waitForWait(world, plain);
			const answer = await world.executor.call("POST", `/executions/${plain}/cancel`);
			assert.deepEqual([answer.status, (answer.body as { status: string }).status], [200, "cancelled"]);
			await save(world, {
				...createWorkflow("tidy", {}),
				triplets: ["input >> then >> pause", "pause >> finally >> after"],
				config: {
					pause: { component: "wait", for: "1 day" },
					after: { component: "http_request", url: `${host.url}/after` },
				},
			});
			const tidy = await accept(world, "tidy");
			await waitForWait(world, tidy);
			await world.executor.call("POST", `/executions/${tidy}/cancel`);
			assert.equal((await waitForEnd(world, tidy)).status, "cancelled");
			assert.deepEqual(readPaths(host), ["/before", "/after"]);
			await tickAt(world, NOON + 2 * DAY);
			assert.equal(host.seen.length, 2);
		},
	},
	{
		name: "options.timeout ends a run that would wait longer, and 30 days any other",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const host = openHost(world);
			await save(world, pauses("short", host.url, { for: "2 hours" }, { options: { timeout: "1 hour" } }));
			await save(world, {
				...createWorkflow("long", {}),
				triplets: ["input >> then >> pause", "pause >> then >> more", "more >> then >> after"],
				config: {
					pause: { component: "wait", for: "20 days" },
					more: { component: "wait", for: "20 days" },
					after: { component: "http_request", url: host.url },
				},
			});
			const [short, long] = [await accept(world, "short"), await accept(world, "long")];
			assert.equal(await waitForWait(world, short), toText(NOON + HOUR));
			await waitForWait(world, long);
			await tickAt(world, NOON + HOUR + 1_000);
			const ended = await waitForEnd(world, short);
			assert.match(ended.record?.error ?? "", /^the run took longer than/);
			await tickAt(world, NOON + 20 * DAY);
			await eventually(async () =>
				assert.equal((await readDetail(world, long)).unfinished?.until, toText(NOON + 30 * DAY)),
			);
			await tickAt(world, NOON + 30 * DAY + 1_000);
			assert.equal((await waitForEnd(world, long)).record?.verdict, "failed");
			assert.deepEqual(readPaths(host), ["/before"]);
		},
	},
	{
		name: "a run that waits counts as one in progress, also after a restart",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const host = openHost(world);
			await save(world, pauses("single", host.url, { for: "3 days" }, { options: { concurrency: 1 } }));
			const first = await accept(world, "single");
			await waitForWait(world, first);
			const second = await accept(world, "single");
			await world.target.restart({});
			await tickAt(world, NOON + 2 * DAY);
			const { unfinished } = await readDetail(world, second);
			assert.equal(unfinished?.waits_for, "start");
			await tickAt(world, NOON + 3 * DAY);
			await waitForEnd(world, first);
			assert.equal(await waitForWait(world, second), toText(NOON + 6 * DAY));
			await world.executor.call("POST", `/executions/${second}/cancel`);
		},
	},
	{
		name: "a run that waits goes on with the version that it began with",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const host = openHost(world);
			await save(world, pauses("job", host.url, { for: "1 hour" }));
			const id = await accept(world, "job");
			await waitForWait(world, id);
			await save(world, createWorkflow("job", { component: "fail", message: "another version" }));
			await tickAt(world, NOON + HOUR);
			const { record } = await waitForEnd(world, id);
			assert.deepEqual([record?.verdict, record?.version_number], ["success", 1]);
		},
	},
	{
		name: "deleting a workflow ends its runs that wait, with a record each",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const host = openHost(world);
			await save(world, pauses("gone", host.url, { for: "1 hour" }, { options: { concurrency: 2 } }));
			const ids = [await accept(world, "gone"), await accept(world, "gone")];
			for (const id of ids) await waitForWait(world, id);
			const deleted = await world.executor.call("DELETE", getNamedPath("gone"));
			assert.equal(deleted.status, 200, JSON.stringify(deleted.body));
			for (const id of ids) {
				const { record } = await waitForEnd(world, id);
				assert.equal(record?.error, "cancelled: the workflow was deleted");
			}
			await tickAt(world, NOON + HOUR);
			assert.deepEqual(readPaths(host), ["/before", "/before"]);
		},
	},
	{
		name: "a short wait ends on time, without a tick where a process lives that long",
		cites: [],
		async run(world) {
			const host = openHost(world);
			await save(world, pauses("soon", host.url, { for: "2 seconds" }));
			const id = await accept(world, "soon");
			await waitForWait(world, id);
			const { record } = await eventually(async () => {
				if (world.target.isolatesRequests) await world.target.tick();
				return waitForRecord(world, id);
			});
			assert.ok((record?.duration_ms ?? 0) >= 2_000);
			assert.ok(
				world.target.isolatesRequests || (record?.duration_ms ?? 0) < 5_000,
				`${record?.duration_ms}`,
			);
		},
	},
	{
		name: "many runs that are due at once all go on, each once",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const host = openHost(world);
			await save(world, pauses("many", host.url, { for: "1 hour" }));
			const ids: string[] = [];
			for (let n = 0; n < 40; n++) ids.push(await accept(world, "many"));
			for (const id of ids) await waitForWait(world, id);
			await tickAt(world, NOON + HOUR);
			for (const id of ids) assert.equal((await waitForEnd(world, id)).status, "success");
			assert.equal(readPaths(host).filter((path) => path === "/after").length, 40);
			const page = await world.executor.expect(200, UnfinishedPage, "GET", "/executions/unfinished");
			assert.deepEqual(page.executions, []);
		},
	},
	{
		name: "wait takes one of ms, for and until, and a duration or a time with its offset",
		cites: [],
		async run(world) {
			for (const [params, message] of [
				[{}, /needs exactly one of ms, for and until/],
				[{ ms: 1, for: "1 hour" }, /needs exactly one of ms, for and until/],
				[{ for: "soon" }, /must be a number and a unit, such as "90 seconds"/],
				[{ for: "31 days" }, /must be at most 30 days/],
				[{ until: "tomorrow" }, /datetime/],
				[{ until: "2026-12-24T09:00:00" }, /datetime/],
			] as const) {
				const document = createWorkflow("bad", { component: "wait", ...params });
				const answer = await world.executor.call("POST", "/workflows", { body: document });
				assert.equal(answer.status, 400, JSON.stringify(params));
				const { diagnostics } = answer.body as { diagnostics: { message: string }[] };
				assert.match(diagnostics[0]?.message ?? "", message);
			}
		},
	},
];

async function waitForRecord(world: World, id: string) {
	const detail = await readDetail(world, id);
	assert.notEqual(detail.record, null);
	return detail;
}

/** The error of a run whose caller waits, and that calls a workflow which waits. */
async function createSyncCaller(world: World): Promise<string> {
	await save(world, createWorkflow("caller", { component: "workflow", name: "inner" }));
	const { error } = await run(world, "caller", {}, 500);
	await waitForRecords(world, "caller", 1);
	return error ?? "";
}
