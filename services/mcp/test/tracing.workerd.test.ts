import assert from "node:assert/strict";
import { test } from "node:test";
import { type DecodedSpan, decodeSpans } from "../../../test/otlp.ts";
import { eventually, STATIC_TOKEN, startDeployment } from "../../executor/test/deployment.ts";
import { greeting } from "./assistant.ts";
import { buildHeaders, buildMessage } from "./protocol/asking.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const COLLECTOR = "collector.example.com";

test("a trace leads through all workers of a deployment", async (context) => {
	const settings = {
		OTEL_EXPORTER_OTLP_ENDPOINT: `https://${COLLECTOR}`,
		OTEL_EXPORTER_OTLP_HEADERS: "x-key=k",
	};
	const deployment = await startDeployment({ mcp: settings, executor: settings, store: settings });
	context.after(deployment.close);
	await deployment.migrate();
	deployment.outside.serve(COLLECTOR, () => ({ json: {} }));
	const saved = await deployment.executor("POST", "/webhooks/named", { body: greeting("hello") });
	assert.equal(saved.status, 201);
	const params = { name: "run_workflow", arguments: { name: "hello" } };
	const { status } = await deployment.mcp("POST", "/mcp", {
		raw: buildMessage("tools/call", params, { era: "2026-07-28" }),
		headers: {
			...buildHeaders("tools/call", params, "2026-07-28"),
			authorization: `Bearer ${STATIC_TOKEN}`,
			traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
		},
	});
	assert.equal(status, 200);
	const path = await eventually(async () => {
		const sent = deployment.outside.sentTo(COLLECTOR);
		assert.ok(sent.every(({ url, headers }) => url.endsWith("/v1/traces") && headers["x-key"] === "k"));
		const spans = sent.flatMap(({ bytes }) => decodeSpans(bytes).spans);
		const own = spans.filter(({ traceId }) => traceId === TRACE);
		const statement = own.find(({ name }) => name.endsWith(" store")) ?? assert.fail("no statement yet");
		const above = (span: DecodedSpan): DecodedSpan[] => {
			const parent = own.find(({ spanId }) => spanId === span.parentSpanId);
			return [...(parent === undefined ? [] : above(parent)), span];
		};
		const names = above(statement).map(({ name }) => name);
		assert.equal(names[0], "POST /mcp");
		assert.ok(own.some(({ name }) => name === "run hello"));
		return names;
	});
	assert.deepEqual(path, [
		"POST /mcp",
		"POST /webhooks/named/{name}/trigger",
		"GET /entries",
		"SELECT store",
	]);
});
