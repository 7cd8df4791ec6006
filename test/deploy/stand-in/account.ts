import type { Assets } from "./assets.ts";
import type { Runtime } from "./runtime.ts";
import type { Script } from "./script.ts";

/** The provider's state of the account. */
export interface Account {
	readonly id: string;
	/** The account's part of `<script>.<subdomain>.workers.dev`; null until it is registered. */
	subdomain: string | null;
	/** Names that belong to others. */
	readonly takenSubdomains: ReadonlySet<string>;
	readonly namespaces: Map<string, { readonly id: string; title: string }>;
	readonly databases: Map<string, Database>;
	readonly indexes: Map<string, VectorIndex>;
	/** Null while nobody has enabled R2 in the dashboard. */
	buckets: Map<string, Bucket> | null;
	readonly scripts: Map<string, Script>;
	readonly assets: Assets;
	/** The maximum page size, whatever is requested. */
	readonly mostPerPage: number;
	readonly runtime: Runtime;
}

interface Database {
	readonly uuid: string;
	readonly name: string;
	readonly created_at: string;
}

interface Bucket {
	readonly name: string;
	readonly creation_date: string;
}

interface VectorIndex {
	readonly name: string;
	readonly description: string;
	readonly config: { readonly dimensions: number; readonly metric: string };
	readonly created_on: string;
	readonly modified_on: string;
}
