import { deepEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Effects } from "@tripline/components/effects";
import { createMcpComponents } from "@tripline/components/mcp/component";
import type { McpServerWithName } from "@tripline/contract/mcp-servers";
import { mcpSessions } from "@tripline/executor/mcp-servers/sessions";
import { systemClock } from "@tripline/platform/clock";
import { startNode } from "../child.ts";
import { compilePlan } from "../executor/engine.ts";
import { compare } from "../measure.ts";
import type { Row } from "../report.ts";
import { callInLanes, openCaller, runForData } from "./calls.ts";

const ROUNDS = 11;
const CALLS = 500;
const LANES = 16;
const BAR = { on: "ratio", most: 1.3 } as const;
const ARGUMENTS = { number: "2026-000117", lines: true };

/** A run with one tool call, against the same call with the SDK's client, both to one server in its own process. */
export async function mcpTools(folder: string, onProgress: (what: string) => void): Promise<Row[]> {
	const file = fileURLToPath(import.meta.resolve("./mcp-tool-server.ts"));
	await using child = await startNode([file], { folder, env: {}, ready: "ready http" });
	const origin = child.said.trim().split(" ")[1] as string;
	const rows: Row[] = [];
	for (const [path, answers] of [
		["/json", "as JSON"],
		["/events", "as an event stream"],
	] as const) {
		const what = `MCP tool, answers ${answers}`;
		onProgress(what);
		const url = origin + path;
		const client = new Client({ name: "bench", version: "1" });
		await client.connect(new StreamableHTTPClientTransport(new URL(url)));
		await client.listTools();
		const floor = async () =>
			(await client.callTool({ name: "order", arguments: ARGUMENTS })).structuredContent;
		await using caller = openCaller();
		const ours = await createNodeCall(url, caller.http);
		deepEqual(await ours(), await floor());
		const side = (call: () => Promise<unknown>) => () => ({
			calls: CALLS,
			run: () => callInLanes(CALLS, LANES, call),
		});
		const compared = await compare({ rounds: ROUNDS, floor: side(floor), ours: side(ours) });
		rows.push({ what, unit: "µs", ...compared, bar: BAR });
		await client.close();
	}
	return rows;
}

async function createNodeCall(url: string, http: () => Effects["http"]): Promise<() => Promise<unknown>> {
	const sessions = mcpSessions({ clock: systemClock, sharesPromises: true });
	const { offered } = await sessions.list("bench", { name: "orders", url, credential: null }, null, http());
	const server: McpServerWithName = {
		...{ name: "orders", url, credential: null, title: null, server_version: null, instructions: null },
		...{ protocol_version: "2025-11-25", tools: offered.tools, skipped: [], offered: null },
		...{ added_at: "", checked_at: "" },
	};
	const components = new Map(createMcpComponents(server).map((component) => [component.id, component]));
	const catalogue = { get: (id: string) => components.get(id), ids: () => [...components.keys()] };
	const node = {
		id: "order",
		component: "mcp:orders.order",
		params: { number: "{{input.number}}", lines: true },
	};
	const plan = compilePlan({ graph: { id: "bench", nodes: [node], edges: [] } }, catalogue);
	return () => {
		const mcp: Effects["mcp"] = {
			call: (of, tool, args, call) => sessions.call("bench", of, tool, args, http(), call),
		};
		return runForData(plan, { number: ARGUMENTS.number }, { mcp });
	};
}
