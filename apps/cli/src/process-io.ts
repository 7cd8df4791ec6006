import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, askSecret } from "./ask.ts";
import type { Io } from "./io.ts";

const DEFAULT_WIDTH = 100;

/** The `Io` of this process. */
export const processIo = (): Io => ({
	env: process.env,
	cwd: process.cwd(),
	home: homedir(),
	uid: process.getuid?.() ?? null,
	isTerminal: process.stdout.isTTY === true,
	width: process.stdout.columns || DEFAULT_WIDTH,
	out: (text) => process.stdout.write(text),
	hasReader: () => process.stdout.writable,
	err: (text) => process.stderr.write(text),
	async stdin() {
		let text = "";
		process.stdin.setEncoding("utf8");
		for await (const chunk of process.stdin) text += chunk;
		return text;
	},
	ask,
	askSecret,
	fetch: (request, init) => fetch(request, init),
	now: Date.now,
	wait: sleep,
	onInterrupt(act) {
		process.once("SIGINT", act);
		return () => process.off("SIGINT", act);
	},
	version: readVersion(),
});

/** Read from the package's manifest at run time. */
function readVersion(): string {
	const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
	return (JSON.parse(manifest) as { version: string }).version;
}
