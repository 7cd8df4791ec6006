import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CliProblem } from "../command.ts";
import type { Io } from "../io.ts";

/** The files that `serve`, `move` and `backup` run: from the packed package, or from a checkout. */
export interface Installation {
	/** The files that Node runs. */
	readonly programs: Readonly<Record<Program, string>>;
	/** The folder with the launcher's files. */
	readonly launcher: URL;
	/** Where a downloaded Node is stored. */
	readonly nodeHome: string;
	readonly compileCache: string;
}

export type Program = "service" | "move" | "backup";

export function findInstallation(io: Io): Installation {
	const found = findPacked(io) ?? findCheckout();
	if (found !== null) return found;
	throw new CliProblem("the service is not part of this installation", {
		hint: "install tripline again, or run it from a checkout",
	});
}

/** The files are next to the bundle. That folder may belong to another user, so the cache is elsewhere. */
function findPacked(io: Io): Installation | null {
	const service = fileURLToPath(new URL("./service.mjs", import.meta.url));
	const move = fileURLToPath(new URL("./move.mjs", import.meta.url));
	const backup = fileURLToPath(new URL("./backup.mjs", import.meta.url));
	const cache = join(getCacheHome(io), "tripline");
	return existsSync(service)
		? {
				programs: { service, move, backup },
				launcher: new URL("./launch/", import.meta.url),
				nodeHome: cache,
				compileCache: join(cache, "compiled"),
			}
		: null;
}

function findCheckout(): Installation | null {
	const root = new URL("../../../../", import.meta.url);
	const service = fileURLToPath(new URL("apps/node/src/main.ts", root));
	const move = fileURLToPath(new URL("apps/node/src/move.ts", root));
	const backup = fileURLToPath(new URL("apps/node/src/backup.ts", root));
	const home = fileURLToPath(root);
	return existsSync(service)
		? {
				programs: { service, move, backup },
				launcher: new URL("scripts/launch/", root),
				nodeHome: home,
				compileCache: join(home, "node_modules", ".cache", "node"),
			}
		: null;
}

const getCacheHome = ({ env, home }: Io): string =>
	isAbsolute(env.XDG_CACHE_HOME ?? "") ? (env.XDG_CACHE_HOME as string) : join(home, ".cache");
