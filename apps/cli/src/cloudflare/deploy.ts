import { CliProblem } from "../command.ts";
import { readSecret, requireSetting } from "../config.ts";
import type { Io } from "../io.ts";
import { isSecret } from "../settings.ts";
import type { CloudflareApi } from "./api.ts";
import { loadBundles } from "./bundles.ts";
import { checkReadiness, TRIES } from "./health.ts";
import { getNewestVersion, migrate } from "./migrate.ts";
import { surveyAccount } from "./permissions.ts";
import { buildAddress, buildNames, type Names, ROLES } from "./plan.ts";
import type { WorkerOutcome } from "./replacement.ts";
import { makeResources } from "./resources.ts";
import { getSavedPath, readSaved, writeSaved } from "./saved-deployment.ts";
import { findLackingSecrets } from "./secrets.ts";
import { seed } from "./seed.ts";
import { listStrangers } from "./tags.ts";
import { buildUpload } from "./upload.ts";
import { deployWorkers, makeWorkers } from "./workers.ts";

export interface Deployment {
	readonly version: string;
	readonly urls: { readonly base_url: string; readonly mcp_url: string; readonly registry_url: string };
	readonly migrations: readonly string[];
	readonly workers: readonly WorkerOutcome[];
	/** The executor's answer to seeding its recipes; null if it was not asked. */
	readonly seeded: unknown;
	/** What does not work, each with a hint. */
	readonly problems: readonly { readonly error: string; readonly hint: string }[];
	readonly secretsFile: string;
}

interface Options {
	readonly io: Io;
	readonly api: CloudflareApi;
	readonly accountId: string;
	readonly prefix: string;
	readonly isForced: boolean;
	/** Requires an existing deployment. */
	readonly isUpdate: boolean;
	progress(what: string): void;
}

/** A new address may take a minute to answer. */
const NEW_ADDRESS_TRIES = 90;

/**
 * Deploys this version to the account. Every step detects what is already done, so that after any interruption running
 * it again continues from there.
 */
export async function deploy(options: Options): Promise<Deployment> {
	const { io, api, accountId, progress } = options;
	const names = buildNames(options.prefix);
	const secretsFile = getSavedPath(io, accountId, names.prefix);
	const before = readSaved(secretsFile);
	const namespace = readNamespace(io);
	const found = await surveyAccount(api, accountId);
	assertNames(found.scripts, names, options.isUpdate);
	const { version, modules, migrations, assets } = await loadBundles(io, progress);
	const resources = await makeResources({ api, accountId, names, namespace, progress }, found);
	const applied: string[] = [];
	for (const [role, database] of resources.databases)
		applied.push(...(await migrate({ api, database, migrations: migrations[role] ?? [], progress })));
	const schema = getNewestVersion(migrations.store ?? []);
	const uploads = ROLES.map((role) => buildUpload(role, modules[role], resources, schema, assets));
	const urls = buildUrls(names, resources.subdomain);
	const deps = { api, io, resources, scripts: found.scripts, progress };
	await makeWorkers(deps, uploads);
	const known = { ...before, base_url: urls.base_url };
	const { lacking, kept: now } = await findLackingSecrets({ api, names, kept: known, keptPath: secretsFile });
	const workers = await deployWorkers({ ...deps, lacking }, uploads, options.isForced);
	const isNew = !found.scripts.has(names.worker("executor"));
	if (isNew) progress("waiting for the addresses to answer");
	const tries = isNew ? NEW_ADDRESS_TRIES : workers.every(({ status }) => status === "unchanged") ? 1 : TRIES;
	const problems = [...listFailures(workers), ...(await listUnready(io, Object.values(urls), tries))];
	const seeded = problems.length === 0 ? await seedOnce() : null;
	return { version, urls, migrations: applied, workers, problems, secretsFile, seeded };

	async function seedOnce(): Promise<unknown> {
		const executor = uploads.find(({ role }) => role === "executor")?.fingerprint ?? null;
		if (now.seeded === executor) return null;
		const token = now.secrets.SERVICE_ACCESS_TOKEN ?? readSecret(io, "SERVICE_ACCESS_TOKEN");
		if (token === undefined) {
			progress(
				"the recipes were not seeded: set SERVICE_ACCESS_TOKEN to the executor's token and run this again",
			);
			return null;
		}
		progress("seeding the recipes");
		const answer = await seed(io, urls.base_url, token);
		writeSaved(secretsFile, { ...now, seeded: executor });
		return answer;
	}
}

function readNamespace(io: Io): string {
	const namespace = requireSetting(io, "namespace");
	if (!isSecret(namespace)) return namespace;
	throw new CliProblem("NAMESPACE is a partner key, but your own deployment uses plain namespaces", {
		hint: "set NAMESPACE to a name, or leave it unset",
	});
}

const buildUrls = (names: Names, subdomain: string): Deployment["urls"] => ({
	base_url: buildAddress(names.worker("executor"), subdomain),
	mcp_url: buildAddress(names.worker("mcp"), subdomain),
	registry_url: buildAddress(names.worker("registry"), subdomain),
});

const listFailures = (workers: readonly WorkerOutcome[]): Deployment["problems"] =>
	workers.flatMap(({ worker, error, hint = "" }) =>
		error === undefined ? [] : [{ error: `${worker}: ${error}`, hint }],
	);

async function listUnready(io: Io, urls: readonly string[], tries: number): Promise<Deployment["problems"]> {
	const reasons = await Promise.all(urls.map((url) => checkReadiness(io, url, tries)));
	const hint = "run this again in a minute; if it keeps failing, see the worker's log";
	return reasons.flatMap((error) => (error === null ? [] : [{ error, hint }]));
}

function assertNames(scripts: ReadonlyMap<string, readonly string[]>, names: Names, isUpdate: boolean): void {
	const [stranger] = listStrangers(scripts, names);
	if (stranger !== undefined)
		throw new CliProblem(`the account has a worker ${stranger} that does not belong to this deployment`, {
			hint: "choose another name for the deployment: tripline init --name <name>",
		});
	if (isUpdate && !scripts.has(names.worker("executor")))
		throw new CliProblem(`the account has no deployment ${names.prefix}`, {
			hint: "create it with tripline init, or name another: tripline update --name <name>",
		});
}
