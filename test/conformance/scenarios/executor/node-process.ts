import type { TestContext } from "node:test";
import { type Started, start } from "../../../../apps/node/test/process.ts";

/** Starts the real process in the folder of a project. */
export async function nodeProcess(folder: string): Promise<Started & { stop(): Promise<void> }> {
	const ends: (() => unknown)[] = [];
	const context = { after: (end: () => unknown) => ends.push(end) } as unknown as TestContext;
	const started = await start(context, {}, folder);
	return {
		...started,
		async stop() {
			for (const end of ends) await end();
		},
	};
}
