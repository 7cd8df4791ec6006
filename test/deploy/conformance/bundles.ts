import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const CONTROLS = "controls.mjs";
const LISTING = "bundles.json";

/** Copies the bundles, each with the scenarios' controls as its main module. */
export function bundleControls(bundles: string): string {
	const folder = mkdtempSync(join(dirname(bundles), "controlled-"));
	cpSync(bundles, folder, { recursive: true });
	cpSync(fileURLToPath(import.meta.resolve(`./${CONTROLS}`)), join(folder, CONTROLS));
	const listing = JSON.parse(readFileSync(join(folder, LISTING), "utf8")) as {
		readonly workers: Record<string, object[]>;
	};
	const main = { name: CONTROLS, type: "application/javascript+module", file: CONTROLS };
	for (const modules of Object.values(listing.workers)) modules.unshift(main);
	writeFileSync(join(folder, LISTING), JSON.stringify(listing));
	return folder;
}
