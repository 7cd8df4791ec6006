import { createHash } from "node:crypto";
import type { Binding, Metadata, Module } from "./api.ts";
import { ASSETS_CONFIG, type Asset, hashAsset } from "./assets.ts";
import {
	buildAddress,
	COMPATIBILITY_DATE,
	KEEP_BINDINGS,
	type Names,
	type Role,
	WORKERS,
	type WorkerPlan,
} from "./plan.ts";

/** The account's resources for the deployment. */
export interface Resources {
	readonly names: Names;
	/** Ids by binding. */
	readonly namespaces: ReadonlyMap<string, string>;
	/** Ids by role. */
	readonly databases: ReadonlyMap<Role, string>;
	/** Null if there is none; then nothing is embedded. */
	readonly vectorIndex: string | null;
	/** Null if there is none; then workflows cannot use files. */
	readonly bucket: string | null;
	readonly subdomain: string;
	/** The owner's namespace. */
	readonly namespace: string;
}

/** A worker as it should be deployed. */
export interface Upload {
	readonly role: Role;
	readonly name: string;
	readonly plan: WorkerPlan;
	readonly modules: readonly Module[];
	readonly metadata: Omit<Metadata, "tags">;
	/** Covers everything about the worker except the values of secrets. */
	readonly fingerprint: string;
}

export function buildUpload(
	role: Role,
	modules: readonly Module[],
	resources: Resources,
	schemaVersion: number,
	/** The console's files, for the worker that serves them. */
	files: readonly Asset[] = [],
): Upload {
	const plan = WORKERS[role];
	const assets = plan.assets === undefined ? [] : files;
	const described = {
		main_module: modules[0]?.name ?? "",
		bindings: [...buildBindings(role, resources), ...buildAssetsBinding(plan, assets)],
		compatibility_date: COMPATIBILITY_DATE,
		compatibility_flags: plan.flags,
		keep_bindings: KEEP_BINDINGS,
	};
	const fingerprint = computeFingerprint({
		modules: modules.map(({ name, type, content }) => ({ name, type, sha256: sha256(content) })),
		metadata: described,
		...(assets.length > 0 && {
			assets: Object.fromEntries(assets.map((asset) => [asset.path, hashAsset(asset)])),
			assetsConfig: ASSETS_CONFIG,
		}),
		crons: plan.crons,
		secrets: plan.secrets,
		isPublic: plan.isPublic,
		schemaVersion,
	});
	const metadata = { ...described, ...(assets.length > 0 && { assets }) };
	return { role, name: resources.names.worker(role), plan, modules, metadata, fingerprint };
}

/** Bindings to workers that do not exist yet would make the upload fail. Files follow with the complete upload. */
export function omitBindings(upload: Upload, isThere: (worker: string) => boolean): Upload["metadata"] {
	const { assets: _, ...metadata } = upload.metadata;
	const bindings = metadata.bindings.filter(
		(binding) => binding.type !== "assets" && (binding.type !== "service" || isThere(binding.service)),
	);
	return { ...metadata, bindings };
}

const buildAssetsBinding = (plan: WorkerPlan, assets: readonly Asset[]): readonly Binding[] =>
	plan.assets === undefined || assets.length === 0 ? [] : [{ type: "assets", name: plan.assets }];

function buildBindings(role: Role, resources: Resources): readonly Binding[] {
	const { names, namespaces, databases, vectorIndex, bucket } = resources;
	const plan = WORKERS[role];
	const texts = buildVariables(resources);
	return [
		...plan.kv.map((name) => ({
			type: "kv_namespace" as const,
			name,
			namespace_id: namespaces.get(name) ?? "",
		})),
		...(plan.database === undefined
			? []
			: [{ type: "d1" as const, name: plan.database, id: databases.get(role) ?? "" }]),
		...(plan.vectors === undefined || vectorIndex === null
			? []
			: [
					{ type: "vectorize" as const, name: plan.vectors.index, index_name: vectorIndex },
					{ type: "ai" as const, name: plan.vectors.ai },
				]),
		...(plan.bucket === undefined || bucket === null
			? []
			: [{ type: "r2_bucket" as const, name: plan.bucket, bucket_name: bucket }]),
		...plan.services.map(({ binding, role, entrypoint }) => ({
			type: "service" as const,
			name: binding,
			service: names.worker(role),
			...(entrypoint !== undefined && { entrypoint }),
		})),
		...plan.variables.map((name) => ({ type: "plain_text" as const, name, text: texts[name] })),
	];
}

const buildVariables = ({ names, subdomain, namespace }: Resources) => ({
	MULTI_TENANT: "false",
	NAMESPACE: namespace,
	BASE_URL: buildAddress(names.worker("executor"), subdomain),
	MCP_URL: buildAddress(names.worker("mcp"), subdomain),
});

const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");

/** Independent of the order of object keys. */
const computeFingerprint = (content: object): string =>
	sha256(JSON.stringify(sortKeys(content))).slice(0, 32);

function sortKeys(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sortKeys);
	if (typeof value !== "object" || value === null) return value;
	const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
	return Object.fromEntries(entries.map(([name, inner]) => [name, sortKeys(inner)]));
}
