import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { ChatConversation } from "@tripline/contract/chat";
import { TurnPage } from "@tripline/contract/conversations";
import { AcceptedRun, ExecutionDetail } from "@tripline/contract/executor";
import { KeptData } from "@tripline/contract/kept-data";
import { QuestionPage } from "@tripline/contract/questions";
import { type Started, start, temporaryFolder } from "../../apps/node/test/process.ts";
import { buildAnswer, readResults } from "../model-double.ts";

const KILLS = Number(process.env.AGENT_KILLS ?? 10);
const TURNS = Math.ceil(KILLS / 5);
const TOOL_CALLS = 9;
const MAX_CALLS_BETWEEN = 4;
const MAX_DELAY_MS = 6;
/** About as long as a run with one call of the model takes. */
const MAX_RUN_MS = 50;
const TENANT = { "x-service-api-key": "agents" };

/** A model that calls a tool nine times and then answers, and the tool. It counts the requests by what they are about. */
async function startOutside(context: TestContext) {
	const received: string[] = [];
	let onCall = () => {};
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += chunk;
		const { pathname, searchParams } = new URL(request.url ?? "", "http://outside");
		response.setHeader("content-type", "application/json");
		if (pathname === "/tool") {
			const step = searchParams.get("step");
			received.push(`${searchParams.get("run")} tool ${step}`);
			onCall();
			response.end(JSON.stringify({ step: Number(step) }));
			return;
		}
		const results = readResults(body);
		const { messages, tools } = JSON.parse(body);
		const run = messages[0].content;
		received.push(`${run} model ${results.length}`);
		onCall();
		const reply =
			tools !== undefined && results.length < TOOL_CALLS
				? [{ name: "step", arguments: { query: { run, step: String(results.length) } } }]
				: `After ${results.length} calls.`;
		response.end(JSON.stringify(buildAnswer("openai", reply)));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	context.after(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		settings: { LOG_LEVEL: "silent", ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}` },
		received,
		/** Kills the service soon after it makes the call of that number, counted from now. */
		killAfter(service: Started, calls: number, delayMs: number) {
			const last = received.length + calls;
			onCall = () => {
				if (received.length !== last) return;
				if (delayMs === 0) service.child.kill("SIGKILL");
				else setTimeout(() => service.child.kill("SIGKILL"), delayMs);
			};
		},
		spare() {
			onCall = () => {};
		},
	};
}

async function call(service: Started, method: string, path: string, body?: object) {
	const response = await fetch(service.publicUrl + path, {
		method,
		headers: { ...TENANT, prefer: "respond-async" },
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`);
	return response.json();
}

/** The status in which the run has ended, because a kill may cost its record. Null if the service was killed before. */
async function waitForEnd(service: Started, id: string) {
	try {
		for (;;) {
			const { status } = ExecutionDetail.parse(await call(service, "GET", `/executions/${id}`));
			if (status !== "accepted") return status;
			await wait(10);
		}
	} catch (error) {
		if (error instanceof assert.AssertionError) throw error;
		await service.exited();
		return null;
	}
}

const random = (max: number): number => Math.floor(Math.random() * max);

test(`an agent that is killed keeps each turn of its conversation once (${TURNS} kills)`, async (context) => {
	const outside = await startOutside(context);
	const cwd = temporaryFolder(context);
	let service = await start(context, outside.settings, cwd);
	await call(service, "POST", "/workflows", {
		...{ name: "agent", description: "", version: "1", options: { durable: true } },
		triplets: ["input >> then >> answer"],
		config: {
			answer: {
				...{ component: "agent", model: "m", base_url: `${outside.url}/v1`, prompt: "{{input.run}}" },
				memory: { key: "kills", max_tokens: 50_000 },
				max_steps: 1,
			},
		},
	});
	for (let run = 0; run < TURNS; run++) {
		const accepted = await call(service, "POST", "/webhooks/named/agent/trigger", { run: `run ${run}` });
		await wait(random(MAX_RUN_MS));
		service.child.kill("SIGKILL");
		await service.exited();
		service = await start(context, outside.settings, cwd);
		assert.equal(await waitForEnd(service, AcceptedRun.parse(accepted).execution_id), "success");
	}
	const turns = [];
	let cursor = "";
	do {
		const path = `/conversations/turns?workflow=agent&key=kills&limit=100${cursor}`;
		const page = TurnPage.parse(await call(service, "GET", path));
		turns.push(...page.turns);
		cursor = page.next_cursor === null ? "" : `&cursor=${encodeURIComponent(page.next_cursor)}`;
	} while (cursor !== "");
	const asked = turns.map(({ messages: [first] }) => (first as { readonly content: string }).content);
	assert.deepEqual(
		asked.toReversed(),
		Array.from({ length: TURNS }, (_, run) => `run ${run}`),
	);
});

