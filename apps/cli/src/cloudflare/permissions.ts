import { CliProblem } from "../command.ts";
import type { CloudflareApi } from "./api.ts";
import { ProviderRefused } from "./provider.ts";

/** The account's resources, as far as the token may see them. */
export interface Survey {
	readonly namespaces: Awaited<ReturnType<CloudflareApi["namespaces"]>>;
	readonly databases: Awaited<ReturnType<CloudflareApi["databases"]>>;
	/** Null if the token may not read or not edit them. */
	readonly vectorIndexes: readonly string[] | null;
	readonly scripts: ReadonlyMap<string, readonly string[]>;
	readonly subdomain: string | null;
}

const PERMISSIONS = {
	scripts: "Workers Scripts: Edit",
	kv: "Workers KV Storage: Edit",
	d1: "D1: Edit",
} as const;

const TOKENS_PAGE = "https://dash.cloudflare.com/profile/api-tokens";

/** Checks the token and all needed permissions before anything is changed. */
export async function surveyAccount(api: CloudflareApi, accountId: string): Promise<Survey> {
	await checkToken(api);
	const [scripts, subdomain, namespaces, databases, vectorIndexes, canEdit] = await Promise.all([
		tryRead(api.scripts()),
		tryRead(api.subdomain()),
		tryRead(api.namespaces()),
		tryRead(api.databases()),
		tryOptional(api.vectorIndexes()),
		probeEdits(api),
	]);
	const missing = [
		...(scripts === FORBIDDEN || subdomain === FORBIDDEN || !canEdit.scripts ? [PERMISSIONS.scripts] : []),
		...(namespaces === FORBIDDEN || !canEdit.kv ? [PERMISSIONS.kv] : []),
		...(databases === FORBIDDEN || !canEdit.d1 ? [PERMISSIONS.d1] : []),
	];
	if (
		scripts === FORBIDDEN ||
		subdomain === FORBIDDEN ||
		namespaces === FORBIDDEN ||
		databases === FORBIDDEN ||
		missing.length > 0
	)
		throw missingPermissionsProblem(
			missing,
			accountId,
			[scripts, namespaces, databases].every((found) => found === FORBIDDEN),
		);
	return {
		scripts,
		subdomain,
		namespaces,
		databases,
		vectorIndexes: canEdit.vectors ? vectorIndexes : null,
	};
}

async function checkToken(api: CloudflareApi): Promise<void> {
	const hint = `create one at ${TOKENS_PAGE}, and set CLOUDFLARE_API_TOKEN or pass --api-token`;
	const status = await api.tokenStatus().catch((error: unknown) => {
		if (error instanceof ProviderRefused)
			throw new CliProblem(`the API token is not valid: ${error.message}`, { hint });
		throw error;
	});
	if (status !== "active") throw new CliProblem(`the API token is ${status}`, { hint });
}

const FORBIDDEN = Symbol("forbidden");

async function tryRead<Found>(look: Promise<Found>): Promise<Found | typeof FORBIDDEN> {
	try {
		return await look;
	} catch (error) {
		if (error instanceof ProviderRefused && error.isForbidden) return FORBIDDEN;
		throw error;
	}
}

/** Null if the token may not read it, or the account does not have it. */
async function tryOptional<Found>(look: Promise<Found>): Promise<Found | null> {
	try {
		return await look;
	} catch (error) {
		if (error instanceof ProviderRefused) return null;
		throw error;
	}
}

/** Reading does not imply editing: an invalid edit of each kind is forbidden only to a token without the permission. */
async function probeEdits(api: CloudflareApi) {
	const [scripts, kv, d1, vectors] = await Promise.all(api.impossible().map(isAllowed));
	return { scripts: scripts === true, kv: kv === true, d1: d1 === true, vectors: vectors === true };
}

async function isAllowed(attempt: Promise<unknown>): Promise<boolean> {
	try {
		await attempt;
		return true;
	} catch (error) {
		return !(error instanceof ProviderRefused && error.isForbidden);
	}
}

function missingPermissionsProblem(
	missing: readonly string[],
	accountId: string,
	hasNone: boolean,
): CliProblem {
	const list = missing.join(", ");
	return hasNone
		? new CliProblem(`the API token has no permissions in the account ${accountId}`, {
				hint: `check the account's id; if it is right, give the token these permissions at ${TOKENS_PAGE}: ${list}`,
			})
		: new CliProblem(
				`the API token lacks ${missing.length === 1 ? "a permission" : "permissions"}: ${list}`,
				{
					hint: `add it at ${TOKENS_PAGE}; nothing was changed`,
				},
			);
}
