import assert from "node:assert/strict";
import { McpServer } from "@tripline/contract/mcp-servers";
import { type CollectedSpan, openCollector, renderTrace } from "../../../collector.ts";
import { MODERN } from "../../../mcp/wire.ts";
import type { Environment } from "../../platforms.ts";
import type { Scenario, World } from "../../scenario.ts";
import { mcpCall } from "../mcp/asking.ts";
import { putAuthRecipe, putCredential } from "./credential.ts";
import { eventually } from "./eventually.ts";
import { openMcpHost, toText } from "./mcp-host.ts";
import { openHost } from "./outside-host.ts";
import { createWorkflow, fails, run, save, says, trigger } from "./saving.ts";
import { createRow, createWebhook, getTriggerPath } from "./token-webhook.ts";
import { withSettings } from "./with-settings.ts";

const NOON = Date.UTC(2026, 10, 3, 12);
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const SAYS = { component: "template", text: "x" };

type Collector = Awaited<ReturnType<typeof openCollector>>;

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CALLER = "b7ad6b7169203331";
const SAMPLED = `00-${TRACE}-${CALLER}-01`;
const CANARY = "canary-5f1e8c2d";

async function withCollector(
	world: World,
	settings: Environment,
	use: (collector: Collector) => Promise<void>,
): Promise<void> {
	const collector = await openCollector();
	try {
		await withSettings(world, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...settings }, () =>
			use(collector),
		);
		assert.deepEqual(collector.problems, []);
	} finally {
		await collector.close();
	}
}

/** Without statements and calls of the store, which differ between the platforms. */
const isOwn = ({ name, attributes }: CollectedSpan) =>
	attributes["db.system.name"] === undefined && !/^[A-Z]+ \/(?!webhooks|mcp|events)/.test(name);

const waitForTrace = (collector: Collector, lines: readonly string[], traceId = TRACE) =>
	eventually(async () => {
		const spans = collector.spans.filter((span) => span.traceId === traceId);
		assert.deepEqual(renderTrace(spans, isOwn), lines);
		return spans;
	});

const findSpan = (spans: readonly CollectedSpan[], name: string): CollectedSpan =>
	spans.find((span) => span.name === name) ?? assert.fail(`there is no span ${name}`);

