import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { commit, createRepository, git, read, readJson, runWith, SCRIPTS, write } from "./project.ts";

const ACCOUNT = "0123456789abcdef0123456789abcdef";
const TOKEN = "a-token-that-is-never-printed";
const ROOT = dirname(SCRIPTS);
const CLI = join(ROOT, "apps/cli/src");

/** Logs its arguments, and writes bundles with the version of the manifest or another one. */
const BUNDLE = `
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
const note = { step: "bundle", args: process.argv.slice(2), token: process.env.CLOUDFLARE_API_TOKEN ?? null };
appendFileSync("steps.log", JSON.stringify(note) + "\\n");
console.log("bundles");
if (process.env.TEST_BUNDLE === "fails") process.exit(1);
const { version: written } = JSON.parse(readFileSync("package.json", "utf8"));
const version = process.env.TEST_BUNDLE ?? written;
for (const folder of ["workers", "cli"]) mkdirSync("dist/package/" + folder, { recursive: true });
writeFileSync("dist/package/package.json", JSON.stringify({ version, type: "module" }));
writeFileSync("dist/package/workers/bundles.json", JSON.stringify({ version }));
writeFileSync("dist/package/cli/tripline.js", "console.log(" + JSON.stringify(version) + ")");
`;

/** Prints its version like the real one, and logs how update was called. */
const BIN = `
import { appendFileSync, readFileSync } from "node:fs";
const args = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
if (args[0] === "--version") console.log(version);
else {
	const { CLOUDFLARE_ACCOUNT_ID: account, CLOUDFLARE_API_TOKEN: token, TRIPLINE_BUNDLES: bundles } = process.env;
	appendFileSync("steps.log", JSON.stringify({ step: "update", args, account, token, bundles }) + "\\n");
	console.log(process.env.TEST_UPDATE === undefined ? "deployed " + version : "the deployment is incomplete: 1 failed");
	if (process.env.TEST_UPDATE === "killed") process.kill(process.pid, "SIGKILL");
	process.exitCode = process.env.TEST_UPDATE === undefined ? 0 : 1;
}
`;

