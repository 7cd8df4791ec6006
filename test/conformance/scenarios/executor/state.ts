import assert from "node:assert/strict";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import { createWorkflow, getNamedPath, listStored, otherTenant, run, save } from "./saving.ts";
import { createRow, createWebhook, triggerFailing } from "./token-webhook.ts";

const START = Date.UTC(2026, 10, 16, 12);

/** Workflows of one node each: `get`, `set`, `claim` and `count`. */
async function saveAll(world: World, headers: Record<string, string> = {}) {
	const named = { name: "{{input.name}}" };
	for (const [name, settings] of Object.entries({
		get: { component: "state_get", ...named, default: "none" },
		set: { component: "state_set", ...named, value: "{{input.value}}", ttl_seconds: 60 },
		claim: { component: "state_set", ...named, value: "{{input.value}}", if_absent: true, ttl_seconds: 60 },
		count: { component: "state_increment", ...named, by: "{{input.by | default(1)}}", ttl_seconds: 60 },
	})) {
		const body = createWorkflow(name, settings);
		const answer = await world.executor.call("POST", "/webhooks/named", { body, headers });
		assert.equal(answer.status, 201, JSON.stringify(answer.body));
	}
}

const ask = async (world: World, workflow: string, input: object): Promise<unknown> =>
	(await run(world, workflow, input)).data;

const times = <T>(count: number, work: (nth: number) => Promise<T>): Promise<T[]> =>
	Promise.all(Array.from({ length: count }, (_, nth) => work(nth)));

export const state: readonly Scenario[] = [
	{
		name: "fifty concurrent runs that count lose nothing, and each gets its own number",
		cites: [],
		async run(world) {
			await saveAll(world);
			const counted = await times(50, () => ask(world, "count", { name: "hits" }));
			const numbers = counted.map((data) => (data as { value: number }).value);
			assert.deepEqual(
				numbers.sort((one, other) => one - other),
				Array.from({ length: 50 }, (_, nth) => nth + 1),
			);
			assert.deepEqual(await ask(world, "get", { name: "hits" }), { value: 50, exists: true });
		},
	},
	{
		name: "fifty elements of a loop count at once and lose nothing",
		cites: [],
		async run(world) {
			await save(world, {
				...createWorkflow("loop", {}),
				triplets: ["all >> FOREACH amount >> add", "all >> then >> sum"],
				config: {
					all: { component: "foreach", items: "{{input.amounts}}", concurrency: 50 },
					add: { component: "state_increment", name: "sum", by: "{{amount}}" },
					sum: { component: "state_get", name: "sum" },
				},
			});
			const amounts = Array.from({ length: 50 }, (_, nth) => nth / 4);
			assert.deepEqual(await ask(world, "loop", { amounts }), { value: (49 * 50) / 8, exists: true });
		},
	},
	{
		name: "exactly one of twenty concurrent runs stores a value with if_absent, and all see it",
		cites: [],
		async run(world) {
			await saveAll(world);
			const answers = await times(20, (nth) => ask(world, "claim", { name: "id-7", value: `run ${nth}` }));
			const outcomes = answers as { value: string; previous: string | null; stored: boolean }[];
			const winner = outcomes.find(({ stored }) => stored);
			assert.equal(outcomes.filter(({ stored }) => stored).length, 1);
			assert.equal(winner?.previous, null);
			for (const { value } of outcomes) assert.equal(value, winner?.value);
		},
	},
	{
		name: "a value is gone when its lifetime has passed, for reading, claiming and counting",
		cites: [],
		async run(world) {
			await saveAll(world);
			await world.target.setNow(START);
			await ask(world, "set", { name: "a", value: { b: 1 } });
			await ask(world, "claim", { name: "c", value: 1 });
			assert.deepEqual(await ask(world, "count", { name: "n", by: 5 }), { value: 5 });
			await world.target.setNow(START + 59_999);
			assert.deepEqual(await ask(world, "get", { name: "a" }), { value: { b: 1 }, exists: true });
			assert.deepEqual(await ask(world, "claim", { name: "c", value: 2 }), {
				value: 1,
				previous: 1,
				stored: false,
			});
			assert.deepEqual(await ask(world, "count", { name: "n", by: 5 }), { value: 10 });
			await world.target.setNow(START + 60_000);
			assert.deepEqual(await ask(world, "get", { name: "a" }), { value: "none", exists: false });
			assert.deepEqual(await ask(world, "claim", { name: "c", value: 2 }), {
				value: 2,
				previous: null,
				stored: true,
			});
			assert.deepEqual(await ask(world, "count", { name: "n", by: 5 }), { value: 5 });
			await world.target.tick();
			const left = await listStored(world, "state_value");
			assert.deepEqual(left.map(({ page_name }) => page_name).sort(), ["c", "n"]);
		},
	},
	{
		name: "named values belong to the namespace of the run",
		cites: [],
		async run(world) {
			const other = otherTenant(world);
			await saveAll(world);
			await saveAll(world, other);
			const askOther = async (workflow: string, body: object) =>
				(
					await world.executor.expect(200, RunResult, "POST", getNamedPath(workflow, "trigger"), {
						body,
						headers: other,
					})
				).data;
			await ask(world, "set", { name: "a", value: "mine" });
			assert.deepEqual(await askOther("get", { name: "a" }), { value: "none", exists: false });
			assert.deepEqual(await askOther("count", { name: "a" }), { value: 1 });
			assert.deepEqual(await askOther("set", { name: "a", value: null }), {
				value: null,
				previous: 1,
				stored: true,
			});
			assert.deepEqual(await ask(world, "get", { name: "a" }), { value: "mine", exists: true });
		},
	},
	{
		name: "a called workflow shares the named values of its caller",
		cites: [],
		async run(world) {
			await saveAll(world);
			const input = { name: "a", value: 1 };
			await save(world, createWorkflow("caller", { component: "workflow", name: "set", input }));
			await run(world, "caller");
			assert.deepEqual(await ask(world, "get", { name: "a" }), { value: 1, exists: true });
		},
	},
	{
		name: "a run of nobody has no named values",
		cites: [],
		async run(world) {
			const row = createRow({ count: { component: "state_increment", name: "a" } });
			const { error } = await triggerFailing(world.anyone, await createWebhook(world.anyone, row));
			assert.match(error ?? "", /^count: this run belongs to no namespace/);
		},
	},
	{
		name: "a value that is too large, or is no number to count, fails the node with a clear error",
		cites: [],
		async run(world) {
			await saveAll(world);
			const fail = async (workflow: string, input: object) => (await run(world, workflow, input, 500)).error;
			await ask(world, "set", { name: "a", value: "x".repeat(65_534) });
			const large = { name: "a", value: "x".repeat(65_535) };
			assert.equal(await fail("set", large), 'only: parameter "value" must be at most 64 KiB of JSON');
			assert.equal(await fail("count", { name: "a" }), 'only: the value of "a" is not a number');
			const name = "x".repeat(129);
			assert.equal(await fail("get", { name }), 'only: parameter "name" must be at most 128 characters');
			assert.deepEqual(await ask(world, "get", { name: "__proto__" }), { value: "none", exists: false });
		},
	},
];
