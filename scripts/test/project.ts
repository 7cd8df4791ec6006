import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";

export const SCRIPTS = dirname(import.meta.dirname);
/** In a git hook, or under npm with flags, these variables would point the scripts to another project. */
const ENVIRONMENT = Object.fromEntries(
	Object.entries(process.env).filter(([name]) => !/^(?:GIT|npm_config|CLOUDFLARE)_/.test(name)),
);

export const CHANGELOG = "# Changelog\n\n## 1.3.1\n\nThe executor.\n\n- Runs.\n\n## 1.3.0\n\n- Store.\n";
/** Prints the version of the manifest, like the real one. */
export const BIN = `
import { readFileSync } from "node:fs";
console.log(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version);
`;

export function createRepository(t: TestContext, more: (project: string) => void = () => {}): string {
	const project = createProject(t);
	more(project);
	git(project, "init", "-q");
	for (const [name, value] of [
		["user.name", "test"],
		["user.email", "test@example.com"],
		["commit.gpgsign", "false"],
		["tag.gpgsign", "false"],
	] as const)
		git(project, "config", name, value);
	git(project, "add", ".");
	git(project, "commit", "-qm", "build: release 1.3.1");
	return project;
}

/** Folders that are used again, because Node would compile the scripts again in a new one. */
const freeFolders: string[] = [];
const home = mkdtempSync(join(tmpdir(), "tripline release-"));
process.on("exit", () => rmSync(home, { recursive: true, force: true }));

/** A small project with the same structure. */
export function createProject(t: TestContext): string {
	const project = freeFolders.pop() ?? mkdtempSync(join(home, "project "));
	t.after(() => {
		rmSync(project, { recursive: true, force: true });
		freeFolders.push(project);
	});
	for (const part of ["release", "release.ts", "check-release.ts"])
		cpSync(join(SCRIPTS, part), join(project, "scripts", part), { recursive: true });
	const root = { name: "root", version: "1.3.1", devDependencies: { "@t/engine": "1.3.1", other: "1.3.1" } };
	const cli = { name: "@t/cli", version: "1.3.1", dependencies: { "@t/engine": "1.3.1" } };
	const engine = { name: "@t/engine", version: "1.3.1" };
	writeJson(project, "package.json", { ...root, type: "module", workspaces: ["packages/*", "apps/*"] });
	writeJson(project, "apps/cli/package.json", { ...cli, type: "module" });
	writeJson(project, "packages/engine/package.json", engine);
	writeJson(project, "package-lock.json", {
		name: "root",
		version: "1.3.1",
		packages: {
			"": root,
			"apps/cli": cli,
			"packages/engine": engine,
			"node_modules/@t/engine": { resolved: "packages/engine", link: true },
			"node_modules/other": { version: "1.3.1" },
		},
	});
	write(project, "CHANGELOG.md", CHANGELOG);
	write(project, "README.md", "# Project\n\nThis version, 1.3.1, has more. 1.3.1 had less.\n");
	write(project, "apps/cli/src/bin.ts", BIN);
	return project;
}

export const commit = (project: string, message: string): string =>
	git(project, "commit", "-q", "--allow-empty", "-m", message);

export const git = (project: string, ...args: string[]): string =>
	execFileSync("git", args, { cwd: project, encoding: "utf8", env: ENVIRONMENT });

export const run = (project: string, script: string, ...args: string[]) =>
	runWith({}, project, script, ...args);

export const runWith = (
	env: Readonly<Record<string, string>>,
	project: string,
	script: string,
	...args: string[]
) =>
	spawnSync(process.execPath, [join(project, "scripts", script), ...args], {
		cwd: project,
		encoding: "utf8",
		env: { ...ENVIRONMENT, ...env },
	});

export const read = (project: string, path: string): string => readFileSync(join(project, path), "utf8");
export const readJson = (project: string, path: string) => JSON.parse(read(project, path));

export function write(project: string, path: string, content: string): void {
	mkdirSync(dirname(join(project, path)), { recursive: true });
	writeFileSync(join(project, path), content);
}

const writeJson = (project: string, path: string, value: unknown): void =>
	write(project, path, `${JSON.stringify(value, null, "\t")}\n`);
