/** In the order in which they are locked and copied. */
export const BACKED_UP = ["store", "kv", "executor"] as const;
export type BackedUp = (typeof BACKED_UP)[number];

export const MANIFEST_PATH = "manifest.json";

export interface DatabaseSummary {
	readonly bytes: number;
	readonly sha256: string;
	/** Rows by table. */
	readonly tables: Readonly<Record<string, number>>;
}

/** The last entry of an archive: what the others are. */
export interface Manifest {
	/** The moment that all databases are from, ISO 8601. */
	readonly at: string;
	/** Of the service that made it. */
	readonly version: string;
	readonly databases: Readonly<Partial<Record<BackedUp, DatabaseSummary>>>;
	/** Null if files were left out. */
	readonly files: {
		readonly count: number;
		readonly bytes: number;
		/** Listed by the store, but their bytes could not be found. */
		readonly missing: readonly string[];
	} | null;
}
