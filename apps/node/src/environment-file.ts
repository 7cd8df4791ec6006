import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { StartProblem } from "./settings.ts";

/** The variables in the `.env` file of the working folder. */
export function readEnvironmentFile(): NodeJS.Dict<string> {
	try {
		return parseEnv(readFileSync(".env", "utf8"));
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
		throw new StartProblem(`.env cannot be read: ${(error as Error).message}`);
	}
}
