import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
	BIN,
	CHANGELOG,
	commit,
	createProject,
	createRepository,
	git,
	read,
	readJson,
	run,
	runWith,
	SCRIPTS,
	write,
} from "./project.ts";

describe("the release script", { concurrency: 2 }, () => {
	it("raises the patch number in every manifest, the lock file and the first page", (t) => {
		const project = createRepository(t);
		commit(project, "feat(store): keep more");
		const { status, stderr } = run(project, "release.ts");
		assert.equal(status, 0, stderr);
		assert.equal(readJson(project, "package.json").version, "1.3.2");
		assert.deepEqual(readJson(project, "package.json").devDependencies, {
			"@t/engine": "1.3.2",
			other: "1.3.1",
		});
		assert.equal(readJson(project, "apps/cli/package.json").version, "1.3.2");
		assert.deepEqual(readJson(project, "apps/cli/package.json").dependencies, { "@t/engine": "1.3.2" });
		const { version, packages } = readJson(project, "package-lock.json");
		assert.equal(version, "1.3.2");
		assert.deepEqual(packages["apps/cli"], {
			name: "@t/cli",
			version: "1.3.2",
			dependencies: { "@t/engine": "1.3.2" },
		});
		assert.deepEqual(packages["node_modules/other"], { version: "1.3.1" });
		assert.match(read(project, "README.md"), /^This version, 1\.3\.2, has more\. 1\.3\.1 had less\.$/m);
		const check = run(project, "check-release.ts");
		assert.equal(check.status, 0, check.stderr);
	});

	it("writes the commits since the last release as sentences, grouped by type", (t) => {
		const project = createRepository(t);
		for (const message of [
			"docs: say when",
			"feat(mcp): the protocol in both eras",
			"fix: refuse what would hang",
			"perf: shorter paths",
			"feat!: one reading of JSON Schema",
			"fix(store): keep order\n\nBREAKING CHANGE: cursors of before are refused",
			"test: both platforms",
			"http_request takes files",
		])
			commit(project, message);
		const { status, stdout, stderr } = run(project, "release.ts");
		assert.equal(status, 0, stderr);
		const entry = `## 1.3.2

### Breaking

- One reading of JSON Schema.
- Store: keep order.

### New

- MCP: the protocol in both eras.

### Fixed

- Refuse what would hang.

### Faster

- Shorter paths.

### Documentation

- Say when.

### Internal

- Both platforms.
- http_request takes files.
`;
		assert.ok(stdout.startsWith(entry), stdout);
		assert.equal(read(project, "CHANGELOG.md"), CHANGELOG.replace("## 1.3.1", `${entry}\n## 1.3.1`));
	});

	it("shows the same with --dry-run and changes nothing", (t) => {
		const project = createRepository(t);
		commit(project, "feat: more");
		// npm takes the flag itself if the two dashes before it were forgotten.
		for (const { status, stdout } of [
			run(project, "release.ts", "--dry-run"),
			runWith({ npm_config_dry_run: "true" }, project, "release.ts"),
		]) {
			assert.equal(status, 0);
			assert.equal(stdout, "## 1.3.2\n\n### New\n\n- More.\n\n1.3.1 to 1.3.2: dry run, nothing changed\n");
		}
		assert.equal(git(project, "status", "--porcelain"), "");
	});

	it("prints its usage and rejects unknown arguments", (t) => {
		const project = createRepository(t);
		commit(project, "feat: more");
		const help = run(project, "release.ts", "--help");
		assert.deepEqual([help.status, help.stderr], [0, ""]);
		assert.match(help.stdout, /^usage: npm run release .*--dry-run/);
		for (const [args, told] of [
			[["--write"], /^release: Unknown option '--write'/],
			[["1.3.2"], /^release: Unexpected argument '1\.3\.2'/],
			[["--since"], /^release: Option '--since <value>' argument missing/],
		] as const) {
			const { status, stdout, stderr } = run(project, "release.ts", ...args);
			assert.deepEqual([status, stdout], [2, ""]);
			assert.match(stderr, told);
			assert.match(stderr, /\nusage: npm run release/);
		}
		assert.equal(git(project, "status", "--porcelain"), "");
	});

	it("starts at the tag of the version, or at --since", (t) => {
		const project = createRepository(t);
		commit(project, "feat: released before");
		git(project, "tag", "v1.3.1");
		commit(project, "feat: later");
		commit(project, "feat: latest");
		assert.match(
			run(project, "release.ts", "--dry-run").stdout,
			/^## 1\.3\.2\n\n### New\n\n- Later\.\n- Latest\./,
		);
		assert.doesNotMatch(run(project, "release.ts", "--since", "HEAD~1", "--dry-run").stdout, /Later/);
		const unknown = run(project, "release.ts", "--since", "nothing");
		assert.equal(unknown.status, 1);
		assert.equal(unknown.stderr, "there is no commit nothing\n");
	});

	it("continues from the previous release and omits its commit", (t) => {
		const project = createRepository(t);
		commit(project, "feat: first");
		assert.equal(run(project, "release.ts").status, 0);
		const twice = run(project, "release.ts");
		assert.equal(twice.status, 1);
		assert.match(twice.stderr, /^1\.3\.2 is not committed yet/);
		git(project, "commit", "-qam", "build: release 1.3.2");
		const none = run(project, "release.ts");
		assert.equal(none.status, 1);
		assert.match(none.stderr, /^no commits since 1\.3\.2/);
		commit(project, "fix: second");
		assert.match(
			run(project, "release.ts", "--dry-run").stdout,
			/^## 1\.3\.3\n\n### Fixed\n\n- Second\.\n\n/,
		);
	});

	it("ignores older bundles, which it makes stale anyway", (t) => {
		const project = createRepository(t);
		commit(project, "feat: more");
		write(project, "dist/package/package.json", '{ "version": "1.3.0" }');
		const { status, stderr } = run(project, "release.ts");
		assert.equal(status, 0, stderr);
	});

	it("refuses a version whose tag exists, and a shallow clone", (t) => {
		const project = createRepository(t);
		commit(project, "feat: more");
		git(project, "tag", "v1.3.2");
		const there = run(project, "release.ts");
		assert.equal(there.status, 1);
		assert.match(there.stderr, /^the tag v1\.3\.2 already exists/);
		const clone = join(project, "shallow");
		git(project, "clone", "-q", "--depth", "1", `file://${project}`, clone);
		const shallow = run(clone, "release.ts");
		assert.equal(shallow.status, 1);
		assert.match(shallow.stderr, /^this clone is shallow.*git fetch --unshallow --tags/);
		assert.equal(readJson(clone, "package.json").version, "1.3.1");
	});

	it("says that it needs a git repository", (t) => {
		const { status, stderr } = run(createProject(t), "release.ts");
		assert.equal(status, 1);
		assert.match(stderr, /^git tag: .*not a git repository/);
	});

	it("refuses to raise versions that differ", (t) => {
		const project = createRepository(t);
		commit(project, "feat: more");
		write(project, "README.md", "This version, 1.3.0, is old.\n");
		const { status, stderr } = run(project, "release.ts");
		assert.equal(status, 1);
		assert.match(stderr, /versions differ:\n {2}README\.md: .* is 1\.3\.0, not 1\.3\.1/);
		assert.equal(readJson(project, "package.json").version, "1.3.1");
	});
});

