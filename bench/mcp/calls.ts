import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Child, startNode } from "../child.ts";
import { NAMESPACE, openInstance } from "../executor/instance.ts";
import type { Load } from "../executor/load.ts";
import { compareServed, type Served, toInformation } from "../executor/served.ts";
import { threeNodes } from "../executor/workflow.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { logIn } from "./login.ts";

const PACE = { rounds: 9, warmups: 4, count: 3_000, connections: 16 };
const OWNER_SECRET = "the owner secret of the benchmark";
const MAX_RATIO = 1.3;

interface Call {
	readonly what: string;
	readonly tool: string;
	readonly args: object;
	/** Only a light tool has a limit: the others inherently do more than an empty one. */
	readonly isLight?: true;
}

const CALLS: readonly Call[] = [
	{ what: "get_component", tool: "get_component", args: { id: "wait" }, isLight: true },
	{
		what: "list_recent_executions, one of them",
		tool: "list_recent_executions",
		args: { limit: 1 },
		isLight: true,
	},
	{ what: "list_workflows", tool: "list_workflows", args: { limit: 5 } },
	{ what: "run_workflow, three nodes", tool: "run_workflow", args: { name: "order", input: { items: [] } } },
];

const ERAS = { "2026-07-28": modern, "2025-11-25": legacy } as const;

export async function calls(load: Load, onProgress: (what: string) => void): Promise<Row[]> {
	using folder = scratchFolder();
	await using instance = await openInstance(join(folder.path, "service"), {
		MCP_OWNER_SECRET: OWNER_SECRET,
		MCP_OWNER_NAMESPACE: NAMESPACE,
	});
	await instance.answer(await instance.named("order", threeNodes("order")));
	const token = await logIn(instance.publicUrl, OWNER_SECRET);
	await using floor = await startFloor(join(folder.path, "floor"));
	const rows: Row[] = [];
	for (const [era, request] of Object.entries(ERAS)) {
		for (const { what, tool, args, isLight } of CALLS) {
			onProgress(`${era}, ${what}`);
			const ours: Served = {
				...instance,
				url: instance.publicUrl,
				requests: [request(tool, args, instance.publicUrl, token)],
			};
			const compared = await compareServed(load, PACE, {
				floor: { ...floor, requests: [request("empty", {}, floor.url, token)] },
				ours,
			});
			rows.push({
				what: `${era}, ${what}`,
				unit: "µs",
				floor: compared.floor,
				ours: compared.ours,
				ratio: compared.ratio,
				...(isLight && { bar: { on: "ratio", most: MAX_RATIO } }),
			});
			if (isLight && rows.length === 1) rows.push(...toInformation("the same", compared));
		}
	}
	return rows;
}

async function startFloor(folder: string): Promise<Child & { readonly url: string }> {
	const file = fileURLToPath(import.meta.resolve("./floor-server.ts"));
	const child = await startNode(["--disable-warning=ExperimentalWarning", file], {
		folder,
		env: {},
		ready: "ready http",
	});
	return { ...child, url: child.said.trim().split(" ")[1] as string };
}

function modern(name: string, args: object, url: string, token: string): string {
	const meta = {
		"io.modelcontextprotocol/protocolVersion": "2026-07-28",
		"io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
		"io.modelcontextprotocol/clientCapabilities": {},
	};
	return httpRequest({ name, arguments: args, _meta: meta }, url, token, [
		"mcp-protocol-version: 2026-07-28",
		"mcp-method: tools/call",
		`mcp-name: ${name}`,
	]);
}

function legacy(name: string, args: object, url: string, token: string): string {
	return httpRequest({ name, arguments: args }, url, token, ["mcp-protocol-version: 2025-11-25"]);
}

function httpRequest(params: object, url: string, token: string, headers: readonly string[]): string {
	const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
	return [
		"POST /mcp HTTP/1.1",
		// Includes the port, because a token is valid only for the address it was issued for.
		`host: ${new URL(url).host}`,
		`authorization: Bearer ${token}`,
		"content-type: application/json",
		"accept: application/json, text/event-stream",
		...headers,
		`content-length: ${Buffer.byteLength(body)}`,
		"",
		body,
	].join("\r\n");
}
