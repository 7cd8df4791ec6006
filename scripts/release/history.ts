import { execFileSync } from "node:child_process";
import type { Commit } from "./changelog.ts";

const END = "\0";
const BETWEEN = "\x1f";

/**
 * The commit of the last release: the tag of the version, else the commit that wrote the version into the manifest.
 * Null: there is none, the version has not been committed.
 */
export function lastRelease(root: string, version: string): string | null {
	const tag = git(root, ["tag", "--list", `v${version}`]);
	if (tag !== "") return tag;
	const isCommitted = manifestAtHead(root).includes(`"version": "${version}"`);
	const found = git(root, ["log", "-1", "--format=%H", `-S"version": "${version}"`, "--", "package.json"]);
	return isCommitted && found !== "" ? found : null;
}

/** Null: there is no such commit. */
export function commitOf(root: string, name: string): string | null {
	try {
		return git(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]);
	} catch {
		return null;
	}
}

/** The oldest first. */
export function commitsSince(root: string, commit: string): Commit[] {
	return git(root, ["log", "-z", "--no-merges", "--reverse", "--format=%s%x1f%b", `${commit}..HEAD`, "--"])
		.split(END)
		.map((message) => message.trim())
		.filter((message) => message !== "")
		.map((message) => {
			const [subject = "", body = ""] = message.split(BETWEEN);
			return { subject, body };
		});
}

const manifestAtHead = (root: string): string => git(root, ["show", "HEAD:./package.json"]);

const git = (root: string, args: readonly string[]): string =>
	execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
