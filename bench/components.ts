import { join } from "node:path";
import { hasProc } from "./child.ts";
import { agentTurns } from "./components/agents.ts";
import { warmCode } from "./components/code.ts";
import { firstUse } from "./components/first-use.ts";
import { httpRequests } from "./components/http.ts";
import { mcpTools } from "./components/mcp-tools.ts";
import { otherComponents } from "./components/others.ts";
import { type Outside, startOutside } from "./components/outside.ts";
import { slowCalls } from "./components/slow-calls.ts";
import { throughService } from "./components/through-service.ts";
import { measureMetering } from "./components/vm.ts";
import type { Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";

export async function componentsSuite(onProgress: (what: string) => void): Promise<Section[]> {
	using folder = scratchFolder();
	await using outside = await startOutside(join(folder.path, "outside"));
	return [
		{ title: "Code, per call: a warm node / Node itself", rows: await warmCode(onProgress) },
		{ title: "First use of code, elapsed", rows: await firstUse(onProgress) },
		{
			title: "Outbound calls, CPU per call: ours / undici's request",
			rows: await httpRequests(outside, onProgress),
		},
		{
			title: "Tools of MCP servers, CPU per call: a node / the SDK's client",
			rows: await mcpTools(join(folder.path, "mcp"), onProgress),
		},
		{
			title: "Agents, CPU without the model: an agent / the same calls as nodes",
			rows: await agentTurns(onProgress),
		},
		{ title: "Memory of outbound calls", rows: await slowCalls(outside, onProgress) },
		{ title: "Other components, CPU per call", rows: await otherComponents(outside, onProgress) },
		{ title: "Sandbox, CPU: metered / not", rows: await measureMetering(onProgress) },
		...(await measureServed(outside, onProgress)),
	];
}

async function measureServed(outside: Outside, onProgress: (what: string) => void): Promise<Section[]> {
	if (!hasProc) {
		onProgress("a server's CPU is read from /proc: what needs it is left out on this platform");
		return [];
	}
	const title = "Trigger, CPU per request: the service / bare node:http";
	return [{ title, rows: await throughService(outside, onProgress) }];
}