test("the reply of a chat that waits comes although the service is killed, while it waits and after the answer", async (context) => {
	const outside = await startOutside(context);
	const cwd = temporaryFolder(context);
	let service = await start(context, outside.settings, cwd);
	const restart = async () => {
		service.child.kill("SIGKILL");
		await service.exited();
		service = await start(context, outside.settings, cwd);
	};
	await call(service, "POST", "/workflows", {
		...{ name: "careful", description: "", version: "1" },
		trigger: { type: "webhook", chat: { access: "public", daily_tokens: 1_000 } },
		triplets: ["input >> then >> ask", "ask >> then >> answer"],
		config: {
			ask: { component: "ask", question: "Say yes?" },
			answer: { component: "agent", model: "m", base_url: `${outside.url}/v1`, prompt: "{{ask.comment}}" },
		},
	});
	const said = await fetch(`${service.publicUrl}/chat/agents/careful/messages`, {
		method: "POST",
		body: JSON.stringify({ message: "May I?" }),
		headers: { "content-type": "application/json" },
	});
	const [, conversation] = /"conversation":"([^"]+)"/.exec(await said.text()) ?? [];
	const read = async () => {
		const path = `/workflows/careful/conversations/${conversation}`;
		return ChatConversation.parse(await call(service, "GET", path)).turns;
	};
	await restart();
	assert.deepEqual(
		(await read()).map(({ status, waits_for, reply }) => [status, waits_for, reply]),
		[["waiting", "answer", null]],
	);
	const { questions } = QuestionPage.parse(await call(service, "GET", "/questions"));
	const [question] = questions;
	const killed = service;
	// When the model is called for the reply.
	outside.killAfter(killed, 1, 0);
	await call(service, "POST", `/questions/${question?.execution_id}/${question?.id}/answer`, {
		answer: { approved: true, comment: "Yes" },
	}).catch(() => {});
	await killed.exited();
	outside.spare();
	service = await start(context, outside.settings, cwd);
	assert.equal(await waitForEnd(service, question?.execution_id ?? ""), "success");
	assert.deepEqual(
		(await read()).map(({ status, reply }) => [status, reply]),
		[["answered", "After 0 calls."]],
	);
});

test(`an agent of ten steps ends alike however often it is killed, and pays for no call twice but the one in flight (${KILLS} kills)`, async (context) => {
	const outside = await startOutside(context);
	const cwd = temporaryFolder(context);
	let service = await start(context, outside.settings, cwd);
	await call(service, "POST", "/workflows", {
		...{ name: "agent", description: "", version: "1", options: { durable: true, keep: "all" } },
		triplets: ["input >> then >> answer"],
		config: {
			answer: {
				...{ component: "agent", model: "m", base_url: `${outside.url}/v1`, prompt: "{{input.run}}" },
				tools: [
					{ component: "http_request", name: "step", params: { url: `${outside.url}/tool`, method: "GET" } },
				],
			},
		},
	});
	let kills = 0;
	let repeats = 0;
	for (let run = 0; kills < KILLS; run++) {
		const before = outside.received.length;
		const inFlight: (string | undefined)[] = [];
		const accepted = await call(service, "POST", "/webhooks/named/agent/trigger", { run: `run ${run}` });
		const id = AcceptedRun.parse(accepted).execution_id;
		let status = null;
		while (status === null) {
			if (kills < KILLS) outside.killAfter(service, 1 + random(MAX_CALLS_BETWEEN), random(MAX_DELAY_MS));
			else outside.spare();
			status = await waitForEnd(service, id);
			if (status !== null) break;
			kills += 1;
			inFlight.push(outside.received.at(-1));
			service = await start(context, outside.settings, cwd);
		}
		outside.spare();
		assert.equal(status, "success");
		const calls = outside.received.slice(before);
		const keys = new Set(calls);
		assert.equal(keys.size, 2 * TOOL_CALLS + 1);
		for (const key of keys) {
			const count = calls.filter((each) => each === key).length;
			const most = 1 + inFlight.filter((each) => each === key).length;
			assert.ok(count <= most, `${key} was called ${count} times, and was in flight at ${most - 1} kills`);
			repeats += count - 1;
		}
		const { nodes } = KeptData.parse(await call(service, "GET", `/executions/${id}/data?node=answer`));
		assert.deepEqual(nodes[0]?.output, {
			json: {
				text: `After ${TOOL_CALLS} calls.`,
				usage: { input_tokens: 100, output_tokens: 50, total_tokens: 150 },
				...{ model_calls: TOOL_CALLS + 1, tool_calls: TOOL_CALLS, model: "double" },
			},
		});
	}
	context.diagnostic(`${kills} kills, ${repeats} calls repeated`);
});
