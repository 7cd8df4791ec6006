import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { normalize } from "node:path";
import { isWithin } from "@tripline/platform/folder-paths.node";
import type { Folders } from "@tripline/platform/folders";
import { nodeFolders } from "@tripline/platform/folders.node";
import { StartProblem } from "./settings.ts";

/** Opens the folders of ALLOW_FOLDERS to workflows. `own` are the paths of the service, which must be out of reach. */
export function openFolders(paths: readonly string[], own: readonly OwnPath[]): Folders | null {
	if (paths.length === 0) return null;
	const refused = own.map(({ path, setting }) => ({ real: realpathSync.native(path), setting }));
	const allowed = paths.map((path) => {
		const real = findFolder(path);
		const overlapping = refused.find((each) => isWithin(each.real, real) || isWithin(real, each.real));
		if (overlapping !== undefined) {
			throw new StartProblem(
				`ALLOW_FOLDERS contains ${path}, which overlaps with ${overlapping.setting}: workflows could read the service's own data`,
			);
		}
		return { given: normalize(path).replace(/(?<=.)[/\\]$/, ""), real };
	});
	return nodeFolders({ allowed, refused: refused.map(({ real }) => real) });
}

export interface OwnPath {
	readonly path: string;
	/** As in "overlaps with DATA_DIR". */
	readonly setting: string;
}

function findFolder(path: string): string {
	try {
		const real = realpathSync.native(path);
		if (!statSync(real).isDirectory())
			throw new StartProblem(`ALLOW_FOLDERS contains ${path}, which is a file`);
		accessSync(real, constants.R_OK | constants.X_OK);
		return real;
	} catch (error) {
		if (error instanceof StartProblem) throw error;
		const { code = "unknown error" } = error as NodeJS.ErrnoException;
		throw new StartProblem(
			`ALLOW_FOLDERS contains ${path}, which cannot be used (${code}): create it, or correct its permissions`,
		);
	}
}