export const tracing: readonly Scenario[] = [
	{
		name: "a trace leads from a webhook through its run, nodes and calls to called workflows and events",
		cites: [],
		async run(world) {
			const host = openHost(world);
			await putAuthRecipe(world, "own", { type: "bearer", fields: ["token"], hosts: [host.host] });
			await putCredential(world, "key", "own", { token: CANARY });
			const call = { component: "http_request", url: `${host.url}/${CANARY}`, credential: "key" };
			await save(world, says("leaf", "{{input.secret}}"));
			await save(
				world,
				createWorkflow("listener", call, { trigger: { type: "event", event: "order.traced" } }),
			);
			await save(
				world,
				createRow(
					{
						ask: call,
						part: { component: "workflow", name: "leaf", input: { secret: "{{input.secret}}" } },
						tell: { component: "emit_event", type: "order.traced", data: { secret: "{{input.secret}}" } },
					},
					{ name: "shop", description: "sells", version: "1" },
				),
			);
			await withCollector(
				world,
				{ OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20key", OTEL_SERVICE_NAME: "shop-service" },
				async (collector) => {
					await world.target.lines();
					const headers = { traceparent: SAMPLED, tracestate: "vendor=1" };
					const answer = await trigger(world, "shop", { body: { secret: CANARY }, headers });
					assert.equal(answer.status, 200);
					const spans = await waitForTrace(collector, [
						"POST /webhooks/named/{name}/trigger",
						"  run shop",
						"    ask",
						"      GET",
						"    part",
						"      run leaf",
						"        only",
						"    tell",
						"      run listener",
						"        only",
						"          GET",
					]);
					const request = findSpan(spans, "POST /webhooks/named/{name}/trigger");
					assert.equal(request.parent, CALLER);
					assert.equal(request.kind, 2);
					assert.deepEqual(request.attributes, {
						"http.request.method": "POST",
						"http.route": "/webhooks/named/{name}/trigger",
						"url.scheme": "http",
						"http.response.status_code": "200",
					});
					const shop = findSpan(spans, "run shop");
					assert.equal(shop.attributes["tripline.workflow"], "shop");
					assert.equal(shop.attributes["tripline.trigger"], "named");
					assert.match(shop.attributes["tripline.execution.id"] ?? "", /^[0-9a-f-]{36}$/);
					assert.deepEqual(findSpan(spans, "ask").attributes, {
						"tripline.node": "ask",
						"tripline.component": "http_request",
						"tripline.status": "success",
						"tripline.attempts": "1",
					});
					// The called service sees the span of the call as its parent.
					const calls = spans.filter(({ name }) => name === "GET");
					assert.deepEqual(
						host.seen.map((seen) => [seen.headers.traceparent, seen.headers.tracestate]).toSorted(),
						calls.map(({ id }) => [`00-${TRACE}-${id}-01`, "vendor=1"]).toSorted(),
					);
					assert.ok(spans.every(({ state }) => state === "vendor=1"));
					assert.ok(spans.every(({ startedAt, endedAt }) => startedAt <= endedAt));
					const statement = spans.find(({ attributes }) => attributes["db.system.name"] !== undefined);
					assert.match(statement?.name ?? "", /^[A-Z]+ (?:store|kv|executor)$/);
					const sent = JSON.stringify(collector.received.map(({ body }) => body));
					assert.doesNotMatch(sent, new RegExp(`${CANARY}|a key`));
					assert.ok(collector.received.every(({ headers: own }) => own["x-key"] === "a key"));
					assert.match(sent, /shop-service/);
					const lines = await world.target.lines();
					const line = lines.find(
						(each) => "route" in each && each.route === request.attributes["http.route"],
					);
					assert.equal((line as { trace_id?: string } | undefined)?.trace_id, TRACE);
				},
			);
		},
	},
	{
		name: "failed attempts and failed runs are marked, without their messages and without the token of a webhook",
		cites: [],
		async run(world) {
			const row = createRow({
				start: { component: "set", values: {} },
				broken: { component: "fail", message: CANARY, retry: { max: 1, delay_ms: 1 } },
			});
			const token = await createWebhook(world.executor, row);
			await withCollector(world, {}, async (collector) => {
				const headers = { traceparent: SAMPLED };
				await world.executor.call("POST", getTriggerPath(token), { body: {}, headers });
				const spans = await waitForTrace(collector, [
					"POST /webhooks/{token}/trigger failed",
					"  run failed",
					"    start",
					"    broken failed",
				]);
				const { attributes } = findSpan(spans, "broken");
				assert.equal(attributes["tripline.attempts"], "2");
				assert.equal(attributes["error.type"], "failed");
				const sent = collector.received.map(({ body }) => body).join();
				assert.ok(!sent.includes(CANARY) && !sent.includes(token));
			});
		},
	},
	{
		name: "an accepted run continues the trace in which it was accepted, also after a restart",
		cites: [],
		async run(world) {
			const pause = { component: "wait", for: "3 days" };
			await save(world, createRow({ pause, after: SAYS }, { name: "later", description: "", version: "1" }));
			await world.target.setNow(NOON);
			await withCollector(world, {}, async (collector) => {
				const headers = { traceparent: SAMPLED, prefer: "respond-async" };
				assert.equal((await trigger(world, "later", { body: {}, headers })).status, 202);
				const first = ["POST /webhooks/named/{name}/trigger", "  run later", "    pause"];
				const spans = await waitForTrace(collector, first);
				assert.equal(findSpan(spans, "run later").attributes["tripline.status"], "interrupted");
				await world.target.restart({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
				await world.target.setNow(NOON + 3 * DAY);
				await world.target.tick();
				await waitForTrace(collector, [...first, "  run later", "    pause", "    after"]);
			});
		},
	},
	{
		name: "what a caller does not sample is passed on and not recorded; an invalid traceparent is ignored",
		cites: [],
		async run(world) {
			const host = openHost(world);
			const call = { component: "http_request", url: host.url };
			await save(world, createWorkflow("call", call));
			const own = { ...call, headers: { traceparent: "my own" } };
			await save(world, createWorkflow("own", own));
			await withCollector(world, {}, async (collector) => {
				const unsampled = `00-${TRACE}-${CALLER}-00`;
				await trigger(world, "call", { body: {}, headers: { traceparent: unsampled, tracestate: "a=b" } });
				await trigger(world, "own", { body: {}, headers: { traceparent: SAMPLED } });
				await trigger(world, "call", { body: {}, headers: { traceparent: `ff${SAMPLED.slice(2)}` } });
				assert.equal(host.seen[0]?.headers.traceparent, unsampled);
				assert.equal(host.seen[0]?.headers.tracestate, "a=b");
				assert.equal(host.seen[1]?.headers.traceparent, "my own");
				const begun = host.seen[2]?.headers.traceparent?.split("-")[1] ?? "";
				assert.notEqual(begun, TRACE);
				await waitForTrace(
					collector,
					["POST /webhooks/named/{name}/trigger", "  run call", "    only", "      GET"],
					begun,
				);
				assert.ok(collector.spans.every((span) => span.traceId !== TRACE || span.name !== "run call"));
			});
		},
	},
	{
		name: "a share of zero records nothing, also if a caller asks for it",
		cites: [],
		async run(world) {
			const host = openHost(world);
			await save(world, createWorkflow("call", { component: "http_request", url: host.url }));
			await withCollector(world, { OTEL_TRACES_SAMPLER_ARG: "0" }, async (collector) => {
				await trigger(world, "call", { body: {}, headers: { traceparent: SAMPLED } });
				await run(world, "call");
				assert.equal(host.seen[0]?.headers.traceparent, SAMPLED);
				assert.equal(host.seen[1]?.headers.traceparent, undefined);
				const headers = { traceparent: SAMPLED, prefer: "respond-async" };
				await trigger(world, "call", { body: {}, headers });
				await eventually(async () => assert.equal(host.seen[2]?.headers.traceparent, SAMPLED));
				await world.target.restart({});
				assert.deepEqual(collector.received, []);
			});
		},
	},
	{
		name: "without a collector no call has a traceparent, also if the caller sent one",
		cites: [],
		async run(world) {
			const host = openHost(world);
			await save(world, createWorkflow("call", { component: "http_request", url: host.url }));
			await trigger(world, "call", { body: {}, headers: { traceparent: SAMPLED } });
			assert.equal(host.seen[0]?.headers.traceparent, undefined);
		},
	},
	{
		name: "a trace leads through the MCP server, and to the tools of other MCP servers",
		cites: [],
		async run(world) {
			const host = openMcpHost(world, {
				tools: [{ name: "echo", description: "Gives back a text", inputSchema: { type: "object" } }],
				call: () => toText("hello"),
			});
			await world.executor.expect(201, McpServer, "PUT", "/mcp-servers/other", {
				body: { url: host.address },
			});
			await save(world, createWorkflow("tool", { component: "mcp:other.echo" }));
			const token = "static-token-of-the-test";
			const settings = { MCP_STATIC_TOKEN: token, MCP_OWNER_NAMESPACE: world.owner };
			await withCollector(world, settings, async (collector) => {
				const before = host.seen.length;
				const params = { name: "run_workflow", arguments: { name: "tool" } };
				const headers = { traceparent: SAMPLED };
				const { result } = await mcpCall(world, token, MODERN, "tools/call", params, { headers });
				assert.notEqual(result, undefined);
				const spans = await eventually(async () => {
					const found = collector.spans.filter(({ traceId }) => traceId === TRACE);
					findSpan(found, "POST /mcp");
					return found;
				});
				const parents = new Map(spans.map(({ id, parent }) => [id, parent]));
				const call = host.seen.slice(before).find(({ body }) => body.includes("tools/call"));
				let above = call?.headers.traceparent?.split("-")[2];
				const path: string[] = [];
				while (above !== undefined && above !== CALLER) {
					path.unshift(spans.find(({ id }) => id === above)?.name ?? "missing");
					above = parents.get(above);
				}
				assert.equal(above, CALLER);
				assert.deepEqual(path, [
					"POST /mcp",
					"POST /webhooks/named/{name}/trigger",
					"run tool",
					"only",
					"POST",
				]);
			});
		},
	},
	{
		name: "an event from outside, or a time, begins a trace",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await save(world, fails("broken", "no", { trigger: { type: "event", event: "order.broken" } }));
			await save(world, says("hourly", "x", { trigger: { type: "schedule", cron: "0 * * * *" } }));
			await withCollector(world, {}, async (collector) => {
				const { status } = await world.executor.call("POST", "/events", { body: { type: "order.broken" } });
				assert.equal(status, 202);
				await world.target.setNow(NOON + HOUR);
				await world.target.tick();
				for (const [name, lines] of [
					["run broken", ["POST /events", "  run broken failed", "    only failed"]],
					["run hourly", ["run hourly", "  only"]],
				] as const) {
					const { traceId } = await eventually(async () => findSpan(collector.spans, name));
					await waitForTrace(collector, lines, traceId);
				}
			});
		},
	},
];
