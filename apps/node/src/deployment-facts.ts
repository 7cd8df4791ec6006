import { readFile } from "node:fs/promises";
import type { Deployment } from "@tripline/executor/http/status";
import type { Sql } from "@tripline/platform/sql";
import manifest from "../package.json" with { type: "json" };
import { type ReadDisk, readDisk } from "./diagnosis/disk.ts";

/** In a checkout and in the package, the file that the version was read from at the start. */
const MANIFEST = new URL("../package.json", import.meta.url);

/** What this machine knows of the deployment. */
export function deploymentFacts(deps: {
	readonly databases: readonly Sql[];
	readonly dataFolder: string;
	readonly readDisk?: ReadDisk | undefined;
}): Deployment {
	return {
		async readFacts() {
			const sizes = await Promise.all(deps.databases.map((sql) => sql.size().catch(() => null)));
			const isKnown = sizes.every((size) => size !== null);
			return {
				platform: `Node ${process.versions.node}, ${process.platform} ${process.arch}`,
				database: {
					kind: deps.databases[0]?.dialect === "postgres" ? "postgres" : "sqlite",
					size_bytes: isKnown ? sizes.reduce((sum, size) => sum + size, 0) : null,
					ok: deps.databases.every((sql) => (sql.trouble?.() ?? null) === null),
				},
				disk: await (deps.readDisk ?? readDisk)(deps.dataFolder).catch(() => null),
			};
		},
		async findInstalled() {
			try {
				const { version } = JSON.parse(await readFile(MANIFEST, "utf8")) as { version?: unknown };
				return typeof version === "string" && version !== manifest.version ? version : null;
			} catch {
				return null;
			}
		},
	};
}
