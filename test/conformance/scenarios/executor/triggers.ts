import assert from "node:assert/strict";
import { CreatedWebhook } from "@tripline/contract/executor";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import {
	createRow,
	createWebhook,
	ECHO,
	failOnce,
	getTriggerPath,
	runOnce,
	trigger,
	triggerFailing,
	waitForRecords,
} from "./token-webhook.ts";
import { withSettings } from "./with-settings.ts";

const FAIL = createRow({ broken: { component: "fail", message: "out of stock" } });

/** Runs the webhook with any body and returns the trigger context that it got. */
async function runForContext(
	world: World,
	token: string,
	raw?: string | Uint8Array<ArrayBuffer>,
	type?: string,
) {
	const result = await world.anyone.expect(200, RunResult, "POST", getTriggerPath(token), {
		...(raw === undefined ? {} : { raw }),
		...(type === undefined ? {} : { headers: { "content-type": type } }),
	});
	return result.data;
}

const createNested = (depth: number): string => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;

export const triggers: readonly Scenario[] = [
	{
		name: "a trigger returns 200 with the result of the run",
		cites: [
			"EXEC-RUN-ON-WEBHOOK",
			"EXEC-RUN-RESULT",
			"EXEC-JSON-BODIES",
			"EXEC-TENANT-TOKEN-NO-HEADER",
			"EXEC-TRIGGER-CONTEXT",
			"EXEC-TRIGGER-200",
			"EXEC-TRIGGER-RESULT-SUCCESS",
			"EXEC-TRIGGER-RESULT-DURATION",
		],
		async run(world) {
			const token = await createWebhook(world.executor, ECHO);
			const answer = await world.anyone.call("POST", getTriggerPath(token), { body: { a: [1, "多"] } });
			assert.equal(answer.status, 200);
			assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
			const { duration_ms, execution_id, nodes, ...rest } = RunResult.parse(answer.body);
			assert.deepEqual(rest, { success: true, workflow: token, data: { a: [1, "多"] } });
			assert.ok(duration_ms >= 0);
			assert.match(execution_id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
			const [echo] = nodes ?? [];
			assert.equal(nodes?.length, 1);
			assert.deepEqual(
				[echo?.id, echo?.component, echo?.status, echo?.attempts],
				["echo", "set", "success", 1],
			);
		},
	},
	{
		name: "a failed run returns 500 with success false and the error of its node",
		cites: ["EXEC-TRIGGER-500", "EXEC-TRIGGER-RESULT-SUCCESS", "EXEC-TRIGGER-RESULT-ERROR"],
		async run(world) {
			const result = await failOnce(world, FAIL);
			assert.equal(result.success, false);
			assert.equal(result.error, "broken: out of stock");
			assert.equal(result.data, null);
			assert.ok(result.duration_ms >= 0);
			const [broken] = result.nodes ?? [];
			assert.deepEqual([broken?.status, broken?.error], ["failed", "out of stock"]);
		},
	},
	{
		name: "?trace=false omits the nodes from a result, for successes and failures",
		cites: [],
		async run(world) {
			for (const [workflow, status] of [
				[ECHO, 200],
				[FAIL, 500],
			] as const) {
				const path = getTriggerPath(await createWebhook(world.executor, workflow));
				const answer = await world.anyone.call("POST", `${path}?trace=false`, { body: {} });
				assert.equal(answer.status, status);
				assert.ok(!Object.hasOwn(answer.body as object, "nodes"));
				const traced = await world.anyone.call("POST", `${path}?trace=true`, { body: {} });
				assert.equal((traced.body as RunResult).nodes?.length, 1);
			}
		},
	},
	{
		name: "without a body the trigger context is empty",
		cites: ["EXEC-TRIGGER-NO-BODY"],
		async run(world) {
			const token = await createWebhook(world.anyone, ECHO);
			assert.deepEqual(await runForContext(world, token), {});
			assert.deepEqual(await runForContext(world, token, ""), {});
		},
	},
	{
		name: "a body that is not a JSON object gives an empty context",
		cites: ["EXEC-TRIGGER-NON-OBJECT"],
		async run(world) {
			const token = await createWebhook(world.anyone, ECHO);
			for (const raw of ["[1]", "5", '"text"', "null", "true", "not json", "{", '{"a":1', "a=1&b=2", " "]) {
				assert.deepEqual(await runForContext(world, token, raw), {}, raw);
			}
			const notUtf8 = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
			assert.deepEqual(await runForContext(world, token, notUtf8), {});
		},
	},
	{
		name: "a JSON object is the trigger context whatever the content type says",
		cites: ["EXEC-TRIGGER-CONTEXT"],
		async run(world) {
			const token = await createWebhook(world.anyone, ECHO);
			for (const type of ["text/plain", "application/x-www-form-urlencoded", "image/png", "nonsense"]) {
				assert.deepEqual(await runForContext(world, token, '{"a":1}', type), { a: 1 }, type);
			}
		},
	},
	{
		name: "a trigger's body is only data: braces, odd names and prototypes are returned unchanged",
		cites: [],
		async run(world) {
			const token = await createWebhook(world.executor, ECHO);
			const raw =
				'{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},' +
				'"math":"{{7*7}}","secret":"{{credential.x}}","again":"{{input.math}}","lone":"\\ud800","nul":"\\u0000"}';
			assert.equal(JSON.stringify(await runForContext(world, token, raw)), raw);
			const text = createRow({ say: { component: "template", text: "{{input.math}} {{input.secret}}" } });
			const say = await createWebhook(world.executor, text);
			assert.equal(await runForContext(world, say, raw), "{{7*7}} {{credential.x}}");
			assert.deepEqual(await runForContext(world, token, "{}"), {});
		},
	},
	{
		name: "a context nested deeper than 64 levels gets 400",
		cites: [],
		async run(world) {
			const token = await createWebhook(
				world.anyone,
				createRow({ ok: { component: "set", values: { n: 1 } } }),
			);
			assert.deepEqual(await runForContext(world, token, createNested(64)), { n: 1 });
			const refused = await world.anyone.refuse(400, "POST", getTriggerPath(token), {
				raw: createNested(65),
			});
			assert.equal(refused.error, "json nests deeper than 64 levels");
		},
	},
	{
		name: "a body of 1 MiB runs, a larger one gets 413",
		cites: [],
		async run(world) {
			const length = createRow({ size: { component: "set", values: { n: "{{input.text | length}}" } } });
			const token = await createWebhook(world.anyone, length);
			const body = (bytes: number) => `{"text":"${"x".repeat(bytes - 11)}"}`;
			assert.deepEqual(await runForContext(world, token, body(1_048_576)), { n: 1_048_565 });
			await world.anyone.refuse(413, "POST", getTriggerPath(token), { raw: body(1_048_577) });
		},
	},
	{
		name: "a token shorter than 16 characters gets 400 invalid token",
		cites: ["EXEC-TRIGGER-SHORT-TOKEN"],
		async run(world) {
			for (const token of ["a", "a".repeat(15), "%20", "null"]) {
				assert.deepEqual(await world.anyone.refuse(400, "POST", getTriggerPath(token), { body: {} }), {
					error: "invalid token",
				});
			}
		},
	},
	{
		name: "an unknown token gets 404 webhook not found, whatever the body",
		cites: ["EXEC-TRIGGER-404"],
		async run(world) {
			const large = "x".repeat(1_048_577);
			for (const [token, raw] of [
				["a".repeat(16), "{}"],
				["A".repeat(32), createNested(65)],
				["b".repeat(32), large],
			] as const) {
				assert.deepEqual(await world.anyone.refuse(404, "POST", getTriggerPath(token), { raw }), {
					error: "webhook not found",
				});
			}
		},
	},
	{
		name: "a token finds only webhook records, not other keys of the key-value store",
		cites: ["EXEC-TRIGGER-404"],
		async run(world) {
			const token = await createWebhook(world.executor, ECHO);
			const graph = {
				nodes: [{ id: "a", component: "set", params: { values: { found: true } } }],
				edges: [],
			};
			const legacy = { name: "an old workflow", description: "", graph };
			await world.target.kv.put(`${world.owner}:wf:an old workflow`, JSON.stringify(legacy));
			for (const key of [`${world.owner}:wh:${token}`, `${world.owner}:wf:an old workflow`]) {
				const path = getTriggerPath(encodeURIComponent(key));
				assert.deepEqual(await world.anyone.refuse(404, "POST", path, { body: {} }), {
					error: "webhook not found",
				});
			}
		},
	},
	{
		name: "a stored record that cannot be parsed gets 500 definition corrupt",
		cites: ["EXEC-TRIGGER-CORRUPT"],
		async run(world) {
			for (const text of ["", "{", "null", "5", "[]", "{}", '{"graph":5}', '{"graph":{"nodes":[]}}']) {
				const token = await createWebhook(world.executor, ECHO);
				await world.target.kv.put(token, text);
				const refused = await world.anyone.refuse(500, "POST", getTriggerPath(token), { body: {} });
				assert.match(refused.error, /^definition corrupt/, text);
			}
		},
	},
	{
		name: "a stored graph with a deleted component gives a recorded failed run that names it",
		cites: ["EXEC-TRIGGER-500", "EXEC-RECORD-ONE-PER-TRIGGER"],
		async run(world) {
			const token = await createWebhook(world.executor, ECHO);
			const record = (await world.target.kv.get(token)) ?? "";
			await world.target.kv.put(token, record.replace('"set"', '"gone"'));
			const { success, error = "", execution_id } = await triggerFailing(world.anyone, token);
			assert.equal(success, false);
			assert.match(error, /^echo: component "gone" no longer exists/);
			const [kept] = await waitForRecords(world, 1);
			assert.deepEqual(
				[kept?.id, kept?.verdict, kept?.error, kept?.failed_node, kept?.nodes],
				[execution_id, "failed", error, "echo", [{ id: "echo", component: "gone" }]],
			);
		},
	},
	{
		name: "a webhook survives a restart",
		cites: ["EXEC-WEBHOOK-STORED"],
		async run(world) {
			const token = await createWebhook(world.executor, ECHO);
			await world.target.restart({});
			assert.deepEqual((await trigger(world.anyone, token, { a: 1 })).data, { a: 1 });
		},
	},
	{
		name: "only POST triggers",
		cites: [],
		async run(world) {
			const token = await createWebhook(world.executor, ECHO);
			for (const method of ["GET", "PUT", "DELETE"]) {
				const answer = await world.anyone.call(method, getTriggerPath(token));
				assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "POST"]);
			}
		},
	},
	{
		name: "parallel triggers of a webhook each have their own context",
		cites: ["EXEC-TRIGGER-CONTEXT"],
		async run(world) {
			const workflow = createRow({
				pause: { component: "wait", ms: 5 },
				say: { component: "set", values: { n: "{{input.n}}", id: "{{execution.id}}" } },
			});
			const token = await createWebhook(world.executor, workflow);
			const results = await Promise.all(
				Array.from({ length: 50 }, (_, n) => trigger(world.anyone, token, { n })),
			);
			assert.deepEqual(
				results.map(({ data, execution_id }) => [data, execution_id]),
				results.map(({ execution_id }, n) => [{ n, id: execution_id }, execution_id]),
			);
			assert.equal(new Set(results.map(({ execution_id }) => execution_id)).size, 50);
		},
	},
	{
		name: "a caller that disconnects cancels nothing",
		cites: [],
		async run(world) {
			const workflow = createRow({
				pause: { component: "wait", ms: 300 },
				note: { component: "kb_upsert", page_name: "done", content: "yes" },
			});
			const token = await createWebhook(world.executor, workflow);
			const call = fetch(world.target.publicUrl + getTriggerPath(token), {
				method: "POST",
				signal: AbortSignal.timeout(100),
			});
			await assert.rejects(call);
			await expectEntry(world, "done");
		},
	},
	{
		name: "options.timeout_ms is the deadline of a run",
		cites: [],
		async run(world) {
			const slow = createRow({ slow: { component: "wait", ms: 60_000 } }, { options: { timeout_ms: 50 } });
			const result = await failOnce(world, slow);
			assert.equal(result.error, 'the run took longer than 50 ms while "slow" was running');
			assert.equal(result.nodes?.[0]?.status, "cancelled");
		},
	},
	{
		name: "RUN_TIMEOUT_MS bounds every run, and a workflow may only lower it",
		cites: [],
		run: (world) =>
			withSettings(world, { RUN_TIMEOUT_MS: "80" }, async () => {
				const slow = createRow({ slow: { component: "wait", ms: 60_000 } });
				const late = 'the run took longer than 80 ms while "slow" was running';
				assert.equal((await failOnce(world, slow)).error, late);
				assert.equal((await failOnce(world, { ...slow, options: { timeout_ms: 60_000 } })).error, late);
				const sooner = await failOnce(world, { ...slow, options: { timeout_ms: 40 } });
				assert.equal(sooner.error, 'the run took longer than 40 ms while "slow" was running');
			}),
	},
	{
		name: "a context that does not match options.input_schema gets 422 and runs nothing",
		cites: [],
		async run(world) {
			const input_schema = {
				type: "object",
				properties: { order: { type: "integer", minimum: 1 } },
				required: ["order"],
			};
			const token = await createWebhook(world.executor, { ...ECHO, options: { input_schema } });
			for (const body of [{}, { order: "7" }, { order: 0 }]) {
				const refused = await world.anyone.refuse(422, "POST", getTriggerPath(token), { body });
				assert.deepEqual([refused.error, refused.issues?.[0]?.path], ["invalid request", "order"]);
			}
			const other = await world.anyone.refuse(422, "POST", getTriggerPath(token));
			assert.equal(other.issues?.length, 1);
			assert.deepEqual((await trigger(world.anyone, token, { order: 7, more: 1 })).data, {
				order: 7,
				more: 1,
			});
		},
	},
	{
		name: "an options.input_schema that is not a JSON Schema is rejected when the webhook is created",
		cites: [],
		async run(world) {
			for (const input_schema of [
				{ type: "banana" },
				{ type: "string", pattern: "(" },
				{ $ref: "#/nowhere" },
			]) {
				const body = { ...ECHO, options: { input_schema } };
				const { diagnostics = [] } = await world.anyone.refuse(400, "POST", "/webhooks", { body });
				assert.match(diagnostics[0]?.path ?? "", /^options\.input_schema/);
			}
		},
	},
	{
		name: "a pattern in options.input_schema cannot block the service",
		cites: [],
		async run(world) {
			const input_schema = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
			const body = { ...ECHO, options: { input_schema } };
			const made = await world.executor.call("POST", "/webhooks", { body });
			if (made.status === 400) return;
			const { token } = CreatedWebhook.parse(made.body);
			const started = Date.now();
			await world.anyone.call("POST", getTriggerPath(token), { body: { a: `${"a".repeat(40)}!` } });
			// A backtracking engine would take hours.
			assert.ok(Date.now() - started < 20_000, `${Date.now() - started} ms`);
		},
	},
	{
		name: "alternatives in options.input_schema cannot block the service",
		cites: [],
		async run(world) {
			const list = { type: "array", items: { type: "string" } };
			const anyOf = new Array(20).fill(list);
			const input_schema = { type: "object", properties: { list: { anyOf } } };
			const token = await createWebhook(world.executor, { ...ECHO, options: { input_schema } });
			const listIssues = async (elements: unknown[]) => {
				const body = { list: elements };
				return (await world.anyone.refuse(422, "POST", getTriggerPath(token), { body })).issues ?? [];
			};
			const wrong = await listIssues(new Array(100_000).fill(1));
			assert.deepEqual(wrong[0], { path: "list.0", message: "must be text, but is a number" });
			assert.equal(wrong.length, 50);
			assert.deepEqual(await listIssues([...new Array(100_000).fill("a"), 1]), [
				{ path: "", message: "is too large to be checked against this schema" },
			]);
		},
	},
	{
		name: "a trigger may come from a page of another origin",
		cites: [],
		async run(world) {
			const token = await createWebhook(world.executor, ECHO);
			const headers = { origin: "https://shop.example" };
			await world.anyone.expect(200, RunResult, "POST", getTriggerPath(token), { headers });
		},
	},
	{
		name: "a webhook created without the tenant header runs in the caller's namespace",
		cites: ["EXEC-TRIGGER-HEADER-FORWARDED", "EXEC-TENANT-HEADER"],
		async run(world) {
			const write = createRow({ note: { component: "kb_upsert", page_name: "theirs", content: "yes" } });
			const token = await createWebhook(world.anyone, write);
			await trigger(world.executor, token);
			await expectEntry(world, "theirs");
			const nobody = await triggerFailing(world.anyone, token);
			assert.match(nobody.error ?? "", /^note: this run belongs to no namespace/);
		},
	},
	{
		name: "a webhook created with the tenant header runs in its creator's namespace for any caller",
		cites: ["EXEC-TENANT-TOKEN-NO-HEADER"],
		async run(world) {
			const write = createRow({ note: { component: "kb_upsert", page_name: "mine", content: "yes" } });
			const token = await createWebhook(world.executor, write);
			const headers = { "x-service-api-key": `${world.owner}-caller` };
			await world.anyone.expect(200, RunResult, "POST", getTriggerPath(token), { headers });
			await expectEntry(world, "mine");
			assert.equal((await listPages(world, `${world.owner}-caller`)).length, 0);
		},
	},
	{
		name: "a trigger with an invalid tenant header runs anonymously, or in its creator's namespace",
		cites: ["EXEC-TENANT-HEADER-OPTIONAL"],
		async run(world) {
			const open = await createWebhook(world.anyone, ECHO);
			const write = createRow({ note: { component: "kb_upsert", page_name: "x", content: "yes" } });
			const writing = await createWebhook(world.anyone, write);
			const owned = await createWebhook(world.executor, ECHO);
			for (const odd of ["no namespace!", "a b", "anonymous", "-", "x".repeat(65)]) {
				const headers = { "x-service-api-key": odd };
				await world.anyone.expect(200, RunResult, "POST", getTriggerPath(open), { headers });
				await world.anyone.expect(200, RunResult, "POST", getTriggerPath(owned), { headers });
				const nobody = await world.anyone.expect(500, RunResult, "POST", getTriggerPath(writing), {
					headers,
				});
				assert.match(nobody.error ?? "", /^note: this run belongs to no namespace/);
			}
		},
	},
	{
		name: "a graph that reads a credential as data is rejected when it is compiled",
		cites: [],
		async run(world) {
			const body = createRow({ leak: { component: "template", text: "{{credential.x}}" } });
			const { diagnostics = [] } = await world.executor.refuse(400, "POST", "/webhooks", { body });
			assert.ok(diagnostics.some(({ message }) => message.includes("credential")));
		},
	},
	{
		name: "the result of several end nodes is an object keyed by node name",
		cites: [],
		async run(world) {
			const workflow = {
				triplets: ["input >> then >> a", "input >> then >> b", "a >> then >> c"],
				config: {
					a: { component: "set", values: { n: 1 } },
					b: { component: "template", text: "b" },
					c: { component: "template", text: "{{a.n}}" },
				},
			};
			assert.deepEqual((await runOnce(world, workflow)).data, { b: "b", c: "1" });
		},
	},
];

async function listPages(world: World, owner_id = world.owner): Promise<string[]> {
	const { body } = await world.call("GET", "/entries", { query: { owner_id, entry_type: "note" } });
	return (body as { entries: { page_name: string }[] }).entries.map(({ page_name }) => page_name);
}

const expectEntry = (world: World, page: string) =>
	eventually(async () => assert.deepEqual(await listPages(world), [page]));
