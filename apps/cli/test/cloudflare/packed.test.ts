import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import { redirected, startAccount, type TestAccount } from "./account.ts";

const run = promisify(execFile);
const BUNDLER = fileURLToPath(new URL("../../../../scripts/bundle.ts", import.meta.url));
const QUIET = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

const WORKFLOW = `name: greet
description: Greets.
version: "1"
triplets:
  - input >> then >> hello
config:
  hello: { component: template, text: "Hello {{input.name}}" }
`;

describe("the packed package, installed in a clean folder", () => {
	const root = mkdtempSync(join(tmpdir(), "tripline-packed-"));
	const clean = join(root, "clean");
	let account: TestAccount;
	let env: Readonly<Record<string, string>>;
	after(() => rmSync(root, { recursive: true, force: true }));
	before(async () => {
		await run(process.execPath, [
			"--disable-warning=ExperimentalWarning",
			BUNDLER,
			"--out",
			join(root, "package"),
		]);
		await run("npm", ["pack", "--silent", ...QUIET, join(root, "package")], { cwd: root });
		const tarball = readdirSync(root).find((file) => file.endsWith(".tgz")) as string;
		mkdirSync(clean);
		writeFileSync(join(clean, "package.json"), '{ "private": true }\n');
		await run("npm", ["install", ...QUIET, join(root, tarball)], { cwd: clean });
		account = await startAccount();
		const { TRIPLINE_BUNDLES: _, ...given } = account.env;
		env = { ...given, ...(await redirected(account, "tripline")) };
	});

	const tripline = async (...argv: string[]) =>
		(await run(process.execPath, [join(clean, "node_modules/.bin/tripline"), ...argv], { cwd: clean, env }))
			.stdout;

	test("says its version", async () => {
		assert.equal(await tripline("--version"), `${manifest.version}\n`);
	});

	test("has no dependencies, and sets up a deployment that takes a workflow and runs it", async () => {
		assert.deepEqual(
			readdirSync(join(clean, "node_modules")).filter((name) => !name.startsWith(".")),
			["tripline"],
		);
		assert.match(await tripline("init"), /Tripline .* is deployed \(4 deployed\)/);
		writeFileSync(join(clean, "greet.yaml"), WORKFLOW);
		await tripline("push", "greet.yaml", "--yes");
		const input = JSON.stringify({ name: "Ada" });
		assert.match(await tripline("run", "greet", "--input", input), /Hello Ada/);
	});
});
