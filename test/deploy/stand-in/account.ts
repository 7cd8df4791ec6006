import type { Assets, VersionAssets } from "./assets.ts";
import type { Binding } from "./bindings.ts";
import type { Runtime } from "./runtime.ts";

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

interface VectorIndex {
	readonly name: string;
	readonly description: string;
	readonly config: { readonly dimensions: number; readonly metric: string };
	readonly created_on: string;
	readonly modified_on: string;
}

export interface Script {
	readonly name: string;
	/** Never changes with uploads. */
	readonly tag: string;
	readonly createdOn: string;
	modifiedOn: string;
	/** Belong to the script, not to a version: a rollback does not change them. */
	tags: readonly string[];
	readonly versions: Version[];
	readonly deployments: Deployment[];
	schedules: readonly { readonly cron: string; readonly created_on: string; readonly modified_on: string }[];
	onSubdomain: { readonly enabled: boolean; readonly previews_enabled: boolean };
}

export interface Version {
	readonly id: string;
	readonly number: number;
	readonly createdOn: string;
	readonly source: "upload" | "secret";
	readonly code: Code;
	readonly bindings: readonly Binding[];
	readonly exports: Exports;
	/** Null: it has none. */
	readonly assets: VersionAssets | null;
	readonly annotations: Readonly<Record<string, string | undefined>>;
}

export interface Code {
	/** The main module first. */
	readonly modules: readonly Module[];
	readonly compatibilityDate: string;
	readonly compatibilityFlags: readonly string[];
	readonly etag: string;
}

export interface Module {
	readonly type: "ESModule" | "CommonJS" | "CompiledWasm" | "Data" | "Text";
	readonly path: string;
	readonly contents: Uint8Array<ArrayBuffer>;
}

/** The exports of a started module. */
export interface Exports {
	readonly handlers: readonly string[];
	readonly entrypoints: readonly string[];
	readonly startupMs: number;
}

export interface Deployment {
	readonly id: string;
	readonly created_on: string;
	readonly source: "api";
	readonly author_email: string;
	readonly strategy: "percentage";
	readonly versions: readonly { readonly version_id: string; readonly percentage: number }[];
	readonly annotations: Readonly<Record<string, string>>;
}

/** The active version: the one with the largest percentage. */
export function findActiveVersion(script: Script): Version | undefined {
	const shares = [...(script.deployments.at(-1)?.versions ?? [])];
	const [first] = shares.sort((one, other) => other.percentage - one.percentage);
	return script.versions.find(({ id }) => id === first?.version_id);
}
