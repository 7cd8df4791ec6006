import { join } from "node:path";
import { hasProc } from "./child.ts";
import { measureFile } from "./databases/file.ts";
import { compareOneRow } from "./databases/one-row.ts";
import { startDatabase } from "./postgres/deployment.ts";
import type { Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";

/** `sql_query` with a real PostgreSQL, whose own CPU time and memory do not count. */
export async function databasesSuite(onProgress: (what: string) => void): Promise<Section[]> {
	using folder = scratchFolder();
	await using server = await startDatabase();
	return [
		{
			title: "A run that reads one row, CPU: sql_query / the bare driver",
			rows: await compareOneRow(server.url, onProgress),
		},
		...(hasProc
			? [
					{
						title: "Memory of the process",
						rows: await measureFile(server.url, join(folder.path, "service"), onProgress),
					},
				]
			: []),
	];
}
