import { randomToken } from "@tripline/contract/ids";
import { createMasterKeyText } from "@tripline/platform/master-key";
import type { CloudflareApi } from "./api.ts";
import { listHolders, type Names, ROLES, type Role, SECRETS, type SecretName } from "./plan.ts";
import { type SavedDeployment, writeSaved } from "./saved-deployment.ts";

const TOKEN_BYTES = 32;

/** Secrets that each worker lacks, with their values. */
export type Lacking = Readonly<Record<Role, ReadonlyMap<SecretName, string>>>;

/**
 * Finds the secrets that workers lack; existing ones are not overwritten, with one exception: a secret that only some of
 * its workers have, and that this machine does not know, gets a new value in all of them, as it cannot be read back.
 */
export async function findLackingSecrets(deps: {
	readonly api: Pick<CloudflareApi, "secretNames">;
	readonly names: Names;
	readonly kept: SavedDeployment;
	readonly keptPath: string;
}): Promise<{ readonly lacking: Lacking; readonly kept: SavedDeployment }> {
	const { api, names, kept } = deps;
	const there = await Promise.all(ROLES.map((role) => api.secretNames(names.worker(role))));
	const lacking = { store: new Map(), registry: new Map(), executor: new Map(), mcp: new Map() };
	const secrets = { ...kept.secrets };
	for (const secret of SECRETS) {
		const holders = listHolders(secret);
		const without = holders.filter((role) => !there[ROLES.indexOf(role)]?.includes(secret));
		if (without.length === 0) continue;
		const roles = secrets[secret] === undefined ? holders : without;
		secrets[secret] ??= createSecret(secret);
		for (const role of roles) lacking[role].set(secret, secrets[secret]);
	}
	const now = { ...kept, secrets };
	// Stored before the first one is set, because a secret cannot be read back from Cloudflare.
	if (ROLES.some((role) => lacking[role].size > 0)) writeSaved(deps.keptPath, now);
	return { lacking, kept: now };
}

const createSecret = (name: SecretName): string =>
	name === "MASTER_KEY" ? createMasterKeyText() : randomToken(TOKEN_BYTES);
