import { REQUIRED_KV_NAMESPACES } from "@tripline/registry/settings";

export const ROLES = ["store", "registry", "executor", "mcp"] as const;
export type Role = (typeof ROLES)[number];

export const COMPATIBILITY_DATE = "2026-07-01";

/** Variables that are added in the dashboard stay, and so do secrets. */
export const KEEP_BINDINGS = ["plain_text", "secret_text", "secret_key"] as const;

/** For the vectors of Workers AI's model. */
export const VECTOR_INDEX = { dimensions: 1024, metric: "cosine" } as const;

export const SECRETS = [
	"STORE_INTERNAL_TOKEN",
	"MASTER_KEY",
	"SERVICE_ACCESS_TOKEN",
	"REGISTRY_ADMIN_TOKEN",
	"MCP_OWNER_SECRET",
] as const;
export type SecretName = (typeof SECRETS)[number];

/** A worker of the deployment, whatever account it is for. */
export interface WorkerPlan {
	readonly kv: readonly string[];
	/** The binding of the database. */
	readonly database?: string;
	/** The bindings of the vector index and of Workers AI, where the account has them. */
	readonly vectors?: { readonly index: string; readonly ai: string };
	readonly services: readonly {
		readonly binding: string;
		readonly role: Role;
		readonly entrypoint?: string;
	}[];
	readonly secrets: readonly SecretName[];
	readonly variables: readonly ("MULTI_TENANT" | "NAMESPACE" | "BASE_URL" | "MCP_URL")[];
	readonly crons: readonly string[];
	readonly flags: readonly string[];
	/** The binding of the files that it serves, where there are any. */
	readonly assets?: string;
	/** Has an address of its own; others reach it by their bindings only. */
	readonly isPublic: boolean;
}

const EVERY_MINUTE = "* * * * *";
/** Without it no worker is told that its caller has hung up. */
const HANG_UP = "enable_request_signal";

/** What the deployment consists of, in the order in which it is deployed: first what others are bound to. */
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
		flags: [HANG_UP],
		assets: "ASSETS",
		isPublic: true,
	},
};

/** Which workers have a secret: all get the same. */
export const holdersOf = (secret: SecretName): readonly Role[] =>
	ROLES.filter((role) => WORKERS[role].secrets.includes(secret));

/** Names of all that a deployment makes; they begin with the one that was chosen for it. */
export interface Names {
	readonly prefix: string;
	readonly database: string;
	readonly vectorIndex: string;
	worker(role: Role): string;
	namespace(binding: string): string;
}

export const namesOf = (prefix: string): Names => ({
	prefix,
	database: `${prefix}-store`,
	vectorIndex: `${prefix}-store`,
	worker: (role) => `${prefix}-${role}`,
	namespace: (binding) => `${prefix}-${binding}`,
});

export const DEFAULT_PREFIX = "tripline";

/** What is wrong with the chosen name, or null: it is part of host names. */
export const prefixProblem = (prefix: string): string | null =>
	/^[a-z](?:[a-z0-9-]{0,30}[a-z0-9])?$/.test(prefix)
		? null
		: "a deployment's name has 1 to 32 small letters, digits and hyphens, begins with a letter and does not end with a hyphen";

export const addressOf = (worker: string, subdomain: string): string =>
	`https://${worker}.${subdomain}.workers.dev`;
