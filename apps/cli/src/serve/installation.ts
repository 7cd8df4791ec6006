import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CliProblem } from "../command.ts";
import type { Io } from "../io.ts";

/** The files that `serve` and the commands beside it run: from the packed package, or from a checkout. */
export interface Installation {
	/** The files that Node runs. */
	readonly programs: Readonly<Record<Program, string>>;
	/** The folder with the launcher's files. */
	readonly launcher: URL;
	/** Where a downloaded Node is stored. */
	readonly nodeHome: string;
	readonly compileCache: string;
}

const PROGRAMS = {
	service: "main",
	move: "move",
	backup: "backup",
	doctor: "doctor",
	downgrade: "downgrade",
	vault: "vault",
} as const;

export type Program = keyof typeof PROGRAMS;

/** The file of each program, by the name of its source. */
const listPrograms = (toUrl: (name: Program, source: string) => URL): Record<Program, string> =>
	Object.fromEntries(
		Object.entries(PROGRAMS).map(([name, source]) => [name, fileURLToPath(toUrl(name as Program, source))]),
	) as Record<Program, string>;

export function findInstallation(io: Io): Installation {
	const found = findPacked(io) ?? findCheckout();
	if (found !== null) return found;
	throw new CliProblem("the service is not part of this installation", {
		hint: "install tripline again, or run it from a checkout",
	});
}

/** The files are next to the bundle. That folder may belong to another user, so the cache is elsewhere. */
function findPacked(io: Io): Installation | null {
	const programs = listPrograms((name) => new URL(`./${name}.mjs`, import.meta.url));
	const cache = join(getCacheHome(io), "tripline");
	return existsSync(programs.service)
		? {
				programs,
				launcher: new URL("./launch/", import.meta.url),
				nodeHome: cache,
				compileCache: join(cache, "compiled"),
			}
		: null;
}

function findCheckout(): Installation | null {
	const root = new URL("../../../../", import.meta.url);
	const programs = listPrograms((_, source) => new URL(`apps/node/src/${source}.ts`, root));
	const home = fileURLToPath(root);
	return existsSync(programs.service)
		? {
				programs,
				launcher: new URL("scripts/launch/", root),
				nodeHome: home,
				compileCache: join(home, "node_modules", ".cache", "node"),
			}
		: null;
}

const getCacheHome = ({ env, home }: Io): string =>
	isAbsolute(env.XDG_CACHE_HOME ?? "") ? (env.XDG_CACHE_HOME as string) : join(home, ".cache");
