import type { VersionAssets } from "./assets.ts";
import type { Binding } from "./bindings.ts";

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
