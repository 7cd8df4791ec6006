import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
	DEPENDENCIES,
	jsonText,
	type Lock,
	lockOf,
	type Manifest,
	README_VERSION,
	workspacesOf,
} from "./project.ts";

/** Rewrites the files that contain the version; returns the new contents by path from the root. */
export function raised(root: string, version: string): Map<string, string> {
	const workspaces = workspacesOf(root);
	const names = new Set(workspaces.map(({ manifest }) => manifest.name));
	const files = new Map(
		workspaces.map(({ folder, manifest }) => [
			folder === "" ? "package.json" : `${folder}/package.json`,
			jsonText(ofVersion(manifest, version, names)),
		]),
	);
	const folders = workspaces.map(({ folder }) => folder);
	files.set("package-lock.json", jsonText(lockOfVersion(lockOf(root), version, names, folders)));
	files.set("README.md", readFileSync(join(root, "README.md"), "utf8").replace(README_VERSION, version));
	return files;
}

export function nextPatch(version: string): string {
	const [major, minor, patch] = version.split(".").map(Number);
	return `${major}.${minor}.${(patch as number) + 1}`;
}

/** Changes the manifest's own version and those of the workspaces that it depends on. */
function ofVersion(manifest: Manifest, version: string, names: ReadonlySet<string>): Manifest {
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

function lockOfVersion(
	lock: Lock,
	version: string,
	names: ReadonlySet<string>,
	folders: readonly string[],
): Lock {
	const packages = Object.entries(lock.packages).map(([folder, entry]) => [
		folder,
		entry !== undefined && folders.includes(folder) ? ofVersion(entry, version, names) : entry,
	]);
	return { ...lock, version, packages: Object.fromEntries(packages) };
}
