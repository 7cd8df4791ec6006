import type { Commit } from "./changelog.ts";
import { git } from "./git.ts";

const END = "\0";
const SEPARATOR = "\x1f";

/**
 * The commit of the last release: the tag of the version, else the commit that wrote the version into the manifest.
 * Null if the version has not been committed.
 */
export function findLastRelease(root: string, version: string): string | null {
	if (hasTag(root, version)) return toTag(version);
	const isCommitted = readManifestAtHead(root).includes(`"version": "${version}"`);
	const found = git(root, "log", "-1", "--format=%H", `-S"version": "${version}"`, "--", "package.json");
	return isCommitted && found !== "" ? found : null;
}

export const toTag = (version: string): string => `v${version}`;

export const hasTag = (root: string, version: string): boolean =>
	git(root, "tag", "--list", toTag(version)) !== "";

/** Null if there is no such commit. */
export function findCommit(root: string, name: string): string | null {
	try {
		return git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`);
	} catch {
		return null;
	}
}

/** Oldest first. */
export function listCommits(root: string, commit: string): Commit[] {
	return git(root, "log", "-z", "--no-merges", "--reverse", "--format=%s%x1f%b", `${commit}..HEAD`, "--")
		.split(END)
		.map((message) => message.trim())
		.filter((message) => message !== "")
		.map((message) => {
			const [subject = "", body = ""] = message.split(SEPARATOR);
			return { subject, body };
		});
}

/** Continuous integration often makes shallow clones. */
export const isShallow = (root: string): boolean =>
	git(root, "rev-parse", "--is-shallow-repository") === "true";

/** Uncommitted changes as `git status` prints them, new files included; empty if there are none. */
export const listUncommitted = (root: string): string =>
	git(root, "status", "--short", "--untracked-files=all", "--", ".");

const readManifestAtHead = (root: string): string => git(root, "show", "HEAD:./package.json");
