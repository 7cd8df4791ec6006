import assert from "node:assert/strict";
import { ChatConversation } from "@tripline/contract/chat";
import { AcceptedRun } from "@tripline/contract/executor";
import { AnsweredQuestion, QuestionPage } from "@tripline/contract/questions";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario } from "../../scenario.ts";
import { putAuthRecipe, putCredential } from "../executor/credential.ts";
import { eventually } from "../executor/eventually.ts";
import { openHost } from "../executor/outside-host.ts";
import { createWorkflow, listStored, save, waitForRecords } from "../executor/saving.ts";
import { openConsole, openOthersConsole } from "./console.ts";
import { OPEN } from "./settings.ts";
import { listNodeEvents, type RunEvent, watched } from "./watching.ts";

const WAIT_MS = 400;
const EVENTS = { accept: "text/event-stream" };

const slow = {
	...createWorkflow("slow", {}),
	triplets: ["input >> then >> pause", "pause >> then >> note", "pause >> on fail >> never"],
	config: {
		pause: { component: "wait", ms: WAIT_MS },
		note: { component: "kb_upsert", page_name: "done", content: "yes" },
		never: { component: "set", values: {} },
	},
};

export const guiWatch: readonly Scenario[] = [
	{
		name: "a watched run reports its nodes while they run, and ends with the result",
		cites: ["MCP-GUI-AUTH", "MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			await save(world, slow);
			const events: RunEvent[] = [];
			const times: number[] = [];
			for await (const event of watched(world, "slow", { a: 1 })) {
				events.push(event);
				times.push(Date.now());
			}
			const [started] = events;
			const last = events.at(-1);
			assert.ok(started?.event === "started" && last?.event === "result");
			assert.equal(last.data.success, true);
			assert.equal(last.data.execution_id, started.data.execution_id);
			assert.deepEqual(
				listNodeEvents(events, "pause").map(({ status, attempt }) => [status, attempt]),
				[
					["running", 1],
					["success", 1],
				],
			);
			assert.equal(listNodeEvents(events, "note").at(-1)?.status, "success");
			assert.deepEqual(listNodeEvents(events, "never"), [
				{ id: "never", component: "set", status: "skipped", attempt: 0 },
			]);
			const running = events.findIndex(({ event }) => event === "node");
			const lead = (times.at(-1) ?? 0) - (times[running] ?? 0);
			assert.ok(lead > WAIT_MS / 2, `reported ${lead} ms before the end`);
			const plain = await openConsole(world).expect(200, RunResult, "POST", "/workflows/slow/run", {
				body: {},
			});
			assert.deepEqual(Object.keys(last.data).sort(), Object.keys(plain).sort());
			const found = await waitForRecords(world, "slow", 2);
			assert.deepEqual(
				found.map(({ id, trigger }) => [id, trigger]).sort(),
				[
					[last.data.execution_id, "console"],
					[plain.execution_id, "console"],
				].sort(),
			);
		},
	},
	{
		name: "what is said to a chat beside its workflow gets its reply, also if the run waits for a person",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			await save(world, {
				...createWorkflow("careful", {}, { trigger: { type: "webhook", chat: {} } }),
				triplets: ["input >> then >> ask", "ask >> then >> answer"],
				config: {
					ask: { component: "ask", question: "Say yes?" },
					answer: { component: "template", text: "They said: {{ask.comment}}" },
				},
			});
			const gui = openConsole(world);
			const conversation = "beside-the-workflow_0001";
			const path = `/workflows/careful/conversations/${conversation}`;
			await gui.refuse(404, "GET", path);
			const events = await Array.fromAsync(watched(world, "careful", { conversation, message: "May I?" }));
			assert.equal(events.at(-1)?.event, "accepted");
			const readTurns = async () => (await gui.expect(200, ChatConversation, "GET", path)).turns;
			const [question] = await eventually(async () => {
				const { questions } = await gui.expect(200, QuestionPage, "GET", "/questions");
				assert.equal(questions.length, 1);
				assert.deepEqual(
					(await readTurns()).map(({ message, status, waits_for }) => [message, status, waits_for]),
					[["May I?", "waiting", "answer"]],
				);
				return questions;
			});
			await openOthersConsole(world).refuse(404, "GET", path);
			const answerPath = `/questions/${question?.execution_id}/${question?.id}/answer`;
			const body = { answer: { approved: true, comment: "yes" } };
			await gui.expect(200, AnsweredQuestion, "POST", answerPath, { body });
			await eventually(async () => {
				const [turn] = await readTurns();
				assert.deepEqual(
					[turn?.status, turn?.reply, turn?.execution_id],
					["answered", "They said: yes", question?.execution_id],
				);
			});
			const unnamed = watched(world, "careful", { conversation: "too short", message: "May I?" });
			assert.equal((await Array.fromAsync(unnamed)).at(-1)?.event, "accepted");
			await gui.refuse(404, "GET", "/workflows/careful/conversations/too%20short");
		},
	},
	{
		name: "a watched run that waits for a time ends its events with its id",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			await save(world, {
				...slow,
				name: "later",
				config: { ...slow.config, pause: { component: "wait", for: "1 day" } },
			});
			const events = await Array.fromAsync(watched(world, "later"));
			const [started] = events;
			const last = events.at(-1);
			assert.ok(started?.event === "started" && last?.event === "accepted");
			assert.equal(last.data.execution_id, started.data.execution_id);
			assert.deepEqual(
				listNodeEvents(events, "pause").map(({ status }) => status),
				["running"],
			);
			const body = {};
			const console = openConsole(world);
			const plain = await console.expect(202, AcceptedRun, "POST", "/workflows/later/run", { body });
			for (const id of [last.data.execution_id, plain.execution_id])
				await console.call("POST", `/executions/${id}/cancel`);
		},
	},
	{
		name: "a watched run that fails reports its attempts, with the errors of the result and no secret",
		cites: ["MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			const host = openHost(world, ({ headers }) => ({ status: 500, body: `no: ${headers.authorization}` }));
			await putAuthRecipe(world, "own", { type: "bearer", fields: ["token"], hosts: [host.host] });
			await putCredential(world, "key", "own", { token: "s3cr3t-of-the-tests" });
			const retry = { max: 1, delay_ms: 200 };
			await save(
				world,
				createWorkflow("bad", { component: "http_request", url: host.url, credential: "key", retry }),
			);
			const events = await Array.fromAsync(watched(world, "bad"));
			const last = events.at(-1);
			assert.ok(last?.event === "result" && !last.data.success);
			const told = listNodeEvents(events, "only");
			const [node] = last.data.nodes ?? [];
			assert.match(node?.error ?? "", /\[redacted\]/);
			assert.deepEqual(
				told.map(({ status, attempt, error }) => [status, attempt, error]),
				[
					["running", 1, undefined],
					["retrying", 1, node?.error],
					["running", 2, undefined],
					["failed", 2, node?.error],
				],
			);
			assert.equal(told.at(-1)?.duration_ms, node?.duration_ms);
			assert.ok(!JSON.stringify(events).includes("s3cr3t"));
		},
	},
	{
		name: "a node in a loop reports the number of finished elements, not each one",
		cites: [],
		environment: OPEN,
		async run(world) {
			await save(world, {
				...createWorkflow("loop", {}),
				triplets: ["input >> then >> list", "list >> for each x >> one"],
				config: {
					list: { component: "foreach", items: "{{input.items}}", concurrency: 8 },
					one: { component: "wait", ms: 1 },
				},
			});
			const items = Array.from({ length: 400 }, (_, nth) => nth);
			const events = await Array.fromAsync(watched(world, "loop", { items }));
			const last = events.at(-1);
			assert.ok(last?.event === "result" && last.data.success, JSON.stringify(last));
			const told = listNodeEvents(events, "one");
			const most = 3 + Math.ceil(last.data.duration_ms / 50);
			assert.ok(told.length >= 2 && told.length <= most, `${told.length} in ${last.data.duration_ms} ms`);
			assert.equal(told[0]?.status, "running");
			assert.equal(told.at(-1)?.status, "success");
			assert.deepEqual(told.at(-1)?.elements, { total: 400, ended: 400, failed: 0 });
		},
	},
	{
		name: "a watcher that disconnects does not end the run",
		cites: [],
		environment: OPEN,
		async run(world) {
			await save(world, slow);
			const caller = new AbortController();
			await assert.rejects(async () => {
				for await (const { event } of watched(world, "slow", {}, caller.signal)) {
					if (event === "node") caller.abort(new Error("gone"));
				}
			});
			const [record] = await waitForRecords(world, "slow", 1);
			assert.deepEqual([record?.verdict, record?.error], ["success", ""]);
			assert.equal((await listStored(world, "note")).length, 1);
		},
	},
	{
		name: "a workflow that cannot run is rejected for a watcher too, and another tenant's returns 404",
		cites: ["MCP-GUI-AUTH", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			const input_schema = { type: "object", required: ["who"] };
			await save(
				world,
				createWorkflow("strict", { component: "set", values: {} }, { options: { input_schema } }),
			);
			const path = "/workflows/strict/run";
			const console = openConsole(world);
			const { issues } = await console.refuse(422, "POST", path, { body: {}, headers: EVENTS });
			assert.ok((issues?.length ?? 0) > 0);
			await console.refuse(422, "POST", path, { body: [], headers: EVENTS });
			await console.refuse(404, "POST", "/workflows/none/run", { body: {}, headers: EVENTS });
			await openOthersConsole(world).refuse(404, "POST", path, { body: { who: "me" }, headers: EVENTS });
			const answer = await world.anyone.call("POST", `/gui${path}`, { body: {}, headers: EVENTS });
			assert.equal(answer.status, 401);
		},
	},
	{
		name: "an external trigger never returns events",
		cites: [],
		environment: OPEN,
		async run(world) {
			await save(world, createWorkflow("open", { component: "set", values: {} }));
			for (const trigger of ["mcp", "console"]) {
				const headers = { ...EVENTS, "x-run-trigger": trigger };
				for (const path of ["/webhooks/named/open/trigger", `/webhooks/named/${world.owner}/open/trigger`]) {
					const ran = await world.executor.expect(200, RunResult, "POST", path, { body: {}, headers });
					assert.equal(ran.success, true);
				}
			}
		},
	},
];
