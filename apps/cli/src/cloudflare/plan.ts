import { REQUIRED_KV_NAMESPACES } from "@tripline/registry/settings";

export const ROLES = ["store", "registry", "executor", "mcp"] as const;
export type Role = (typeof ROLES)[number];

export const COMPATIBILITY_DATE = "2026-07-01";

/** Variables added in the dashboard are kept, and so are secrets. */
export const KEEP_BINDINGS = ["plain_text", "secret_text", "secret_key"] as const;

/** Matches the vectors of the Workers AI model. */
export const VECTOR_INDEX = { dimensions: 1024, metric: "cosine" } as const;

export const SECRETS = [
	"STORE_INTERNAL_TOKEN",
	"MASTER_KEY",
	"SERVICE_ACCESS_TOKEN",
	"REGISTRY_ADMIN_TOKEN",
	"MCP_OWNER_SECRET",
] as const;
export type SecretName = (typeof SECRETS)[number];

/** A worker of the deployment, independent of the account. */
export interface WorkerPlan {
	readonly kv: readonly string[];
	/** The binding of its own database. */
	readonly database?: string;
	/** The bindings of the vector index and of Workers AI, if the account has them. */
	readonly vectors?: { readonly index: string; readonly ai: string };
	/** The binding of the bucket for files, if the account has R2. */
	readonly bucket?: string;
	readonly services: readonly {
		readonly binding: string;
		readonly role: Role;
		readonly entrypoint?: string;
	}[];
	readonly secrets: readonly SecretName[];
	readonly variables: readonly ("MULTI_TENANT" | "NAMESPACE" | "BASE_URL" | "MCP_URL")[];
	readonly crons: readonly string[];
	readonly flags: readonly string[];
	/** The binding of the files that it serves, if any. */
	readonly assets?: string;
	/** Whether it has an address of its own; otherwise it is reachable only through bindings. */
	readonly isPublic: boolean;
}

const EVERY_MINUTE = "* * * * *";
/** Without this flag a worker does not learn that its caller has disconnected. */
const HANG_UP = "enable_request_signal";

/** All workers, in deployment order: first those that others are bound to. */
export const WORKERS: Readonly<Record<Role, WorkerPlan>> = {
	store: {
		kv: [],
		database: "STORE_DB",
		vectors: { index: "VECTORIZE", ai: "AI" },
		services: [{ binding: "EXECUTOR", role: "executor", entrypoint: "Runs" }],
		secrets: ["STORE_INTERNAL_TOKEN"],
		variables: ["MULTI_TENANT", "NAMESPACE"],
		crons: [EVERY_MINUTE],
		flags: ["nodejs_compat"],
		isPublic: false,
	},
	registry: {
		kv: REQUIRED_KV_NAMESPACES,
		services: [],
		secrets: ["SERVICE_ACCESS_TOKEN", "REGISTRY_ADMIN_TOKEN"],
		variables: [],
		crons: [],
		flags: ["nodejs_compat"],
		isPublic: true,
	},
	executor: {
		kv: ["WORKFLOWS_KV"],
		database: "EXECUTOR_DB",
		bucket: "FILES",
		services: [
			{ binding: "STORE", role: "store" },
			{ binding: "REGISTRY", role: "registry" },
			{ binding: "RUNS", role: "executor", entrypoint: "Runs" },
		],
		secrets: ["STORE_INTERNAL_TOKEN", "MASTER_KEY", "SERVICE_ACCESS_TOKEN"],
		variables: ["MULTI_TENANT", "BASE_URL"],
		crons: [EVERY_MINUTE],
		flags: ["nodejs_compat", HANG_UP],
		isPublic: true,
	},
	mcp: {
		kv: ["OAUTH_KV"],
		services: [
			{ binding: "STORE", role: "store" },
			{ binding: "EXECUTOR", role: "executor", entrypoint: "Internal" },
			{ binding: "REGISTRY", role: "registry" },
		],
		secrets: ["STORE_INTERNAL_TOKEN", "MCP_OWNER_SECRET"],
		variables: ["MULTI_TENANT", "NAMESPACE", "BASE_URL", "MCP_URL"],
		crons: [],
		flags: ["nodejs_als", HANG_UP],
		assets: "ASSETS",
		isPublic: true,
	},
};

/** The workers that hold a secret; all get the same value. */
export const listHolders = (secret: SecretName): readonly Role[] =>
	ROLES.filter((role) => WORKERS[role].secrets.includes(secret));

/** The names of everything a deployment creates; all begin with the deployment's name. */
export interface Names {
	readonly prefix: string;
	/** Of the worker that has one. */
	database(role: Role): string;
	readonly vectorIndex: string;
	readonly bucket: string;
	worker(role: Role): string;
	namespace(binding: string): string;
}

export const buildNames = (prefix: string): Names => ({
	prefix,
	database: (role) => `${prefix}-${role}`,
	vectorIndex: `${prefix}-store`,
	bucket: `${prefix}-files`,
	worker: (role) => `${prefix}-${role}`,
	namespace: (binding) => `${prefix}-${binding}`,
});

export const DEFAULT_PREFIX = "tripline";

/** What is wrong with a deployment's name, or null. It is part of host names. */
export const findPrefixProblem = (prefix: string): string | null =>
	/^[a-z](?:[a-z0-9-]{0,30}[a-z0-9])?$/.test(prefix)
		? null
		: "a deployment's name must be 1 to 32 lower-case letters, digits and hyphens, begin with a letter and not end with a hyphen";

export const buildAddress = (worker: string, subdomain: string): string =>
	`https://${worker}.${subdomain}.workers.dev`;
