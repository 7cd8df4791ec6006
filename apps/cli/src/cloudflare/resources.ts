import { createHash, randomBytes } from "node:crypto";
import { CliProblem } from "../command.ts";
import type { CloudflareApi } from "./api.ts";
import type { Survey } from "./permissions.ts";
import { type Names, ROLES, type Role, VECTOR_INDEX, WORKERS } from "./plan.ts";
import { ProviderRefused } from "./provider.ts";
import { FILES_TAG, VECTORS_TAG } from "./tags.ts";
import type { Resources } from "./upload.ts";

interface Deps {
	readonly api: CloudflareApi;
	readonly accountId: string;
	readonly names: Names;
	/** The owner's namespace. */
	readonly namespace: string;
	progress(what: string): void;
}

/** Creates the resources that the account lacks; existing ones are found by name. */
export async function makeResources(deps: Deps, found: Survey): Promise<Resources> {
	return {
		names: deps.names,
		namespace: deps.namespace,
		namespaces: await ensureNamespaces(deps, found),
		databases: await ensureDatabases(deps, found),
		vectorIndex: await ensureVectorIndex(deps, found),
		bucket: await ensureBucket(deps, found),
		subdomain: found.subdomain ?? (await chooseSubdomain(deps)),
	};
}

async function ensureNamespaces(
	{ api, names, progress }: Deps,
	found: Survey,
): Promise<ReadonlyMap<string, string>> {
	const ids = new Map<string, string>();
	for (const binding of ROLES.flatMap((role) => WORKERS[role].kv)) {
		const title = names.namespace(binding);
		const there = found.namespaces.find((each) => each.title === title);
		if (there === undefined) progress(`creating the KV namespace ${title}`);
		ids.set(binding, (there ?? (await api.createNamespace(title))).id);
	}
	return ids;
}

async function ensureDatabases(
	{ api, names, progress }: Deps,
	found: Survey,
): Promise<ReadonlyMap<Role, string>> {
	const ids = new Map<Role, string>();
	for (const role of ROLES.filter((each) => WORKERS[each].database !== undefined)) {
		const name = names.database(role);
		const there = found.databases.find((each) => each.name === name);
		if (there === undefined) progress(`creating the D1 database ${name}`);
		ids.set(role, (there ?? (await api.createDatabase(name))).uuid);
	}
	return ids;
}

/** Optional: without it nothing is embedded, and everything else works. */
async function ensureVectorIndex({ api, names, progress }: Deps, found: Survey): Promise<string | null> {
	const name = names.vectorIndex;
	if (found.vectorIndexes === null) {
		if (found.scripts.get(names.worker("store"))?.includes(VECTORS_TAG)) return name;
		progress("no semantic search: the API token lacks the permission Vectorize: Edit");
		return null;
	}
	if (found.vectorIndexes.includes(name)) return name;
	progress(`creating the Vectorize index ${name}`);
	try {
		await api.createVectorIndex(name, VECTOR_INDEX);
		return name;
	} catch (error) {
		if (!(error instanceof ProviderRefused)) throw error;
		progress(`no semantic search: ${error.message}`);
		return null;
	}
}

/** Cloudflare's error code for an account in which nobody has enabled R2. */
const R2_NOT_ENABLED = 10042;

/** Optional: without it workflows cannot use files, and everything else works. An existing bucket is never changed. */
async function ensureBucket({ api, names, progress }: Deps, found: Survey): Promise<string | null> {
	const name = names.bucket;
	try {
		if (await api.hasBucket(name)) return name;
		progress(`creating the R2 bucket ${name}`);
		await api.createBucket(name);
		return name;
	} catch (error) {
		if (!(error instanceof ProviderRefused)) throw error;
		const isInUse = found.scripts.get(names.worker("executor"))?.includes(FILES_TAG) === true;
		// Another token created it; this one may not see it.
		if (isInUse && error.isForbidden && error.providerCode !== R2_NOT_ENABLED) return name;
		progress(`no files: ${explainNoBucket(error)}`);
		return null;
	}
}

function explainNoBucket(error: ProviderRefused): string {
	if (error.providerCode === R2_NOT_ENABLED)
		return "R2 is not enabled in the account: enable it in the dashboard (R2 Object Storage), then run tripline update";
	return error.isForbidden ? "the API token lacks the permission Workers R2 Storage: Edit" : error.message;
}

const MAX_SUBDOMAIN_TRIES = 3;

/** Without a subdomain, the account's workers have no addresses. */
async function chooseSubdomain({ api, accountId, names, progress }: Deps): Promise<string> {
	// Derived from the account, so that a repeated run asks for the same subdomain.
	let mark = createHash("sha256").update(accountId).digest("hex").slice(0, 8);
	for (let tried = 1; ; tried++) {
		const subdomain = `${names.prefix}-${mark}`;
		progress(`choosing the subdomain ${subdomain}.workers.dev`);
		try {
			await api.putSubdomain(subdomain);
			return subdomain;
		} catch (error) {
			if (!(error instanceof ProviderRefused)) throw error;
			if (tried === MAX_SUBDOMAIN_TRIES)
				throw new CliProblem(error.message, {
					hint: "choose a workers.dev subdomain in the dashboard (Workers & Pages), then run this again",
				});
			mark = randomBytes(4).toString("hex");
		}
	}
}
