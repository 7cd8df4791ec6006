import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Every file below the folder, by its path there. */
export const readFiles = (folder: string): readonly (readonly [string, Buffer])[] =>
	globSync("**", { cwd: folder })
		.filter((file) => statSync(join(folder, file)).isFile())
		.map((file) => [file, readFileSync(join(folder, file))] as const);
