import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";

const CLI = dirname(import.meta.dirname);
const manifest = JSON.parse(readFileSync(join(CLI, "package.json"), "utf8")) as { version: string };

const printVersion = (folder: string): string =>
	execFileSync(
		process.execPath,
		["--disable-warning=ExperimentalWarning", join(folder, "src", "bin.ts"), "--version"],
		{ encoding: "utf8" },
	);

test("--version reads the manifest at run time", (context) => {
	const folder = mkdtempSync(join(tmpdir(), "tripline-version-"));
	context.after(() => rmSync(folder, { recursive: true }));
	cpSync(join(CLI, "src"), join(folder, "src"), { recursive: true });
	symlinkSync(join(CLI, "..", "..", "node_modules"), join(folder, "node_modules"), "junction");
	for (const version of [manifest.version, "1.3.987"]) {
		writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, version }));
		assert.equal(printVersion(folder), `${version}\n`);
	}
});

test("the version is one of the line 1.3", () => {
	assert.match(printVersion(CLI), /^1\.3\.\d+\n$/);
});
