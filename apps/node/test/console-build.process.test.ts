import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "./process.ts";

const BUILD = new URL("../src/console-build.ts", import.meta.url).href;
const PROCESSES = 4;

/** Loads the console again and again, and each time has it built by the next process again. */
const LOAD = `
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { loadConsoleFiles } from ${JSON.stringify(BUILD)};
const root = process.argv[1];
const names = Array.from({ length: 30 }, (_, nth) => "file-" + nth + ".js");
async function build(folder) {
	mkdirSync(folder, { recursive: true });
	for (const name of names) writeFileSync(folder + "/" + name, "export {};");
}
for (let time = 1; time <= 40; time++) {
	utimesSync(root + "/apps/console/src/main.ts", time, time);
	const files = await loadConsoleFiles(() => {}, { root, build });
	for (const name of names) if ((await files.file(name, [])) === null) throw new Error(name + " is missing");
}
`;

test("processes that load the console of one checkout at the same time all get all of its files", async (context) => {
	const root = temporaryFolder(context);
	mkdirSync(join(root, "apps/console/src"), { recursive: true });
	writeFileSync(join(root, "apps/console/src/main.ts"), "");
	const children = Array.from({ length: PROCESSES }, () =>
		spawn(process.execPath, ["--input-type=module", "-e", LOAD, root], {
			stdio: ["ignore", "ignore", "pipe"],
		}),
	);
	context.after(() => children.forEach((child) => void child.kill("SIGKILL")));
	const outcomes = await Promise.all(
		children.map(async (child) => {
			let stderr = "";
			child.stderr.on("data", (text) => {
				stderr += text;
			});
			const [code] = await once(child, "close");
			return code === 0 ? "" : stderr;
		}),
	);
	assert.deepEqual(outcomes, ["", "", "", ""]);
	assert.deepEqual(readdirSync(join(root, "dist")), ["console"], "nothing is left behind");
});
