#!/usr/bin/env node
import { homedir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, askSecret } from "./ask.ts";
import { main } from "./main.ts";
import { version } from "./version.ts";

const WIDTH = 100;

// Whoever reads may have seen enough, as `head` has; the work goes on to its end.
for (const stream of [process.stdout, process.stderr]) {
	stream.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code !== "EPIPE") throw error;
	});
}

process.exitCode = await main(process.argv.slice(2), {
	env: process.env,
	cwd: process.cwd(),
	home: homedir(),
	uid: process.getuid?.() ?? null,
	isTerminal: process.stdout.isTTY === true,
	width: process.stdout.columns || WIDTH,
	out: (text) => process.stdout.write(text),
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
	version: version(),
});
