import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { bundleCli } from "../../../scripts/bundle/programs.ts";

const folder = mkdtempSync(join(tmpdir(), "tripline-bundle-"));
after(() => rmSync(folder, { recursive: true }));
await bundleCli(join(folder, "cli"));
const bin = join(folder, "cli", "tripline.js");

test("the bundle's --version reads the manifest at run time", () => {
	for (const version of ["9.8.7", "9.8.8"]) {
		writeFileSync(join(folder, "package.json"), JSON.stringify({ version, type: "module" }));
		const { stdout } = spawnSync(process.execPath, [bin, "--version"], { encoding: "utf8" });
		assert.equal(stdout, `${version}\n`);
	}
});
