import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { findCallName } from "../src/next-steps/call-name.ts";
import { startWithoutService, startWorld } from "./world.ts";

const alone = startWithoutService();
const { cli, place, service } = await startWorld();

describe("tripline without arguments", () => {
	test("says how to start a service that is not running", async () => {
		const { code, out, err, cwd, home } = await alone.cli([]);
		assert.deepEqual([code, err], [0, ""]);
		assert.match(out, /^Tripline 0\.0\.0-test\. No service is running at http:\/\/127\.0\.0\.1:1\.$/m);
		assert.match(out, /^ {2}tripline serve\n {6}runs it in this folder$/m);
		mkdirSync(join(cwd, "data"));
		const again = await alone.cli([], { at: { cwd, home } });
		assert.match(again.out, /runs it in this folder, with the data that is there\n {2}tripline doctor$/m);
	});

	test("names the folder of the project that it would start in", async () => {
		const { cwd, home } = alone.place();
		writeFileSync(join(cwd, "tripline.json"), "{}");
		mkdirSync(join(cwd, "below"));
		const { out } = await alone.cli([], { at: { cwd: join(cwd, "below"), home } });
		assert.ok(out.includes(`  tripline serve\n      runs it in ${cwd}\n`), out);
	});

	test("reports another machine's service that does not answer as a problem", async () => {
		const { code, out, err } = await alone.cli([], {
			env: { SERVICE_BASE_URL: "https://tripline.example" },
			fetch: () => Promise.reject(new TypeError("fetch failed")),
		});
		assert.deepEqual([code, out], [1, ""]);
		assert.match(
			err,
			/^tripline: the executor at https:\/\/tripline\.example does not answer\n {2}check the/,
		);
	});

	test("leads to the first workflow, and from there on", async () => {
		const first = await cli([]);
		assert.match(first.out, /^Tripline \S+\. The service at http:\S+ is running, with no workflow yet\.$/m);
		assert.ok(first.out.includes(`Console: ${service.publicUrl}/console\n`), first.out);
		const [, document = ""] = /^Save this as hello\.yaml:\n\n([\s\S]+?)\n\n/m.exec(first.out) ?? [];
		const [push, run] = [...first.out.matchAll(/^ {2}tripline ((?:push|run) .*)$/gm)].map(([, line = ""]) =>
			line.split(" ").map((word) => word.replaceAll("'", "")),
		);
		assert.equal((await cli(push ?? [], { files: { "hello.yaml": document } })).code, 0);
		assert.equal((await cli(run ?? [])).out, "Hello Ada\n");
		const at = place();
		mkdirSync(join(at.cwd, "data/keys"), { recursive: true });
		writeFileSync(join(at.cwd, "data/keys/owner.secret"), "canary");
		const next = await cli([], { at });
		assert.match(next.out, /^Console: \S+\/console, with the secret in data\/keys\/owner\.secret$/m);
		assert.doesNotMatch(next.out, /canary/);
		assert.match(next.out, /is running, with 1 workflow\.$/m);
		assert.match(next.out, /^ {2}tripline executions$/m);
		assert.doesNotMatch(next.out, /hello\.yaml/);
	});
});

describe("the words that call the command line", () => {
	const root = mkdtempSync(join(tmpdir(), "tripline-call-"));
	after(() => rmSync(root, { recursive: true }));
	const npx = { npm_command: "exec" };
	const cwd = join(root, "project");

	/** As npx installs it; returns the address of a module of the command line. */
	function install(spec: string): string {
		const home = mkdtempSync(join(root, "npm-"));
		const folder = join(home, "_npx", "874b1e72b77e6a3a");
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies: { tripline: spec } }));
		return pathToFileURL(join(folder, "node_modules/tripline/dist/package/cli/tripline.js")).href;
	}

	const cases = [
		["of an installed command", {}, install("file:../../../project/a.tgz"), "tripline", null],
		["of a tarball by npx", npx, install("file:../../../project/a.tgz"), "npx ./a.tgz", "./a.tgz"],
		["of a tarball elsewhere", npx, install("file:../../../a.tgz"), "npx ../a.tgz", "../a.tgz"],
		["of a published package by npx", npx, install("^1.3.1"), "npx tripline", null],
		["of a checkout by npx", npx, undefined, "npx tripline", null],
	] as const;
	for (const [title, env, program, words, tarball] of cases)
		test(title, () => assert.deepEqual(findCallName({ env, cwd }, program), { words, tarball }));
});
