import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { runEvents } from "../src/http/run-events.ts";

const result = { success: true, duration_ms: 1, execution_id: "x", workflow: "w", data: 1, nodes: [] };
const STARTED = 'event: started\ndata: {"execution_id":"x"}\n\n';

const readText = async (reader: ReadableStreamDefaultReader<Uint8Array>) => {
	const { done, value } = await reader.read();
	return done ? null : new TextDecoder().decode(value);
};

describe("a run's events", () => {
	test("start with the execution id and end with the result", async () => {
		const events = runEvents("x");
		const reader = events.stream.getReader();
		assert.equal(await readText(reader), STARTED);
		const next = readText(reader);
		events.observe({ id: "a\n", component: "set", status: "running", attempt: 1 });
		assert.equal(
			await next,
			'event: node\ndata: {"id":"a\\n","component":"set","status":"running","attempt":1}\n\n',
		);
		events.result(result);
		assert.equal(await readText(reader), `event: result\ndata: ${JSON.stringify(result)}\n\n`);
		assert.equal(await readText(reader), null);
	});

	test("have the texts that nodes are writing, joined if they are read late", async () => {
		const events = runEvents("x");
		const reader = events.stream.getReader();
		await readText(reader);
		const next = readText(reader);
		events.onText({ id: "a", text: "Hel" });
		assert.equal(await next, 'event: text\ndata: {"id":"a","text":"Hel"}\n\n');
		events.onText({ id: "a", text: "lo" });
		events.onText({ id: "b", text: "x" });
		events.onText({ id: "a", text: "!" });
		assert.equal(
			await readText(reader),
			'event: text\ndata: {"id":"a","text":"lo!"}\n\nevent: text\ndata: {"id":"b","text":"x"}\n\n',
		);
		for (let nth = 0; nth < 3_000; nth++) events.onText({ id: "a", text: "x".repeat(1_000) });
		events.result(result);
		const rest = (await readText(reader)) ?? "";
		assert.ok(rest.length < 1_100_000, String(rest.length));
		assert.match(rest, /event: result\n.*\n\n$/);
	});

	test("use memory only in proportion to the graph when unread, and still deliver the result", async () => {
		const events = runEvents("x");
		const text = "x".repeat(1_000);
		for (let nth = 0; nth < 200_000; nth++) {
			events.observe({
				id: `n${nth % 3}`,
				component: "set",
				status: "failed",
				duration_ms: nth,
				error: text,
			});
		}
		events.result(result);
		const whole = await new Response(events.stream).text();
		assert.equal(whole.match(/^event: node$/gm)?.length, 3);
		assert.match(whole, /event: result\n.*\n\n$/);
	});

	test("send a heartbeat every ten idle seconds and loop progress twenty times a second", async () => {
		mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
		try {
			const events = runEvents("x");
			const reader = events.stream.getReader();
			await readText(reader);
			const beat = readText(reader);
			mock.timers.tick(10_000);
			assert.match((await beat) ?? "", /^: .*\n\n$/);
			const run = (index: number) => {
				const element = { index, of: 1_000 };
				events.observe({ id: "a", component: "set", status: "running", attempt: 1, element });
				events.observe({ id: "a", component: "set", status: "success", duration_ms: 1, element });
			};
			let told = 0;
			const reading = (async () => {
				for (let text = await readText(reader); text !== null; text = await readText(reader)) {
					told += text.match(/event: node/g)?.length ?? 0;
				}
			})();
			for (let index = 0; index < 1_000; index++) {
				run(index);
				mock.timers.tick(1);
				await new Promise((resolve) => setImmediate(resolve));
			}
			assert.ok(told >= 15 && told <= 21, `${told} in a second`);
			events.result(result);
			await reading;
		} finally {
			mock.timers.reset();
		}
	});

	test("leave no timers behind after the reader disconnects", async () => {
		const events = runEvents("x");
		const reader = events.stream.getReader();
		await readText(reader);
		const waiting = reader.read();
		await reader.cancel();
		assert.equal((await waiting).done, true);
		events.observe({ id: "a", component: "set", status: "running", attempt: 1 });
		events.result(result);
		events.problem({ status: 503, error: "busy" });
	});

	test("end with the execution id if the run goes on by itself", async () => {
		const events = runEvents("x");
		events.accepted();
		const text = await new Response(events.stream).text();
		assert.equal(text, `${STARTED}event: accepted\ndata: {"execution_id":"x","status":"accepted"}\n\n`);
	});

	test("end with the problem if the run could not be made", async () => {
		const events = runEvents("x");
		events.problem({ status: 503, error: "busy" });
		const text = await new Response(events.stream).text();
		assert.equal(text, `${STARTED}event: problem\ndata: {"status":503,"error":"busy"}\n\n`);
	});
});
