import { existsSync } from "node:fs";
import { join } from "node:path";
import { StartProblem } from "../settings.ts";

/** Holds the databases of a restore until they are complete and checked. */
export const getRestoring = (folder: string): string => join(folder, "restoring");

/** Throws if a restore into the folder was interrupted: the service would start with a part of the data, or with none. */
export function refuseUnfinished(folder: string): void {
	if (existsSync(getRestoring(folder)))
		throw new StartProblem(
			`a restore into ${folder} has not finished: run tripline backup restore again, or delete ${getRestoring(folder)} to use the folder as it is`,
		);
}
