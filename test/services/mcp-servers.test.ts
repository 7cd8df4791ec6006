import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { systemClock } from "@tripline/platform/clock";
import { jsonLog } from "@tripline/platform/log";
import { type Service, startService } from "../../apps/node/src/service.ts";
import { parseSettings } from "../../apps/node/src/settings.ts";
import { chromiumPath, NO_BROWSER } from "../browser/chromium.ts";
import { type McpChild, startCharts, startEverything, startPlaywright } from "../mcp-servers.ts";

interface Added {
	readonly protocol_version: string;
	readonly tools: readonly { readonly name: string }[];
	readonly skipped: readonly object[];
}

interface Ran {
	readonly success: boolean;
	readonly data: unknown;
	readonly error?: string;
	readonly nodes: readonly { readonly log?: readonly string[] }[];
}

describe("MCP servers from npm", () => {
	let root: string;
	let service: Service;
	/** A web page, and what charts are drawn by. */
	let web: Server;
	let webUrl: string;

	before(async () => {
		root = mkdtempSync(join(tmpdir(), "tripline-mcp-"));
		web = createServer((request, response) => {
			if (request.method === "POST") {
				response.writeHead(200, { "content-type": "application/json" });
				response.end(JSON.stringify({ success: true, resultObj: "https://charts.example/1.png" }));
			} else {
				response.writeHead(200, { "content-type": "text/html" });
				response.end("<title>Shop</title><h1>Orders</h1><button>Refund</button>");
			}
		}).listen(0, "127.0.0.1");
		await once(web, "listening");
		webUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
		service = await startService({
			settings: parseSettings({
				...{ PORT: "0", STORE_PORT: "0", DATA_DIR: join(root, "data") },
				ALLOW_PRIVATE_HOSTS: "127.0.0.1",
			}),
			clock: systemClock,
			log: jsonLog({ level: "error", clock: systemClock, write: () => {} }),
			version: "0.0.0-test",
		});
	});
	after(async () => {
		await service?.close();
		web?.closeAllConnections();
		web?.close();
		rmSync(root, { recursive: true });
	});

	async function call<Body>(method: string, path: string, body: object, status: number): Promise<Body> {
		const answer = await fetch(service.publicUrl + path, {
			method,
			headers: { "x-service-api-key": "default", "content-type": "application/json" },
			body: JSON.stringify(body),
		});
		const text = await answer.text();
		assert.equal(answer.status, status, text);
		return JSON.parse(text) as Body;
	}

	const add = (name: string, { url }: McpChild) => call<Added>("PUT", `/mcp-servers/${name}`, { url }, 201);

	async function run(nodes: Readonly<Record<string, object>>, status = 200): Promise<Ran> {
		const names = ["input", ...Object.keys(nodes)];
		const triplets = names.slice(1).map((to, index) => `${names[index]} >> then >> ${to}`);
		const { token } = await call<{ token: string }>("POST", "/webhooks", { triplets, config: nodes }, 201);
		return call<Ran>("POST", `/webhooks/${token}/trigger`, {}, status);
	}

	test("the protocol's own server: every kind of result", async () => {
		const child = await startEverything();
		try {
			const { tools, skipped } = await add("everything", child);
			assert.ok(tools.length >= 10 && skipped.length === 0);
			assert.equal(
				(await run({ say: { component: "mcp:everything.echo", message: "hi" } })).data,
				"Echo: hi",
			);
			const weather = { component: "mcp:everything.get-structured-content", location: "Chicago" };
			const text = "{{weather.conditions}} at {{weather.temperature}}";
			const { data } = await run({ weather, out: { component: "template", text } });
			assert.match(String(data), /^\w.* at \d+$/);
			const [, image] = (await run({ image: { component: "mcp:everything.get-tiny-image" } })).data as [
				object,
				{ readonly type: string; readonly file: { readonly type: string; readonly size: number } },
			];
			assert.equal(image.type, "image");
			assert.equal(image.file.type, "image/png");
			const links = (await run({ links: { component: "mcp:everything.get-resource-links", count: 2 } })).data;
			assert.deepEqual(
				(links as { readonly type: string }[]).map(({ type }) => type),
				["text", "resource_link", "resource_link"],
			);
			const long = { component: "mcp:everything.trigger-long-running-operation", duration: 1, steps: 2 };
			const { nodes } = await run({ long });
			assert.deepEqual(nodes[0]?.log, ["progress: 1 of 2", "progress: 2 of 2"]);
			const failed = await run(
				{ bad: { component: "mcp:everything.get-resource-reference", resourceId: -1 } },
				500,
			);
			assert.match(failed.error ?? "", /^bad: /);
		} finally {
			await child.stop();
		}
	});

	test("a server that draws charts: schemas with many alternatives and defaults", async () => {
		const child = await startCharts(webUrl);
		try {
			const { tools, skipped } = await add("charts", child);
			assert.ok(tools.length >= 20 && skipped.length === 0);
			const data = [
				{ category: "paid", value: 3 },
				{ category: "open", value: 1 },
			];
			const drawn = await run({
				chart: { component: "mcp:charts.generate_pie_chart", data, title: "Orders" },
			});
			assert.match(JSON.stringify(drawn.data), /https:\/\/charts\.example\/1\.png/);
			const wrong = { chart: { component: "mcp:charts.generate_pie_chart", data: "none" } };
			const refused = await call<{ diagnostics: { path: string }[] }>(
				...(["POST", "/webhooks", { triplets: ["input >> then >> chart"], config: wrong }, 400] as const),
			);
			assert.equal(refused.diagnostics[0]?.path, "config.chart.data");
		} finally {
			await child.stop();
		}
	});

	const browser = chromiumPath();
	test("a server that drives a browser: state in its session, pictures as files", {
		skip: browser === undefined && NO_BROWSER,
	}, async () => {
		const child = await startPlaywright(browser ?? "");
		try {
			const { tools } = await add("browser", child);
			assert.ok(tools.length >= 10);
			const { data } = await run({
				open: { component: "mcp:browser.browser_navigate", url: webUrl },
				look: { component: "mcp:browser.browser_snapshot" },
			});
			assert.match(JSON.stringify(data), /Orders/);
			const shot = await run({
				shot: { component: "mcp:browser.browser_take_screenshot", timeout_ms: 30_000 },
			});
			assert.match(JSON.stringify(shot.data), /"type":"image","file":\{"\$file"/);
		} finally {
			await child.stop();
		}
	});
});
