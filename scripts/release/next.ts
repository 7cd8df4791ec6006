import { readFileSync } from "node:fs";
import { join } from "node:path";
import { disagreements } from "./agreement.ts";
import { entryOf, withEntry } from "./changelog.ts";
import { commitOf, commitsSince, hasTag, isShallow, lastRelease, tagOf } from "./history.ts";
import { ReleaseProblem } from "./problem.ts";
import { workspacesOf } from "./project.ts";
import { nextPatch, raised } from "./raise.ts";

export interface Release {
	readonly version: string;
	/** Of the changelog. */
	readonly entry: string;
	/** What it changes, by path from the root. */
	readonly files: ReadonlyMap<string, string>;
}

export const currentVersion = (root: string): string => workspacesOf(root)[0]?.manifest.version ?? "";

/**
 * The release that the commits since the last one make; null: there are none. `since` names the last one's commit where
 * it is another than the history says. Changes nothing.
 */
export async function nextRelease(root: string, since?: string): Promise<Release | null> {
	const current = currentVersion(root);
	const last = since === undefined ? lastRelease(root, current) : commitOf(root, since);
	if (last === null && since !== undefined) throw new ReleaseProblem(`there is no commit ${since}`);
	if (last === null)
		throw new ReleaseProblem(`${current} is not committed yet: commit it before the next release`);
	if (isShallow(root))
		throw new ReleaseProblem(
			"this clone has no whole history, so that what a release is made of is not known: git fetch --unshallow --tags",
		);
	// Bundles are of no concern here: a release makes them stale.
	const disagreeing = await disagreements(root, { areBundlesLeftOut: true });
	if (disagreeing.length > 0)
		throw new ReleaseProblem(["the versions do not agree:", ...disagreeing].join("\n  "));
	const commits = commitsSince(root, last);
	if (commits.length === 0) return null;
	const version = nextPatch(current);
	if (hasTag(root, version))
		throw new ReleaseProblem(
			`there is a tag ${tagOf(version)} already: bring this branch up to date, or delete the tag`,
		);
	const entry = entryOf(version, commits);
	const files = raised(root, version);
	files.set("CHANGELOG.md", withEntry(readFileSync(join(root, "CHANGELOG.md"), "utf8"), entry));
	return { version, entry, files };
}
