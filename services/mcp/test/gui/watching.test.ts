import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SavedWorkflow } from "@tripline/contract/executor";
import { GuiGraphStart, GuiWorkflow } from "@tripline/contract/gui";
import type { RunResult } from "@tripline/contract/workflows";
import { toEventResponse, wantsEvents } from "../../src/http/gui/events.ts";
import { failing, greeting, startWorld } from "./world.ts";

const world = await startWorld();

const put = (name: string, document: object) =>
	world.call("PUT", `/gui/workflows/${encodeURIComponent(name)}`, { body: document });

const watch = (name: string, body: object = {}, as = "acme") =>
	world.answer("POST", `/gui/workflows/${name}/run`, { body, as, accept: "text/event-stream" });

const parseEvents = (text: string): [event: string, data: object][] =>
	[...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, event = "", data = ""]) => [
		event,
		JSON.parse(data),
	]);

describe("a run that the console watches", () => {
	test("streams its events and its result", async () => {
		await put("hello", greeting("hello"));
		const response = await watch("hello", { who: "Ada" });
		assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
		const [started, ...events] = parseEvents(await response.text());
		const { execution_id } = (started?.[1] ?? {}) as { execution_id: string };
		assert.deepEqual(
			events.map(([event]) => event),
			["node", "result"],
		);
		const [, data] = events.at(-1) ?? ["", {}];
		const { nodes, ...result } = data as RunResult;
		assert.deepEqual(result, {
			success: true,
			duration_ms: 0,
			execution_id,
			workflow: "hello",
			data: "Hello Ada",
		});
		assert.equal(nodes?.length, 1);
		assert.equal((await world.recorded(execution_id)).trigger, "console");
	});

	test("reports a failure in the node's event", async () => {
		await put("fails", failing("fails"));
		const events = parseEvents(await (await watch("fails")).text());
		const node = events.find(([event]) => event === "node")?.[1];
		assert.deepEqual(node, {
			id: "say",
			component: "fail",
			status: "failed",
			attempt: 1,
			duration_ms: 0,
			error: "it went wrong",
		});
	});

	test("is refused like any other run: unknown workflow, another tenant's, invalid input, executor unavailable", async () => {
		await put("mine", greeting("mine"));
		assert.equal((await watch("none")).status, 404);
		assert.equal((await watch("mine", {}, "other")).status, 404);
		assert.equal((await watch("mine", [])).status, 422);
		await world.runWithout("executor", async () => assert.equal((await watch("mine")).status, 503));
	});

	test("ends with a problem event when the executor's connection is lost", async () => {
		let reads = 0;
		const broken = new ReadableStream<Uint8Array>({
			pull(controller) {
				if (reads++ > 0) throw new Error("connection reset");
				controller.enqueue(new TextEncoder().encode("event: started\ndata: {}\n\n"));
			},
		});
		const events = parseEvents(await toEventResponse(broken).text());
		assert.deepEqual(
			events.map(([event]) => event),
			["started", "problem"],
		);
		assert.match(JSON.stringify(events[1]), /"status":503/);
	});

	test("cancels the executor's stream when the reader disconnects", async () => {
		let isCancelled = false;
		const events = new ReadableStream<Uint8Array>({
			cancel() {
				isCancelled = true;
			},
		});
		await toEventResponse(events).body?.cancel();
		assert.equal(isCancelled, true);
	});

	test("is streamed only if Accept names the type", () => {
		const wants = (accept: string | null) =>
			wantsEvents({ headers: new Headers(accept === null ? {} : { accept }) });
		for (const accept of ["text/event-stream", "application/json, TEXT/event-stream;q=0.5"])
			assert.equal(wants(accept), true, accept);
		for (const accept of [null, "*/*", "text/*", "text/event-stream;q=0", "text/event-streams"])
			assert.equal(wants(accept), false, accept ?? "");
	});
});

describe("what the console shows of a workflow", () => {
	test("includes the text as it was written, and how to call it", async () => {
		const raw = [
			"# a note",
			"name: written",
			"description: d",
			'version: "1"',
			"triplets: [input >> then >> set]",
			"config: { set: { values: {} } }",
			"options: { signature: { scheme: stripe, credential: c } }",
			"",
		].join("\n");
		const saved = { raw, type: "application/yaml" };
		await world.expect(201, SavedWorkflow, "PUT", "/gui/workflows/written", saved);
		const { text, call, workflow } = await world.expect(200, GuiWorkflow, "GET", "/gui/workflows/written");
		assert.equal(text, raw);
		assert.equal(call.webhook_url, workflow.webhook_url);
		assert.equal(call.query_url, null);
		assert.deepEqual(call.signature, { scheme: "stripe", credential: "c", headers: ["Stripe-Signature"] });
	});
});

describe("where the console's graph begins", () => {
	test("lists the latest facts, and says whether there are older ones", async () => {
		const as = "facts";
		for (let nth = 0; nth < 501; nth++) {
			const fact = { subject: `s${nth}`, predicate: "is", object: nth % 2 === 0 ? "even" : "odd" };
			await world.store.triplets.ingest({ owner_id: as, ...fact, source: { uri: "file:a", hash: "1" } });
		}
		const start = await world.expect(200, GuiGraphStart, "GET", "/gui/graph/start?limit=2", { as });
		assert.deepEqual([start.looked_at, start.more, start.latest.length], [500, true, 2]);
		assert.deepEqual(start.nodes, [
			{ name: "even", facts: 250 },
			{ name: "odd", facts: 250 },
		]);
		assert.equal(start.latest[0]?.subject, "s500");
		await world.refuse(422, "GET", "/gui/graph/start?limit=101", { as });
	});
});
