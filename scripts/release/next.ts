import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findMismatches } from "./agreement.ts";
import { insertEntry, renderEntry } from "./changelog.ts";
import { findCommit, findLastRelease, hasTag, isShallow, listCommits, toTag } from "./history.ts";
import { ReleaseProblem } from "./problem.ts";
import { listWorkspaces } from "./project.ts";
import { raiseVersion, toNextPatch } from "./raise.ts";

export interface Release {
	readonly version: string;
	/** The changelog entry. */
	readonly entry: string;
	/** The contents of the changed files, by path from the root. */
	readonly files: ReadonlyMap<string, string>;
}

export const readCurrentVersion = (root: string): string => listWorkspaces(root)[0]?.manifest.version ?? "";

/**
 * Builds the release from the commits since the last one; null if there are none. `since` overrides the commit of the
 * last release that the history shows. Writes nothing.
 */
export async function buildNextRelease(root: string, since?: string): Promise<Release | null> {
	const current = readCurrentVersion(root);
	const last = since === undefined ? findLastRelease(root, current) : findCommit(root, since);
	if (last === null && since !== undefined) throw new ReleaseProblem(`there is no commit ${since}`);
	if (last === null)
		throw new ReleaseProblem(`${current} is not committed yet: commit it before the next release`);
	if (isShallow(root))
		throw new ReleaseProblem(
			"this clone is shallow, so the commits of the release are unknown: run git fetch --unshallow --tags",
		);
	// Bundles are not checked: the release makes them stale anyway.
	const disagreeing = await findMismatches(root, { areBundlesLeftOut: true });
	if (disagreeing.length > 0) throw new ReleaseProblem(["the versions differ:", ...disagreeing].join("\n  "));
	const commits = listCommits(root, last);
	if (commits.length === 0) return null;
	const version = toNextPatch(current);
	if (hasTag(root, version))
		throw new ReleaseProblem(
			`the tag ${toTag(version)} already exists: bring this branch up to date, or delete the tag`,
		);
	const entry = renderEntry(version, commits);
	const files = raiseVersion(root, version);
	files.set("CHANGELOG.md", insertEntry(readFileSync(join(root, "CHANGELOG.md"), "utf8"), entry));
	return { version, entry, files };
}
