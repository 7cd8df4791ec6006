// Raises the patch number everywhere and writes the changelog's entry from the commits since the last release.
// Shows what it would do; --write does it. --since <commit> where the last release was another one than the history says.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { disagreements } from "./release/agreement.ts";
import { entryOf, withEntry } from "./release/changelog.ts";
import { commitOf, commitsSince, lastRelease } from "./release/history.ts";
import { workspacesOf } from "./release/project.ts";
import { nextPatch, raised } from "./release/raise.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values: flags } = parseArgs({
	options: { write: { type: "boolean", default: false }, since: { type: "string" } },
});
process.exitCode = await release();

async function release(): Promise<number> {
	const disagreeing = await disagreements(root);
	if (disagreeing.length > 0) return failed(["the versions do not agree:", ...disagreeing].join("\n  "));
	const current = workspacesOf(root)[0]?.manifest.version ?? "";
	const last = flags.since === undefined ? lastRelease(root, current) : commitOf(root, flags.since);
	if (last === null && flags.since !== undefined) return failed(`there is no commit ${flags.since}`);
	if (last === null) return failed(`${current} is not committed yet: commit it before the next release`);
	const commits = commitsSince(root, last);
	if (commits.length === 0) return failed(`there is no commit since ${current}`);
	const version = nextPatch(current);
	const entry = entryOf(version, commits);
	const files = raised(root, version);
	files.set("CHANGELOG.md", withEntry(readFileSync(join(root, "CHANGELOG.md"), "utf8"), entry));
	if (flags.write) for (const [file, text] of files) writeFileSync(join(root, file), text);
	console.log(entry);
	console.log(
		flags.write
			? written(version, [...files.keys()])
			: `${current} to ${version}: nothing written, --write does it`,
	);
	return 0;
}

function failed(message: string): number {
	console.error(message);
	return 1;
}

function written(version: string, files: readonly string[]): string {
	return `${version} is in ${files.length} files: ${files.join(", ")}
Read the changelog's entry, then: git commit -am "build: release ${version}" && git tag v${version}`;
}
