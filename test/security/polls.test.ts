import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, describe, test } from "node:test";
import { PollStatus } from "@tripline/contract/executor";
import type * as z from "zod";
import { credentialWorld, one } from "./credential-world.ts";
import { API_RECIPE } from "./extensions.ts";
import { type Loopback, loopback } from "./loopback.ts";

const OWNER = "alice";
const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;
const MAX_ERROR_LENGTH = 2_000;
/** An answer of 100 MiB must not be in memory, not even for a moment. */
const MAX_GROWTH_BYTES = 64 * MIB;

const ITEM = '{"id":7,"text":"................................................"},';

/** Writes the text until the connection ends, or so many bytes are written. */
function writeOften(response: ServerResponse, text: string, bytes: number): void {
	let written = 0;
	const write = () => {
		while (written < bytes && !response.destroyed) {
			written += text.length;
			if (!response.write(text)) return void response.once("drain", write);
		}
		response.end("]");
	};
	write();
}

const answerWith = (value: unknown) => (response: ServerResponse) => void response.end(JSON.stringify(value));
const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));
const MANY = ITEM.repeat(1_000);

/** What a hostile service answers to a poll, and why the poll fails. */
const ANSWERS: Readonly<
	Record<string, readonly [answer: (response: ServerResponse) => void, error: RegExp]>
> = {
	"100 MiB": [(response) => writeOften(response, `[${MANY}`, 100 * MIB), /more than \d+ bytes/],
	"items without an end": [
		(response) => writeOften(response, `[${MANY}`, Number.POSITIVE_INFINITY),
		/more than \d+ bytes/,
	],
	"more items than can be remembered": [answerWith(rows(10_001)), /the list has 10001 items/],
	"an id that is null": [answerWith([{ id: null }]), /id of item 0 must be text or a number, but is null/],
	"an id that is a boolean": [answerWith([{ id: 1 }, { id: true }]), /id of item 1 must be text or a number/],
	"an id that is an object": [
		answerWith([{ id: { toString: "1" } }]),
		/id of item 0 must be text or a number/,
	],
	"an id that is a list": [answerWith([{ id: ["1"] }]), /id of item 0 must be text or a number/],
	"items that are lists": [answerWith([[1]]), /item 0 must be an object/],
	"an id of the prototype": [answerWith([{ ["__proto__"]: { id: 1 } }]), /has no "id"|__proto__/],
	"keys of half a megabyte": [answerWith([{ ["k".repeat(MIB / 2)]: 1 }]), /item 0 has no "id"/],
	"no list": [answerWith({ length: 2 ** 31 }), /must be a list, but is an object/],
	"deep nesting": [(response) => void response.end("[".repeat(MIB)), /poll: /],
};

let service: Loopback;
let world: Awaited<ReturnType<typeof credentialWorld>>;
let answer: (response: ServerResponse) => void = answerWith([]);

before(async () => {
	service = await loopback((_, response) => {
		response.setHeader("content-type", "application/json");
		answer(response);
	});
	world = await credentialWorld({ ALLOW_PRIVATE_HOSTS: service.host }, () => ({ body: "" }));
});

after(async () => {
	await world.stop();
	await service.close();
	world.remove();
});

async function save(name: string, poll: object): Promise<void> {
	const trigger = { type: "schedule", cron: "* * * * *", poll: { key: "id", ...poll } };
	const document = { name, description: "", version: "1", trigger, ...one({ component: "set", values: {} }) };
	const saved = await world.send(OWNER, "POST", "/workflows", document);
	assert.equal(saved.status, 201, saved.text);
}

/** Polls after so many minutes, and waits until that has changed what is known of it. */
async function poll(name: string, minutes: number): Promise<z.output<typeof PollStatus>> {
	const read = () => world.send(OWNER, "GET", `/workflows/${name}/poll`);
	const { text: before } = await read();
	world.advance(minutes * MINUTE_MS);
	await world.service.tick();
	for (let nth = 0; nth < 1_000; nth++) {
		const { text, body } = await read();
		if (text !== before) return PollStatus.parse(body);
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	return assert.fail("nothing was polled");
}

const remove = (name: string) => world.send(OWNER, "DELETE", `/webhooks/named/${name}`);

describe("a poll", () => {
	for (const [what, [hostile, error]] of Object.entries(ANSWERS)) {
		test(`that gets ${what} fails, and the next one goes on where the last one ended`, async () => {
			await save("polled", { operation: "http_request", params: { url: service.url, attempts: 1 } });
			answer = answerWith(rows(2));
			assert.equal((await poll("polled", 1)).remembered, 2);
			answer = hostile;
			const memory = process.memoryUsage().rss;
			const failed = await poll("polled", 1);
			assert.ok(process.memoryUsage().rss - memory < MAX_GROWTH_BYTES);
			assert.match(failed.error ?? "", error);
			assert.ok((failed.error ?? "").length < MAX_ERROR_LENGTH);
			assert.deepEqual([failed.failures, failed.remembered], [1, 2]);
			answer = answerWith(rows(3).reverse());
			const { failures, remembered } = await poll("polled", 2);
			assert.deepEqual([failures, remembered], [0, 3]);
			await remove("polled");
		});
	}

	test("of pages without an end fails", async () => {
		let page = 0;
		answer = (response) => void response.end(JSON.stringify({ items: rows(1), next: `/?page=${++page}` }));
		const list = {
			...API_RECIPE.operations.get_order,
			path: "/",
			params: { type: "object", properties: {} },
			paginate: { by: "link", url: "next", items: "items" },
			output: { schema: {} },
		};
		const { query: _query, headers: _headers, examples: _examples, ...operation } = list;
		await world.put(OWNER, "/recipes/pages", {
			...API_RECIPE,
			base_url: service.url,
			operations: { list: operation },
		});
		await save("pages", { operation: "pages.list", params: { paginate: "all" } });
		const { error, remembered } = await poll("pages", 1);
		assert.match(error ?? "", /there are more than \d+ pages/);
		assert.equal(remembered, 0);
		assert.ok(page <= 1_000);
		await remove("pages");
	});

	test("remembers 10,000 ids, also when the list shrinks and comes back", async () => {
		await save("full", { operation: "http_request", params: { url: service.url } });
		const all = Array.from({ length: 10_000 }, (_, nth) => ({ id: `${nth}`.padStart(60, "-") }));
		answer = answerWith(all);
		assert.equal((await poll("full", 1)).remembered, 10_000);
		const readState = async () =>
			(await fetch(`${world.service.storeUrl}/entries?owner_id=${OWNER}&entry_type=poll_state`)).text();
		for (const list of [all.slice(-1), all.slice(5, 6), all, [{ id: "new" }]]) {
			answer = answerWith(list);
			const before = await readState();
			world.advance(MINUTE_MS);
			await world.service.tick();
			await eventually(async () => (await readState()) !== before);
		}
		const listRuns = async () => {
			const { text } = await world.send(OWNER, "GET", "/executions?workflow=full");
			return text.match(/"workflow":"full"/g)?.length ?? 0;
		};
		await eventually(async () => (await listRuns()) > 0);
		assert.equal(await listRuns(), 1);
		const { body } = await world.send(OWNER, "GET", "/workflows/full/poll");
		const { remembered, failures } = PollStatus.parse(body);
		assert.deepEqual([remembered, failures], [10_000, 0]);
		await remove("full");
	});
});

async function eventually(check: () => Promise<boolean>): Promise<void> {
	for (let nth = 0; !(await check()); nth++) {
		assert.ok(nth < 500, "not in time");
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}
