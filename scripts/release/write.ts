import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "./git.ts";
import { toTag } from "./history.ts";
import type { Release } from "./next.ts";

export function writeRelease(root: string, { files }: Release): void {
	for (const [file, text] of files) writeFileSync(join(root, file), text);
}

export const buildCommitMessage = (version: string): string => `build: release ${version}`;

/** Needs a clean work tree: if the commit fails, the written files are restored from HEAD. */
export function commitRelease(root: string, release: Release): void {
	const files = [...release.files.keys()];
	try {
		writeRelease(root, release);
		git(root, "commit", "--quiet", "--message", buildCommitMessage(release.version), "--", ...files);
	} catch (error) {
		git(root, "restore", "--staged", "--worktree", "--", ...files);
		throw error;
	}
}

export function tagRelease(root: string, version: string): void {
	git(root, "tag", "--message", `Release ${version}`, toTag(version));
}
