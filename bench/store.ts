import type { Section } from "./report.ts";
import { start } from "./service.ts";
import { growth } from "./store/growth.ts";
import { measureLatest } from "./store/latest.ts";
import { measureMemory } from "./store/process.ts";
import { measureRecompiled } from "./store/recompiled.ts";
import { throughApp } from "./store/through-app.ts";

export async function storeSuite(onProgress: (what: string) => void): Promise<Section[]> {
	return [
		{ title: "CPU per request: through the app / bare node:sqlite", rows: await throughApp(onProgress) },
		{
			title: "Statements",
			rows: [...(await measureRecompiled(onProgress)), ...(await measureLatest(onProgress))],
		},
		{ title: "CPU per request: 1,000,000 entries / 10,000 entries", rows: await growth(onProgress) },
		{ title: "Memory of the process / of bare Node", rows: await measureMemory(onProgress) },
		{ title: "Start", rows: await start(onProgress) },
	];
}
