import { hasProc } from "./child.ts";
import { type Load, startLoad } from "./executor/load.ts";
import { bearer } from "./mcp/bearer.ts";
import { calls } from "./mcp/calls.ts";
import type { Section } from "./report.ts";

export async function mcpSuite(onProgress: (what: string) => void): Promise<Section[]> {
	return [
		...(await underLoad(onProgress)),
		{ title: "Bearer check, CPU in one process", rows: await bearer(onProgress) },
	];
}

async function underLoad(onProgress: (what: string) => void): Promise<Section[]> {
	if (!hasProc) {
		onProgress("a server's CPU is read from /proc: what needs it is left out on this platform");
		return [];
	}
	await using load: Load = startLoad();
	return [
		{
			title: "tools/call, CPU per request: the service with its login / the SDK's own handler, empty tool",
			rows: await calls(load, onProgress),
		},
	];
}
