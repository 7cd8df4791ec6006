import assert from "node:assert/strict";
import { ExecutionSettings, KeptData } from "@tripline/contract/kept-data";
import type { Scenario, World } from "../../scenario.ts";
import { putAuthRecipe, putCredential } from "./credential.ts";
import { eventually } from "./eventually.ts";
import { openHost } from "./outside-host.ts";
import { createWorkflow, echo, fails, otherTenant, run, save, trigger, waitForRecords } from "./saving.ts";
import { createWebhook, ECHO, getTriggerPath } from "./token-webhook.ts";
import { withSettings } from "./with-settings.ts";

const DAY_MS = 24 * 60 * 60_000;
const keep = (mode: string) => ({ options: { keep: mode } });
const getPath = (id: string) => `/executions/${id}/data`;

/** What is kept of a run. On Workers it is written after the response. */
const readData = (world: World, id: string, query: Record<string, string> = {}) =>
	eventually(() => world.executor.expect(200, KeptData.strict(), "GET", getPath(id), { query }));

const refuseData = (world: World, id: string) => world.executor.refuse(404, "GET", getPath(id));

const drop = ({ nodes }: KeptData) => nodes.map(({ duration_ms: _, ...node }) => node);

/** Two loops, one inside the other, and a node after them. */
const nested = (name: string) => ({
	...createWorkflow(name, {}),
	triplets: [
		"input >> then >> orders",
		"orders >> for each order >> lines",
		"lines >> for each line >> label",
		"orders >> then >> all",
	],
	config: {
		orders: { component: "foreach", items: "{{input.orders}}" },
		lines: { component: "foreach", items: "{{order.lines}}" },
		label: { component: "template", text: "{{context.shop}} {{order.id}}/{{line}}" },
		all: { component: "set", values: { labels: "{{label}}" } },
	},
	context: { shop: "corner" },
	...keep("all"),
});

