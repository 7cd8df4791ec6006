import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { start, temporaryFolder } from "../../apps/node/test/process.ts";

const TENANT = { "x-service-api-key": "faults" };
const ITEMS_PER_ROUND = 40;
const ROUNDS = 6;

/** A service whose list grows, and which counts the runs that report an item. */
async function openService(context: TestContext) {
	const items: { id: number }[] = [{ id: 0 }];
	const runs = new Map<number, Set<string>>();
	let onPoll = () => {};
	const server = createServer(async (request, response) => {
		if (request.method === "GET") {
			response.setHeader("content-type", "application/json");
			response.end(JSON.stringify(items.toReversed()));
			onPoll();
			return;
		}
		let body = "";
		for await (const chunk of request) body += chunk;
		const { id, run } = JSON.parse(body) as { id: number; run: string };
		runs.set(id, (runs.get(id) ?? new Set()).add(run));
		response.end("{}");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	context.after(() => server.close());
	context.after(() => server.closeAllConnections());
	const { port } = server.address() as AddressInfo;
	const add = () => {
		for (let nth = 0; nth < ITEMS_PER_ROUND; nth++) items.push({ id: items.length });
	};
	return {
		host: `127.0.0.1:${port}`,
		items,
		runs,
		add,
		whenPolled: (then: () => void) => {
			onPoll = then;
		},
	};
}

/** The workflow is due again, as if a minute had passed. */
function makeDue(cwd: string): void {
	const database = new DatabaseSync(join(cwd, "data", "store.db"));
	try {
		const due = Math.floor(Date.now() / 60_000) * 60;
		database
			.prepare("update entries set next_run_at = ? where entry_type = 'workflow' and next_run_at is not null")
			.run(due);
		database.prepare("delete from entries where entry_type = 'occurrence'").run();
	} finally {
		database.close();
	}
}

async function eventually(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
	const until = Date.now() + 60_000;
	while (!(await check())) {
		assert.ok(Date.now() < until, `not in time: ${what}`);
		await wait(50);
	}
}

describe("kill -9 during a poll", () => {
	test("every item starts one run, whenever the process dies", async (context) => {
		const cwd = temporaryFolder(context);
		const service = await openService(context);
		const settings = { LOG_LEVEL: "silent", ALLOW_PRIVATE_HOSTS: service.host };
		const url = `http://${service.host}/items`;
		const poll = { operation: "http_request", params: { url }, key: "id" };
		const first = await start(context, settings, cwd);
		const saved = await fetch(`${first.publicUrl}/workflows`, {
			method: "POST",
			headers: { ...TENANT, "content-type": "application/json" },
			body: JSON.stringify({
				name: "items",
				description: "",
				version: "1",
				trigger: { type: "schedule", cron: "* * * * *", poll },
				triplets: ["input >> then >> report"],
				config: {
					report: {
						component: "http_request",
						method: "POST",
						url,
						json: { id: "{{input.id}}", run: "{{execution.id}}" },
					},
				},
			}),
		});
		assert.equal(saved.status, 201, await saved.text());
		first.child.kill("SIGKILL");
		await first.exited();

		const pollOnce = async (): Promise<void> => {
			makeDue(cwd);
			const { child, publicUrl, exited } = await start(context, settings, cwd);
			await eventually("the poll has ended", async () => {
				const answer = await fetch(`${publicUrl}/workflows/items/poll`, { headers: TENANT });
				return ((await answer.json()) as { remembered: number }).remembered === service.items.length;
			});
			await eventually("every run has reported", () => service.runs.size === service.items.length - 1);
			child.kill("SIGKILL");
			await exited();
		};
		await pollOnce();
		for (let round = 0; round < ROUNDS; round++) {
			service.add();
			makeDue(cwd);
			const polled = new Promise<void>((resolve) => service.whenPolled(resolve));
			const { child, exited } = await start(context, settings, cwd);
			await polled;
			await wait(Math.random() * 60);
			child.kill("SIGKILL");
			await exited();
		}
		service.whenPolled(() => {});
		await pollOnce();
		assert.deepEqual(
			[...service.runs].filter(([, runs]) => runs.size > 1),
			[],
		);
		assert.equal(service.runs.size, ROUNDS * ITEMS_PER_ROUND);
		assert.equal(service.runs.has(0), false);
	});
});
