import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { installPackage } from "./debian.ts";

const ANALYZE = "/usr/bin/systemd-analyze";
/** Tenths, as systemd-analyze takes it. It rates 0.1 to 2.0 as OK and 10 as the worst. */
const MAX_EXPOSURE = 12;

const run = promisify(execFile);

describe("the systemd unit", () => {
	let folder: string;
	let unit: string;
	before(() => {
		installPackage(ANALYZE, "systemd");
		folder = mkdtempSync(join(tmpdir(), "tripline-systemd-"));
		unit = join(folder, "tripline.service");
		const text = readFileSync(new URL("../../deploy/tripline.service", import.meta.url), "utf8");
		assert.match(text, /^ExecStart=\/usr\/bin\/node /m);
		// The program has to exist, and may be elsewhere here.
		writeFileSync(unit, text.replace("/usr/bin/node", process.execPath));
	});
	after(() => rmSync(folder, { recursive: true, force: true }));

	test("is understood by systemd", async () => {
		const { stdout, stderr } = await run(ANALYZE, ["verify", unit]);
		assert.equal(stdout + stderr, "");
	});

	test("exposes little", async (context) => {
		const { stdout } = await run(ANALYZE, [
			...["security", "--offline=true", `--threshold=${MAX_EXPOSURE}`, "--no-pager", unit],
		]);
		const [exposure = ""] = /exposure level .*/.exec(stdout) ?? [];
		context.diagnostic(exposure);
		assert.match(exposure, /: \d\.\d OK/);
	});
});
