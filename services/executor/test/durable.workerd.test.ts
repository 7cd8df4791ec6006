import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { counted, type Deployment, eventually, NAMESPACE, startDeployment } from "./deployment.ts";

const HOST = "steps.example";
/** Of an invocation on the free plan. */
const MAX_SUBREQUESTS = 50;

describe("a durable run on Workers", () => {
	let deployment: Deployment;

	before(async () => {
		deployment = await startDeployment({ entries: counted });
		await deployment.migrate();
		deployment.outside.serve(HOST, ({ url }) => ({ json: { url } }));
	});
	after(() => deployment.close());

	async function accept(name: string, items: number): Promise<void> {
		const list = Array.from({ length: items }, (_, item) => item);
		const workflow = {
			name,
			description: "",
			triplets: ["input >> then >> list", "list >> FOREACH n >> call", "list >> then >> last"],
			config: {
				list: { component: "foreach", items: list, concurrency: 4 },
				call: { component: "http_request", method: "GET", url: `https://${HOST}/${name}/{{n}}` },
				last: { component: "http_request", method: "GET", url: `https://${HOST}/${name}/last` },
			},
		};
		const saved = await deployment.executor("POST", "/webhooks/named", { body: workflow });
		assert.equal(saved.status, 201, saved.text);
		await deployment.executor("GET", "/counted");
		const path = `/webhooks/named/${NAMESPACE}/${name}/trigger`;
		const accepted = await deployment.executor("POST", path, {
			body: {},
			headers: { prefer: "respond-async" },
		});
		assert.equal(accepted.status, 202, accepted.text);
	}

	const listCalled = (name: string) =>
		deployment.outside
			.sentTo(HOST)
			.map(({ url }) => new URL(url).pathname.split("/"))
			.filter(([, workflow]) => workflow === name)
			.map(([, , item]) => item);

	test("goes on in further invocations, each within its limit, and calls nothing twice", async () => {
		await accept("hundred", 100);
		const [record] = await deployment.records(1);
		assert.equal(record?.verdict, "success", record?.error ?? "");
		const called = listCalled("hundred");
		assert.equal(called.at(-1), "last");
		assert.equal(called.length, 101);
		assert.equal(new Set(called).size, 101);
		const { body } = await deployment.executor("GET", "/counted");
		const invocations = (body.calls as string[]).join("\n").split("RUNS runDue");
		assert.ok(invocations.length >= 7, `${invocations.length} invocations`);
		for (const calls of invocations)
			assert.ok(calls.trim().split("\n").length <= MAX_SUBREQUESTS, `in one invocation:\n${calls}`);
	});

	test("goes on with the next tick once its chain of invocations is long", async () => {
		await accept("many", 400);
		await eventually(async () => assert.ok(listCalled("many").length >= 300));
		await eventually(async () => {
			const { body } = await deployment.executor("GET", "/executions/unfinished");
			const [run] = body.executions as { status: string; waits_for: string }[];
			assert.deepEqual([run?.status, run?.waits_for], ["waiting", "resumption"]);
		});
		await eventually(async () => {
			await deployment.cron("executor");
			assert.equal(listCalled("many").at(-1), "last");
		});
		const called = listCalled("many");
		assert.equal(called.length, 401);
		assert.equal(new Set(called).size, 401);
		assert.equal((await deployment.records(2))[0]?.verdict, "success");
	});

	test("many failed runs are repeated in parts, each run in an invocation of its own", async () => {
		const workflow = {
			name: "broken",
			description: "",
			triplets: ["input >> then >> call", "call >> then >> stop"],
			config: {
				call: { component: "http_request", method: "GET", url: `https://${HOST}/broken/{{input.n}}` },
				stop: { component: "fail", message: "no" },
			},
			options: { keep: "failed" },
		};
		const saved = await deployment.executor("POST", "/webhooks/named", { body: workflow });
		assert.equal(saved.status, 201, saved.text);
		const since = new Date(Date.now() - 60_000).toISOString();
		const waitForRecords = (count: number) =>
			eventually(async () => {
				const { body } = await deployment.executor("GET", "/executions?workflow=broken");
				assert.equal((body.executions as unknown[]).length, count);
			});
		for (let n = 0; n < 6; n++)
			await deployment.executor("POST", `/webhooks/named/${NAMESPACE}/broken/trigger`, {
				body: { n },
				headers: { prefer: "respond-async" },
			});
		await waitForRecords(6);
		const replay = async (cursor?: string) => {
			await deployment.executor("GET", "/counted");
			const { body } = await deployment.executor("POST", "/executions/replay", {
				body: { since, workflow: "broken", from: "failed", cursor },
			});
			const { calls } = (await deployment.executor("GET", "/counted")).body as { calls: string[] };
			const starts = calls.flatMap((call, nth) => (call.startsWith("RUNS runDue") ? [nth] : []));
			assert.equal(starts.length, (body.executions as unknown[]).length);
			// About as many are calls of the runs that it has started, which go on at the same time.
			assert.ok((starts.at(-1) as number) < 2 * MAX_SUBREQUESTS, calls.join("\n"));
			return body as { executions: { result: string }[]; next_cursor: string };
		};
		const first = await replay();
		assert.deepEqual(
			first.executions.map(({ result }) => result),
			Array(4).fill("started"),
		);
		const rest = await replay(first.next_cursor);
		assert.equal(rest.executions.length, 2);
		await waitForRecords(12);
	});
});
