import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
	DEPENDENCIES,
	type Lock,
	listWorkspaces,
	type Manifest,
	README_VERSION,
	readLock,
	renderJson,
} from "./project.ts";

/** Rewrites the files that contain the version; returns the new contents by path from the root. */
export function raiseVersion(root: string, version: string): Map<string, string> {
	const workspaces = listWorkspaces(root);
	const names = new Set(workspaces.map(({ manifest }) => manifest.name));
	const files = new Map(
		workspaces.map(({ folder, manifest }) => [
			folder === "" ? "package.json" : `${folder}/package.json`,
			renderJson(setVersion(manifest, version, names)),
		]),
	);
	const folders = workspaces.map(({ folder }) => folder);
	files.set("package-lock.json", renderJson(setLockVersion(readLock(root), version, names, folders)));
	files.set("README.md", readFileSync(join(root, "README.md"), "utf8").replace(README_VERSION, version));
	return files;
}

export function toNextPatch(version: string): string {
	const [major, minor, patch] = version.split(".").map(Number);
	return `${major}.${minor}.${(patch as number) + 1}`;
}

/** Changes the manifest's own version and those of the workspaces that it depends on. */
function setVersion(manifest: Manifest, version: string, names: ReadonlySet<string>): Manifest {
	const dependencies = DEPENDENCIES.filter((kind) => manifest[kind] !== undefined).map((kind) => [
		kind,
		Object.fromEntries(
			Object.entries(manifest[kind] as Record<string, string>).map(([name, wanted]) => [
				name,
				names.has(name) ? version : wanted,
			]),
		),
	]);
	return { ...manifest, version, ...Object.fromEntries(dependencies) };
}

function setLockVersion(
	lock: Lock,
	version: string,
	names: ReadonlySet<string>,
	folders: readonly string[],
): Lock {
	const packages = Object.entries(lock.packages).map(([folder, entry]) => [
		folder,
		entry !== undefined && folders.includes(folder) ? setVersion(entry, version, names) : entry,
	]);
	return { ...lock, version, packages: Object.fromEntries(packages) };
}
