import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { start } from "../../apps/node/test/process.ts";
import { eventually } from "../conformance/scenarios/executor/eventually.ts";
import { useService } from "../metrics-world.ts";
import { loopback } from "../security/loopback.ts";
import { runPromtool, startPrometheus } from "./prometheus.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const RULES = "deploy/prometheus/alerts.yaml";
const TOKEN = "token-of-the-metrics";
const LOAD_REQUESTS = 300;

const Dashboard = z.object({
	panels: z.array(
		z.object({
			id: z.int(),
			title: z.string(),
			targets: z.array(z.object({ expr: z.string() })).default([]),
		}),
	),
});
const dashboard = Dashboard.parse(JSON.parse(readFileSync(`${root}deploy/grafana/dashboard.json`, "utf8")));
const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
const alerted = [...readFileSync(root + RULES, "utf8").matchAll(/ expr: (.*(?:\n {10}.*)*)/g)].map(
	([, expr = ""]) => expr,
);

/** Labels can look like names, so they are left out. */
const listNames = (expression: string): string[] =>
	expression.replaceAll(/\{[^}]*\}/g, "").match(/\b(?:tripline|process)_[a-z_]+\b/g) ?? [];

describe("metrics for Prometheus", () => {
	test("the alert rules and the configuration are valid, and the rules do what their tests say", () => {
		for (const args of [
			["check", "rules", RULES],
			["check", "config", "deploy/prometheus/prometheus.yaml"],
			["test", "rules", "deploy/prometheus/alerts.test.yaml"],
		]) {
			const { code, text } = runPromtool(args.map((arg) => (arg.includes("/") ? root + arg : arg)));
			assert.equal(code, 0, text);
		}
	});

	test("every alert has a test", () => {
		const alerts = [...readFileSync(root + RULES, "utf8").matchAll(/- alert: (\w+)/g)].map(
			([, name]) => name,
		);
		const tested = readFileSync(`${root}deploy/prometheus/alerts.test.yaml`, "utf8");
		assert.ok(alerts.length > 10);
		for (const name of alerts) assert.match(tested, new RegExp(`alertname: ${name}\n`));
	});

	test("a scrape under load is valid, and has every name that the dashboard and the alerts use", async (context) => {
		const outside = await loopback((_, response) => response.end("{}"));
		context.after(() => outside.close());
		const service = await start(context, {
			...{ METRICS_TOKEN: TOKEN, ALLOW_PRIVATE_HOSTS: outside.host },
			OTEL_EXPORTER_OTLP_ENDPOINT: outside.url,
		});
		const { host } = new URL(service.storeUrl);
		const prometheus = await startPrometheus(host, TOKEN);
		context.after(() => prometheus.stop());
		const [token] = await useService(service.publicUrl, outside.url);
		const load = sendLoad(`${service.publicUrl}/webhooks/${token}/trigger`);
		const headers = { authorization: `Bearer ${TOKEN}`, accept: "text/plain" };
		const scrape = async () => (await fetch(`${service.storeUrl}/metrics`, { headers })).text();
		const text = await scrape();
		const { code, text: said } = runPromtool(["check", "metrics"], text);
		assert.equal(code, 0, said);
		await load;

		const names = new Set((await scrape()).match(/^(?:tripline|process)_[a-z_]+/gm));
		const used = new Set([...shown, ...alerted].flatMap(listNames));
		assert.ok(used.size > 30, String(used.size));
		const missing = [...used].filter((name) => !names.has(name));
		assert.deepEqual(missing, []);

		// By default Prometheus asks for OpenMetrics, which promtool cannot check.
		const Targets = z.object({
			data: z.object({ activeTargets: z.array(z.object({ health: z.string(), lastError: z.string() })) }),
		});
		await eventually(async () => {
			const { data } = Targets.parse(await prometheus.ask("targets"));
			assert.deepEqual(data.activeTargets, [{ health: "up", lastError: "" }]);
		});

		const Answer = z.object({
			status: z.literal("success"),
			data: z.object({ result: z.array(z.unknown()) }),
		});
		for (const expression of shown) {
			const query = expression.replaceAll("$__rate_interval", "1m").replaceAll("$instance", ".*");
			// A rate needs two scrapes.
			await eventually(async () => {
				const answer = Answer.parse(await prometheus.ask("query", { query }), { error: () => query });
				assert.ok(answer.data.result.length > 0, `nothing is shown by ${query}`);
			});
		}
	});
});

async function sendLoad(url: string): Promise<void> {
	for (let sent = 0; sent < LOAD_REQUESTS; sent += 10)
		await Promise.all(
			Array.from({ length: 10 }, async () => {
				const response = await fetch(url, {
					...{ method: "POST", headers: { "content-type": "application/json" }, body: '{"text":"load"}' },
				});
				assert.equal(response.status, 200, await response.text());
			}),
		);
}
