import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The parts of a package manifest that releases use. */
export interface Manifest {
	readonly name: string;
	readonly version: string;
	readonly workspaces?: readonly string[];
	readonly [key: string]: unknown;
}

/** The manifest fields that contain versions of other packages. */
export const DEPENDENCIES = [
	"dependencies",
	"devDependencies",
	"peerDependencies",
	"optionalDependencies",
] as const;

export interface Workspace {
	/** Relative to the root; empty for the root itself. */
	readonly folder: string;
	readonly manifest: Manifest;
}

/** The root and its workspaces. */
export function listWorkspaces(root: string): readonly Workspace[] {
	const manifest = readManifest(root, "");
	const folders = (manifest.workspaces ?? [])
		.flatMap((pattern) => globSync(pattern, { cwd: root }))
		.filter((folder) => existsSync(join(root, folder, "package.json")))
		.map((folder) => folder.replaceAll("\\", "/"))
		.sort();
	return [
		{ folder: "", manifest },
		...folders.map((folder) => ({ folder, manifest: readManifest(root, folder) })),
	];
}

const readManifest = (root: string, folder: string): Manifest =>
	JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));

export interface Lock extends Manifest {
	readonly packages: Readonly<Record<string, Manifest | undefined>>;
}

export const readLock = (root: string): Lock =>
	JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));

/** The format that npm writes. */
export const renderJson = (value: unknown): string => `${JSON.stringify(value, null, "\t")}\n`;

/** The version in README.md. */
export const README_VERSION = /(?<=^This version, )\d+\.\d+\.\d+(?=,)/m;

/** The headings of the changelog entries, newest first. */
export const CHANGELOG_VERSIONS = /^## (\d+\.\d+\.\d+)$/gm;
