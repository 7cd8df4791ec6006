import { readFileSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Io } from "../io.ts";

/** How the user calls this command line. */
export interface CallName {
	/** `tripline`, `npx tripline` or `npx ./tripline-1.3.1.tgz`. */
	readonly words: string;
	/** The tarball that npx runs; null if it runs none. */
	readonly tarball: string | null;
}

const INSTALLED = "/node_modules/tripline/";

/** npx installs a tarball into a folder of its own, whose manifest says where the tarball is. */
export function findCallName({ env, cwd }: Pick<Io, "env" | "cwd">, program = import.meta.url): CallName {
	if (env.npm_command !== "exec") return { words: "tripline", tarball: null };
	const home = program.slice(0, Math.max(program.lastIndexOf(INSTALLED), 0));
	const spec = /\/_npx\/[^/]+$/.test(home) ? readSpec(new URL(`${home}/package.json`)) : "";
	if (!spec.startsWith("file:")) return { words: "npx tripline", tarball: null };
	const path = relative(cwd, resolve(fileURLToPath(home), spec.slice("file:".length)));
	const tarball = isAbsolute(path) || path.startsWith("..") ? path : `./${path}`;
	return { words: `npx ${tarball}`, tarball };
}

function readSpec(manifest: URL): string {
	const { dependencies } = JSON.parse(readFileSync(manifest, "utf8")) as {
		readonly dependencies?: Readonly<Record<string, string>>;
	};
	return dependencies?.tripline ?? "";
}