/** What the nodes of runs received and gave. */
export const keptData: readonly Scenario[] = [
	{
		name: "with keep: all, a run's input and what each node received and gave can be read for 7 days",
		cites: [],
		async run(world) {
			const now = Date.UTC(2026, 10, 3, 12);
			await world.target.setNow(now);
			await save(world, {
				...createWorkflow("greeting", {}),
				triplets: ["input >> then >> greet", "greet >> then >> shout"],
				config: {
					greet: { component: "template", text: "Hello {{input.name}}" },
					shout: { component: "set", values: { text: "{{greet | upper}}", by: "{{workflow.name}}" } },
				},
				...keep("all"),
			});
			const { execution_id } = await run(world, "greeting", { name: "Ada" });
			const data = await readData(world, execution_id);
			assert.deepEqual(drop(data), [
				{
					id: "greet",
					place: "",
					attempt: 1,
					status: "success",
					input: { json: { text: "Hello Ada" } },
					output: { json: "Hello Ada" },
				},
				{
					id: "shout",
					place: "",
					attempt: 1,
					status: "success",
					input: { json: { values: { text: "HELLO ADA", by: "greeting" } } },
					output: { json: { text: "HELLO ADA", by: "greeting" } },
				},
			]);
			const { nodes: _, ...rest } = data;
			assert.deepEqual(rest, {
				execution_id,
				workflow: "greeting",
				version_number: 1,
				kept: "stored",
				expires_at: new Date(now + 7 * DAY_MS).toISOString(),
				input: { json: { name: "Ada" } },
				is_cut: false,
				next_cursor: null,
			});
			await world.target.setNow(now + 7 * DAY_MS - 1);
			await world.target.tick();
			await readData(world, execution_id);
			await world.target.setNow(now + 7 * DAY_MS);
			if (world.target.isolatesRequests) await refuseData(world, execution_id);
			else assert.equal((await readData(world, execution_id)).kept, "memory");
			await world.target.tick();
		},
	},
	{
		name: "kept data survives a restart",
		cites: [],
		async run(world) {
			await save(world, echo("lasting", keep("all")));
			const { execution_id } = await run(world, "lasting", { a: 1 });
			await readData(world, execution_id);
			await world.target.restart({});
			const data = await readData(world, execution_id);
			assert.deepEqual(data.nodes[0]?.output, { json: { got: { a: 1 } } });
		},
	},
	{
		name: "without keep, recent runs are kept in memory where there is any, and else not at all",
		cites: [],
		async run(world) {
			await save(world, echo("plain"));
			const { execution_id } = await run(world, "plain", { a: 1 });
			if (world.target.isolatesRequests) {
				await waitForRecords(world, "plain", 1);
				const { error } = await refuseData(world, execution_id);
				assert.match(error, /^nothing is kept of this run: set options\.keep .* to "all" or "failed"/);
				return;
			}
			const data = await readData(world, execution_id);
			assert.equal(data.kept, "memory");
			assert.equal(data.expires_at, undefined);
			assert.deepEqual(data.nodes[0]?.input, { json: { values: { got: { a: 1 } } } });
			await world.target.restart({});
			await refuseData(world, execution_id);
		},
	},
	{
		name: "a run with a large request is not kept in memory, unless its workflow keeps all runs",
		cites: [],
		async run(world) {
			const large = { a: "x".repeat(300_000) };
			await save(world, echo("plain"));
			const first = await run(world, "plain", large);
			await waitForRecords(world, "plain", 1);
			await refuseData(world, first.execution_id);
			await save(world, echo("keeping", keep("all")));
			const kept = await run(world, "keeping", large);
			assert.equal((await readData(world, kept.execution_id)).kept, "stored");
		},
	},
	{
		name: "keep: failed stores failed runs only, and keep: none keeps nothing",
		cites: [],
		async run(world) {
			await save(world, fails("broken", "no", keep("failed")));
			await save(world, echo("fine", keep("failed")));
			await save(world, fails("silent", "no", keep("none")));
			const broken = await run(world, "broken", { a: 1 }, 500);
			const fine = await run(world, "fine");
			const silent = await run(world, "silent", {}, 500);
			const data = await readData(world, broken.execution_id);
			assert.equal(data.kept, "stored");
			assert.deepEqual(drop(data), [
				{
					id: "only",
					place: "",
					attempt: 1,
					status: "failed",
					error: "no",
					input: { json: { message: "no" } },
				},
			]);
			await waitForRecords(world, "silent", 1);
			await refuseData(world, silent.execution_id);
			await world.target.restart({});
			await waitForRecords(world, "fine", 1);
			await refuseData(world, fine.execution_id);
			await readData(world, broken.execution_id);
		},
	},
	{
		name: "a namespace's default holds for workflows without keep",
		cites: [],
		async run(world) {
			const get = () => world.executor.expect(200, ExecutionSettings, "GET", "/executions/settings");
			assert.deepEqual(await get(), { keep: "memory" });
			await world.executor.expect(200, ExecutionSettings, "PUT", "/executions/settings", {
				body: { keep: "all" },
			});
			assert.deepEqual(await get(), { keep: "all" });
			await save(world, echo("by default"));
			await save(world, echo("by choice", keep("none")));
			const { execution_id } = await run(world, "by default");
			assert.equal((await readData(world, execution_id)).kept, "stored");
			const chosen = await run(world, "by choice");
			await waitForRecords(world, "by choice", 1);
			await refuseData(world, chosen.execution_id);
			const other = await world.executor.expect(200, ExecutionSettings, "GET", "/executions/settings", {
				headers: otherTenant(world),
			});
			assert.deepEqual(other, { keep: "memory" });
			for (const body of [{}, { keep: "some" }, { keep: "all", other: 1 }])
				await world.executor.refuse(422, "PUT", "/executions/settings", { body });
			await world.anyone.refuse(401, "PUT", "/executions/settings", { body: { keep: "all" } });
		},
	},
	{
		name: "a node in loops is read by its place, and its input is rendered with the elements around it",
		cites: [],
		async run(world) {
			await save(world, nested("nested"));
			const orders = [
				{ id: "A", lines: ["x", "y"] },
				{ id: "B", lines: ["z"] },
			];
			const { execution_id } = await run(world, "nested", { orders });
			const one = await readData(world, execution_id, { node: "label", place: "0.1" });
			assert.deepEqual(drop(one), [
				{
					id: "label",
					place: "0.1",
					attempt: 1,
					status: "success",
					input: { json: { text: "corner A/y" } },
					output: { json: "corner A/y" },
				},
			]);
			const all = await readData(world, execution_id, { node: "all" });
			const labels = [["corner A/x", "corner A/y"], ["corner B/z"]];
			assert.deepEqual(all.nodes[0]?.input, { json: { values: { labels } } });
			assert.equal((await readData(world, execution_id, { node: "label" })).nodes.length, 3);
			for (const query of [{ node: "nothing" }, { node: "label", place: "7" }]) {
				const { error } = await world.executor.refuse(404, "GET", getPath(execution_id), { query });
				assert.match(error, /^nothing is kept of this node/);
			}
			for (const query of [{ place: "x" }, { limit: "201" }, { cursor: "!" }, { unknown: "1" }])
				await world.executor.refuse(422, "GET", getPath(execution_id), { query });
		},
	},
	{
		name: "the input of a node in a REPEAT is rendered with the turn before, and after it with the last turn",
		cites: [],
		async run(world) {
			await save(world, {
				...createWorkflow("turns", {}),
				triplets: ["poll >> REPEAT turn >> next", "poll >> then >> after"],
				config: {
					poll: { component: "repeat", until: "turn == 2" },
					next: { component: "set", values: { n: "{{turn}}", before: "{{turn_last.next.n | default(9)}}" } },
					after: { component: "set", values: { last: "{{next.n}}", turns: "{{poll.turns}}" } },
				},
				...keep("all"),
			});
			const { execution_id } = await run(world, "turns");
			const { nodes } = await readData(world, execution_id);
			const inputs = nodes.map(({ id, place, input, input_error }) => [id, place, input ?? input_error]);
			assert.deepEqual(
				inputs.filter(([id]) => id !== "poll"),
				[
					["next", "0", { json: { values: { n: 0, before: 9 } } }],
					["next", "1", { json: { values: { n: 1, before: 0 } } }],
					["next", "2", { json: { values: { n: 2, before: 1 } } }],
					["after", "", { json: { values: { last: 2, turns: 3 } } }],
				],
			);
		},
	},
	{
		name: "elements that failed appear in later inputs as the run saw them, or the input says why it cannot be shown",
		cites: [],
		async run(world) {
			await save(world, {
				...createWorkflow("collected", {}),
				triplets: [
					"input >> then >> list",
					"list >> for each x >> is bad",
					"is bad >> if true >> broken",
					"broken >> then >> never",
					"list >> then >> errors",
					"list >> then >> rest",
				],
				config: {
					list: { component: "foreach", items: "{{input.items}}", on_item_error: "collect" },
					"is bad": { component: "if", condition: "x == 2" },
					broken: { component: "fail", message: "no {{x}}" },
					never: { component: "template", text: "{{x}}" },
					errors: { component: "set", values: { all: "{{broken}}" } },
					rest: { component: "set", values: { all: "{{never}}" } },
				},
				...keep("all"),
			});
			const { execution_id } = await run(world, "collected", { items: [1, 2] });
			const { nodes } = await readData(world, execution_id);
			const find = (id: string) => nodes.find((node) => node.id === id);
			assert.deepEqual(find("errors")?.input, { json: { values: { all: [null, { error: "no 2" }] } } });
			assert.deepEqual(find("errors")?.output, { json: { all: [null, { error: "no 2" }] } });
			assert.match(find("rest")?.input_error ?? "", /^it reads "never" of elements that failed/);
			assert.deepEqual([find("broken")?.place, find("broken")?.error], ["1", "no 2"]);
		},
	},
	{
		name: "the nodes of a large run come in pages of at most 200",
		cites: [],
		async run(world) {
			await save(world, {
				...createWorkflow("many", {}),
				triplets: ["input >> then >> list", "list >> for each x >> each"],
				config: {
					list: { component: "foreach", items: "{{input.items}}" },
					each: { component: "set", values: { x: "{{x}}" } },
				},
				...keep("all"),
			});
			const items = Array.from({ length: 450 }, (_, index) => index);
			const { execution_id } = await run(world, "many", { items });
			const outputs: unknown[] = [];
			let cursor: string | null = "";
			let pages = 0;
			while (cursor !== null) {
				const page: KeptData = await readData(world, execution_id, cursor === "" ? {} : { cursor });
				assert.ok(page.nodes.length <= 200);
				for (const { id, output } of page.nodes) if (id === "each") outputs.push(output);
				cursor = page.next_cursor;
				pages++;
			}
			assert.equal(pages, 3);
			assert.deepEqual(
				outputs,
				items.map((x) => ({ json: { x } })),
			);
		},
	},
	{
		name: "a large value is cut to 64 KiB, and a node that reads it says why its input cannot be shown",
		cites: [],
		async run(world) {
			await save(world, {
				...createWorkflow("large", {}),
				triplets: ["input >> then >> copy", "copy >> then >> reader"],
				config: {
					copy: { component: "set", values: { text: "{{input.text}}" } },
					reader: { component: "template", text: "{{copy.text | length}}" },
				},
				...keep("all"),
			});
			const { execution_id } = await run(world, "large", { text: "é".repeat(100_000) });
			const data = await readData(world, execution_id);
			assert.equal(data.is_cut, true);
			assert.ok("text" in data.input);
			assert.equal(data.input.bytes, 200_011);
			assert.equal(data.input.text, `{"text":"${"é".repeat(32_763)}`);
			const [copy, reader] = data.nodes;
			assert.equal(copy?.input_error, "it reads the input, of which only the beginning is kept");
			assert.equal(reader?.input_error, 'it reads "copy", of which only the beginning is kept');
			assert.deepEqual(reader?.output, { json: "100000" });
		},
	},
	{
		name: "failed attempts of a node are kept with their errors",
		cites: [],
		async run(world) {
			await save(world, fails("inner", "no"));
			const settings = { component: "workflow", name: "inner", retry: { max: 1, delay_ms: 1 } };
			await save(world, createWorkflow("retried", settings, keep("failed")));
			const { execution_id } = await run(world, "retried", {}, 500);
			const { nodes } = await readData(world, execution_id);
			assert.deepEqual(
				nodes.map(({ attempt, status, error }) => [attempt, status, error]),
				[
					[1, "retried", "only: no"],
					[2, "failed", "only: no"],
				],
			);
		},
	},
	{
		name: "DELETE removes what is kept of a run, once, and leaves its record",
		cites: [],
		async run(world) {
			await save(world, echo("deleted", keep("all")));
			const { execution_id } = await run(world, "deleted");
			await readData(world, execution_id);
			const other = { headers: otherTenant(world) };
			await world.executor.refuse(404, "DELETE", getPath(execution_id), other);
			assert.equal((await world.executor.call("DELETE", getPath(execution_id))).status, 204);
			await waitForRecords(world, "deleted", 1);
			await refuseData(world, execution_id);
			const { error } = await world.executor.refuse(404, "DELETE", getPath(execution_id));
			assert.match(error, /^nothing is kept of this run/);
		},
	},
	{
		name: "only the namespace of a run reads its data",
		cites: [],
		async run(world) {
			await save(world, echo("private", keep("all")));
			const { execution_id } = await run(world, "private");
			await readData(world, execution_id);
			const { error } = await world.executor.refuse(404, "GET", getPath(execution_id), {
				headers: otherTenant(world),
			});
			assert.equal(error, "execution not found");
			await world.anyone.refuse(401, "GET", getPath(execution_id));
			await world.anyone.refuse(401, "DELETE", getPath(execution_id));
		},
	},
	{
		name: "nothing is kept of a run that belongs to nobody",
		cites: [],
		async run(world) {
			const answer = await world.anyone.call("POST", "/webhooks", { body: { ...ECHO, ...keep("all") } });
			const { token } = answer.body as { token: string };
			const ran = await world.anyone.call("POST", getTriggerPath(token), { body: { a: 1 } });
			const { execution_id } = ran.body as { execution_id: string };
			assert.equal((await refuseData(world, execution_id)).error, "execution not found");
			for (const headers of [{ "x-service-api-key": "anonymous" }, { "x-service-api-key": "" }]) {
				const refused = await world.anyone.call("GET", getPath(execution_id), { headers });
				assert.ok(refused.status >= 400, String(refused.status));
			}
		},
	},
	{
		name: "a token webhook of a namespace keeps its data, and renders inputs without a stored version",
		cites: [],
		async run(world) {
			const token = await createWebhook(world.executor, { ...ECHO, ...keep("all") });
			const ran = await world.executor.call("POST", getTriggerPath(token), { body: { a: 1 } });
			const data = await readData(world, (ran.body as { execution_id: string }).execution_id);
			assert.equal(data.version_number, undefined);
			assert.ok(data.nodes.every(({ input }) => input !== undefined));
		},
	},
	{
		name: "the limit of a namespace deletes its oldest data first",
		cites: [],
		run: (world) =>
			withSettings(world, { MAX_KEPT_BYTES: "1048576" }, async () => {
				await save(world, echo("heavy", keep("all")));
				const ids: string[] = [];
				for (let nth = 0; nth < 12; nth++) {
					const { execution_id } = await run(world, "heavy", { text: "x".repeat(60_000) });
					ids.push(execution_id);
					await eventually(() => world.executor.expect(200, KeptData, "GET", getPath(execution_id)));
				}
				const isStored = async (id: string) => {
					const { body } = await world.executor.call("GET", getPath(id));
					return (body as { kept?: string }).kept === "stored";
				};
				const [first = "", last = ""] = [ids[0], ids.at(-1)];
				assert.deepEqual([await isStored(first), await isStored(last)], [false, true]);
			}),
	},
	{
		name: "secrets of credentials that a run used appear as {{credential.NAME}}, wherever they turn up",
		cites: [],
		async run(world) {
			const secret = 'sk-Kept+9f8e/7d6c="5b4a';
			const { host, url } = openHost(world, () => ({ json: { echo: secret } }));
			await putAuthRecipe(world, "own", { type: "bearer", fields: ["token"], hosts: [host] });
			await putCredential(world, "key", "own", { token: secret });
			await save(world, {
				...createWorkflow("secretive", {}),
				triplets: ["input >> then >> plain", "plain >> then >> call"],
				config: {
					plain: { component: "set", values: { given: "{{input.given}}" } },
					call: {
						component: "http_request",
						url,
						method: "POST",
						json: { key: "{{credential.key}}", given: "{{plain.given}}" },
					},
				},
				...keep("all"),
			});
			const { execution_id } = await run(world, "secretive", { given: `it is ${secret}` });
			const data = await readData(world, execution_id);
			const text = JSON.stringify(data);
			assert.ok(!text.includes(secret) && !text.includes(JSON.stringify(secret).slice(1, -1)), text);
			const given = "it is {{credential.key}}";
			assert.deepEqual(data.input, { json: { given } });
			assert.deepEqual(data.nodes[0]?.output, { json: { given } });
			const { input } = data.nodes[1] ?? {};
			assert.ok(input !== undefined && "json" in input);
			assert.deepEqual((input.json as { json: unknown }).json, { key: "{{credential.key}}", given });
		},
	},
	{
		name: "secrets that a called workflow used are masked in the data of the run that called it",
		cites: [],
		async run(world) {
			const secret = "sk-inner-0123456789abcdef";
			const { host, url } = openHost(world);
			await putAuthRecipe(world, "inner", { type: "bearer", fields: ["token"], hosts: [host] });
			await putCredential(world, "inner key", "inner", { token: secret });
			await save(world, createWorkflow("calls", { component: "http_request", url, credential: "inner key" }));
			await save(world, createWorkflow("outer", { component: "workflow", name: "calls" }, keep("all")));
			const { execution_id } = await run(world, "outer", { given: secret });
			const data = await readData(world, execution_id);
			assert.deepEqual(data.input, { json: { given: "{{credential.inner key}}" } });
		},
	},
	{
		name: "of a run that has not ended nothing is kept yet, and the answer says so",
		cites: [],
		async run(world) {
			await save(world, createWorkflow("slow", { component: "wait", ms: 1_500 }, keep("all")));
			const accepted = await trigger(world, "slow", { body: {}, headers: { prefer: "respond-async" } });
			assert.equal(accepted.status, 202);
			const { execution_id } = accepted.body as { execution_id: string };
			assert.match((await refuseData(world, execution_id)).error, /^the run has not ended/);
			assert.equal((await readData(world, execution_id)).nodes[0]?.status, "success");
		},
	},
];
