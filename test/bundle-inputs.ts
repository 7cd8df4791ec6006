import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const CACHE = join(ROOT, "node_modules", ".cache");

const MANIFESTS = "{packages,services,apps}/*/package.json";

/** The files that decide which bundler runs and what the names of packages resolve to. */
export const listConfiguration = (): readonly string[] => [
	"test/bundle-inputs.ts",
	"package-lock.json",
	...globSync(MANIFESTS, { cwd: ROOT }).sort(),
];

/** Of the contents of files relative to the root. Undefined if one does not exist. */
export function hashFiles(files: readonly string[]): string | undefined {
	const hash = createHash("sha256");
	try {
		for (const file of files) hash.update(`${file} `).update(readFileSync(join(ROOT, file)));
	} catch {
		return undefined;
	}
	return hash.digest("hex");
}
