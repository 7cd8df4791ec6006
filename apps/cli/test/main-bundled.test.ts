import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { bundleCli } from "../../../scripts/bundle/programs.ts";

const TRIES = 9;
const MOST_MS = 150;

const folder = mkdtempSync(join(tmpdir(), "tripline-bundle-"));
after(() => rmSync(folder, { recursive: true }));
await bundleCli(join(folder, "cli"));
const bin = join(folder, "cli", "tripline.js");

test("the bundle's --version is that of the manifest, read when it is asked for", () => {
	for (const version of ["9.8.7", "9.8.8"]) {
		writeFileSync(join(folder, "package.json"), JSON.stringify({ version, type: "module" }));
		const { stdout } = spawnSync(process.execPath, [bin, "--version"], { encoding: "utf8" });
		assert.equal(stdout, `${version}\n`);
	}
});

test(`--help answers within ${MOST_MS} ms of bare Node`, (context) => {
	const bare = fastest(["-e", "0"]);
	const help = fastest([bin, "--help"]);
	context.diagnostic(`bare ${bare.toFixed(0)} ms, --help ${help.toFixed(0)} ms`);
	assert.ok(help - bare < MOST_MS, `${(help - bare).toFixed(0)} ms more than bare Node`);
});

/** Of several: whatever else the machine does only makes one slower. */
function fastest(args: readonly string[]): number {
	const times = Array.from({ length: TRIES }, () => {
		const started = performance.now();
		assert.equal(spawnSync(process.execPath, args, { stdio: "ignore" }).status, 0);
		return performance.now() - started;
	});
	return Math.min(...times);
}
