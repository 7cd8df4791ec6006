// Starts the command line that is packed next to this folder. Plain JavaScript for Node 18.
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as util from "node:util";
import { ensureNode } from "./prepare.mjs";
import { endWith, run } from "./process.mjs";

const CLI = new URL("../tripline.js", import.meta.url);

// Node 18 cannot run the command line, so that a fetched Node does. Newer ones run it in this process.
if (util.parseEnv === undefined) await endWith(runWithFetchedNode);
else await import(CLI.href);

async function runWithFetchedNode() {
	const node = await ensureNode(getCacheFolder(), `Node ${process.versions.node} is older than 20.12`);
	return run(node, [fileURLToPath(CLI), ...process.argv.slice(2)]);
}

/** The same that `serve` uses for the service's Node. */
function getCacheFolder() {
	const { XDG_CACHE_HOME = "" } = process.env;
	return join(isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), ".cache"), "tripline");
}