describe("the release check", { concurrency: 2 }, () => {
	it("finds nothing if all versions agree", (t) => {
		const { status, stdout, stderr } = run(createProject(t), "check-release.ts");
		assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: "", stderr: "" });
	});

	for (const [file, from, to, told] of [
		[
			"apps/cli/package.json",
			'"@t/cli",\n\t"version": "1.3.1"',
			'"@t/cli",\n\t"version": "1.3.0"',
			"is 1.3.0",
		],
		["apps/cli/package.json", '"@t/engine": "1.3.1"', '"@t/engine": "1.3.0"', ": @t/engine is 1.3.0"],
		["package.json", '"@t/engine": "1.3.1"', '"@t/engine": "^1.3.1"', ": @t/engine is ^1.3.1"],
		[
			"package-lock.json",
			'"name": "root",\n\t"version": "1.3.1"',
			'"name": "root",\n\t"version": "1.2.9"',
			" is 1.2.9",
		],
		["package-lock.json", '"apps/cli": {', '"apps/gone": {', ': packages["apps/cli"] is missing'],
		[
			"package-lock.json",
			'"name": "@t/cli",\n\t\t\t"version": "1.3.1"',
			'"name": "@t/cli",\n\t\t\t"version": "2.0.0"',
			"is 2.0.0",
		],
		["CHANGELOG.md", "## 1.3.1", "## 1.3.2", ": the newest entry is 1.3.2, not 1.3.1"],
		["CHANGELOG.md", CHANGELOG, "# Changelog\n", ": the newest entry has no version"],
		["README.md", "This version, 1.3.1,", "This version, 1.4.0,", "is 1.4.0, not 1.3.1"],
		["apps/cli/src/bin.ts", BIN, 'console.log("1.3.0");', ": --version is 1.3.0, not 1.3.1"],
		["apps/cli/src/bin.ts", BIN, 'throw new Error("broken");', ": --version has no version"],
	] as const) {
		it(`reports ${file} with ${JSON.stringify(to.slice(0, 40))}`, (t) => {
			const project = createProject(t);
			const before = read(project, file);
			assert.ok(before.includes(from), before);
			write(project, file, before.replace(from, to));
			const { status, stderr } = run(project, "check-release.ts");
			assert.equal(status, 1);
			assert.ok(stderr.startsWith(file) && stderr.includes(told), stderr);
		});
	}

	it("reports a missing entry of an earlier release", (t) => {
		const project = createProject(t);
		write(project, "CHANGELOG.md", CHANGELOG.replace("## 1.3.0", "## 1.2.9"));
		const { status, stderr } = run(project, "check-release.ts");
		assert.deepEqual({ status, stderr }, { status: 1, stderr: "CHANGELOG.md: 1.3.0 has no entry\n" });
	});

	it("reports bundles of another version, if there are any", (t) => {
		const project = createProject(t);
		write(project, "dist/package/package.json", '{ "version": "1.3.1", "type": "module" }');
		write(project, "dist/package/workers/bundles.json", '{ "version": "1.3.0" }');
		write(project, "dist/package/cli/tripline.js", 'console.log("1.3.0");');
		const { status, stderr } = run(project, "check-release.ts");
		assert.equal(status, 1);
		assert.match(
			stderr,
			/^dist\/package\/workers\/bundles\.json is 1\.3\.0, not 1\.3\.1: run npm run bundle/m,
		);
		assert.match(stderr, /^dist\/package\/cli\/tripline\.js: --version is 1\.3\.0, not 1\.3\.1/m);
		assert.doesNotMatch(stderr, /package\.json/);
	});

	it("passes on this repository", () => {
		const { status, stderr } = spawnSync(process.execPath, [join(SCRIPTS, "check-release.ts")], {
			encoding: "utf8",
		});
		assert.equal(status, 0, stderr);
	});
});