describe("the deploy script", { concurrency: 2 }, () => {
	it("raises the patch number, writes the changelog entry, commits and tags both, bundles and updates", (t) => {
		const project = createCheckout(t);
		commit(project, "feat(store): keep more");
		const { status, stdout, stderr } = deploy(project);
		assert.equal(status, 0, stderr);
		assert.equal(readJson(project, "package.json").version, "1.3.2");
		assert.match(
			read(project, "CHANGELOG.md"),
			/^## 1\.3\.2\n\n### New\n\n- Store: keep more\.\n\n## 1\.3\.1\n/m,
		);
		assert.equal(git(project, "log", "-1", "--format=%s", "v1.3.2"), "build: release 1.3.2\n");
		assert.equal(git(project, "rev-parse", "v1.3.2^{commit}"), git(project, "rev-parse", "HEAD"));
		assert.equal(git(project, "status", "--porcelain"), "");
		assert.deepEqual(listSteps(project), ["bundle", "update"]);
		assert.equal(stdout, "deployed 1.3.2\n");
		assert.match(
			stderr,
			/^## 1\.3\.2\n[\s\S]*\nbundles\nto publish the release: git push origin HEAD v1\.3\.2\n$/,
		);
	});

	it("passes update its flags, the bundles and the account, and the token on no command line", (t) => {
		const project = createCheckout(t);
		const flags = [
			"--force",
			"--name",
			"staging",
			"--json",
			"--account-id",
			"b".repeat(32),
			"--api-token=other",
		];
		const { status, stdout, stderr } = deploy(project, flags);
		assert.equal(status, 0, stderr);
		const [bundled, updated] = readNotes(project);
		assert.deepEqual(bundled, { step: "bundle", args: [], token: null });
		assert.deepEqual(updated, {
			step: "update",
			args: ["update", "--force", "--name=staging", "--json"],
			account: "b".repeat(32),
			token: "other",
			bundles: join(project, "dist/package/workers"),
		});
		assert.equal(stdout, "deployed 1.3.1\n");
	});

	it("deploys the current version if there is no new commit", (t) => {
		const project = createCheckout(t);
		const { status, stdout, stderr } = deploy(project);
		assert.equal(status, 0, stderr);
		assert.match(stderr, /^nothing to release: no commits since 1\.3\.1\n/);
		assert.equal(stdout, "deployed 1.3.1\n");
		assert.deepEqual(listSteps(project), ["bundle", "update"]);
		assert.equal(countReleases(project), 1);
	});

	for (const [title, env, steps] of [
		["bundling fails", { TEST_BUNDLE: "fails" }, ["bundle"]],
		["the bundles have another version", { TEST_BUNDLE: "1.3.1" }, ["bundle"]],
		["update fails partly", { TEST_UPDATE: "partly" }, ["bundle", "update"]],
	] as const)
		it(`exits with 1 if ${title}; a second run continues with the same version`, (t) => {
			const project = createCheckout(t);
			commit(project, "feat: more");
			const failed = deploy(project, [], env);
			assert.equal(failed.status, 1);
			assert.match(failed.stderr, /\n1\.3\.2 is only partly deployed: run npm run deploy again/);
			assert.deepEqual(listSteps(project), steps);
			const again = deploy(project);
			assert.equal(again.status, 0, again.stderr);
			assert.match(again.stderr, /^nothing to release: no commits since 1\.3\.2\n/);
			assert.deepEqual(listSteps(project), [...steps, "bundle", "update"]);
			assert.equal(readJson(project, "package.json").version, "1.3.2");
			assert.equal(countReleases(project), 2);
		});

	it("prints update's failure, and which version differs", (t) => {
		const project = createCheckout(t);
		assert.equal(
			deploy(project, [], { TEST_UPDATE: "partly" }).stdout,
			"the deployment is incomplete: 1 failed\n",
		);
		const { stderr } = deploy(project, [], { TEST_BUNDLE: "1.2.0" });
		assert.match(stderr, /versions differ:\n {2}dist\/package\/package\.json is 1\.2\.0, not 1\.3\.1/);
		assert.equal(deploy(project, [], { TEST_UPDATE: "killed" }).status, 128 + 9);
	});

	it("killed before the release was committed: offers to keep or undo it, and neither raises twice", (t) => {
		const project = createCheckout(t);
		commit(project, "feat: more");
		assert.equal(runWith({}, project, "release.ts").status, 0);
		const refused = deploy(project);
		assert.equal(refused.status, 1);
		assert.match(
			refused.stderr,
			/^there are uncommitted changes:\n {2}M CHANGELOG\.md\n[\s\S]*\n1\.3\.2 is written but not committed: keep it with git commit -am "build: release 1\.3\.2", or undo it with git restore \.; then run it again\n$/,
		);
		assert.deepEqual(listSteps(project), []);
		git(project, "restore", ".");
		assert.match(deploy(project, ["--dry-run"]).stderr, /^## 1\.3\.2\n/);
		assert.equal(runWith({}, project, "release.ts").status, 0);
		git(project, "commit", "-qam", "build: release 1.3.2");
		const { status, stdout, stderr } = deploy(project);
		assert.equal(status, 0, stderr);
		assert.equal(stdout, "deployed 1.3.2\n");
	});

	it("killed while writing the release: says how to undo it", (t) => {
		const project = createCheckout(t);
		commit(project, "feat: more");
		write(project, "package.json", read(project, "package.json").replace('"1.3.1"', '"1.3.2"'));
		const { status, stderr } = deploy(project);
		assert.equal(status, 1);
		assert.match(
			stderr,
			/\n1\.3\.2 is only partly written: undo it with git restore \.; then run it again\n$/,
		);
	});

	it("killed before the release was tagged: tags it and raises nothing", (t) => {
		const project = createCheckout(t);
		commit(project, "feat: more");
		assert.equal(deploy(project).status, 0);
		git(project, "tag", "--delete", "v1.3.2");
		const { status, stdout, stderr } = deploy(project);
		assert.equal(status, 0, stderr);
		assert.equal(stdout, "deployed 1.3.2\n");
		assert.equal(git(project, "rev-parse", "v1.3.2^{commit}"), git(project, "rev-parse", "HEAD"));
	});

	for (const [title, change, told] of [
		["a changed file", "README.md", "M README.md"],
		["a new file", "packages/engine/new.ts", "\\?\\? packages/engine/new\\.ts"],
	] as const)
		it(`refuses to deploy ${title} that is not committed`, (t) => {
			const project = createCheckout(t);
			commit(project, "feat: more");
			write(project, change, "This version, 1.3.1, is changed.\n");
			for (const args of [[], ["--dry-run"]]) {
				const { status, stderr } = deploy(project, args);
				assert.equal(status, 1);
				assert.match(
					stderr,
					new RegExp(
						`^there are uncommitted changes:\n {2}${told}\nevery deployed version must be a commit: .*git stash -u; then`,
					),
				);
			}
			assert.deepEqual([readJson(project, "package.json").version, listSteps(project)], ["1.3.1", []]);
		});

	it("undoes the release if git refuses the commit", (t) => {
		const project = createCheckout(t);
		commit(project, "feat: more");
		const hook = join(project, ".git/hooks/pre-commit");
		writeFileSync(hook, "#!/bin/sh\necho 'not on a Friday' >&2\nexit 1\n", { mode: 0o755 });
		const { status, stderr } = deploy(project);
		assert.equal(status, 1);
		assert.match(stderr, /\ngit commit: not on a Friday\n$/);
		assert.equal(git(project, "status", "--porcelain"), "");
		assert.deepEqual([readJson(project, "package.json").version, listSteps(project)], ["1.3.1", []]);
	});

	it("requires the account and the token before it changes anything", (t) => {
		const project = createCheckout(t);
		commit(project, "feat: more");
		const unknown = deploy(project, [], { CLOUDFLARE_ACCOUNT_ID: "" });
		assert.equal(unknown.status, 2);
		assert.match(unknown.stderr, /\ndeploy: the Cloudflare account is not set\n {2}pass --account-id/);
		const closed = deploy(project, [], { CLOUDFLARE_API_TOKEN: "" });
		assert.equal(closed.status, 2);
		assert.match(
			closed.stderr,
			/\ndeploy: the Cloudflare API token is missing\n {2}set CLOUDFLARE_API_TOKEN/,
		);
		assert.deepEqual([countReleases(project), listSteps(project)], [1, []]);
	});

	it("shows what it would do with --dry-run and changes nothing", (t) => {
		const project = createCheckout(t);
		commit(project, "feat: more");
		for (const { status, stderr } of [
			deploy(project, ["--dry-run", "--force", "--api-token", TOKEN]),
			deploy(project, ["--force"], { npm_config_dry_run: "true" }),
		]) {
			assert.equal(status, 0);
			assert.equal(
				stderr,
				"## 1.3.2\n\n### New\n\n- More.\n\ndry run, nothing changed. Would run: commit and tag 1.3.2, bundle, check, tripline update --force\n",
			);
		}
		assert.deepEqual([countReleases(project), listSteps(project)], [1, []]);
		assert.equal(git(project, "status", "--porcelain"), "");
		assert.ok(!existsSync(join(project, "dist")));
	});

	it("prints its usage and rejects unknown arguments", (t) => {
		const project = createCheckout(t);
		commit(project, "feat: more");
		const help = deploy(project, ["--help"]);
		assert.deepEqual([help.status, help.stderr], [0, ""]);
		for (const flag of ["--dry-run", "--account-id <id>", "--force", "--json", "--help"])
			assert.match(help.stdout, new RegExp(`^ {2}${flag} `, "m"));
		for (const [args, told] of [
			[["--write"], /^deploy: --write is not a flag of deploy\n {2}npm run deploy -- --help/],
			[["now"], /^deploy: unexpected argument "now"\n/],
			[["--account-id"], /^deploy: --account-id needs a value/],
		] as const) {
			const { status, stdout, stderr } = deploy(project, args);
			assert.deepEqual([status, stdout], [2, ""]);
			assert.match(stderr, told);
		}
		assert.deepEqual([countReleases(project), listSteps(project)], [1, []]);
	});
});

/** The small project with the real script, the real code of the command line, and programs that log how they are run. */
function createCheckout(t: TestContext): string {
	return createRepository(t, (project) => {
		for (const part of ["deploy.ts", "launch"])
			cpSync(join(SCRIPTS, part), join(project, "scripts", part), { recursive: true });
		write(project, "apps/cli/src/bin.ts", BIN);
		// Links, because Node would compile copies again for each project.
		for (const part of readdirSync(CLI).filter((name) => name !== "bin.ts"))
			symlinkSync(join(CLI, part), join(project, "apps/cli/src", part));
		symlinkSync(join(ROOT, "node_modules"), join(project, "node_modules"));
		write(project, "scripts/bundle.ts", BUNDLE);
		write(project, ".gitignore", "node_modules\n/dist/\n*.log\n");
	});
}

function deploy(project: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
	const given = { HOME: project, CLOUDFLARE_ACCOUNT_ID: ACCOUNT, CLOUDFLARE_API_TOKEN: TOKEN, ...env };
	const ended = runWith(given, project, "deploy.ts", ...args);
	assert.ok(!(ended.stdout + ended.stderr).includes(TOKEN));
	return ended;
}

const readNotes = (project: string): readonly { readonly step: string }[] =>
	existsSync(join(project, "steps.log"))
		? read(project, "steps.log")
				.trim()
				.split("\n")
				.map((line) => JSON.parse(line))
		: [];

const listSteps = (project: string): readonly string[] => readNotes(project).map(({ step }) => step);

/** The number of release commits. */
const countReleases = (project: string): number =>
	git(project, "log", "--format=%s").match(/^build: release/gm)?.length ?? 0;
