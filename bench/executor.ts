import { hasProc } from "./child.ts";
import { measureLayers, measureParts } from "./executor/breakdown.ts";
import { engine } from "./executor/engine.ts";
import { growth } from "./executor/growth.ts";
import { largeWork } from "./executor/large-work.ts";
import { type Load, startLoad } from "./executor/load.ts";
import { trigger } from "./executor/trigger.ts";
import type { Section } from "./report.ts";
import { measureIdleMemory, start } from "./service.ts";

export async function executorSuite(onProgress: (what: string) => void): Promise<Section[]> {
	return [
		...(await underLoad(onProgress)),
		{ title: "Parts of a trigger, CPU in one process", rows: await measureParts(onProgress) },
		{ title: "Engine, CPU in one process", rows: await engine(onProgress) },
		{ title: "Large work, from call to answer", rows: await largeWork(onProgress) },
		{ title: "Memory of the process / of bare Node", rows: await measureIdleMemory(onProgress) },
		{ title: "Start", rows: await start(onProgress) },
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
			title: "Trigger, CPU per request: the service / bare node:http",
			rows: await trigger(load, onProgress),
		},
		{
			title: "Layers of a trigger, CPU per request: with / without",
			rows: await measureLayers(load, onProgress),
		},
		{
			title: "Growth, CPU per request: 100,000 workflows and 1,000,000 records / none",
			rows: await growth(load, onProgress),
		},
	];
}
