import { readFileSync } from "node:fs";

/** Read from the package's manifest at run time. */
export function readVersion(): string {
	const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
	return (JSON.parse(manifest) as { version: string }).version;
}
