import { keyCheck, WrongMasterKey } from "@tripline/executor/vault/key-check";
import { masterRing } from "@tripline/executor/vault/master-ring";
import { isVaultInUse, type VaultStorage } from "@tripline/executor/vault/storage";
import type { MasterKeys } from "@tripline/platform/master-key";
import { masterKeyPath, openMasterKeys } from "../master-key.ts";
import { readMasterKeys } from "../open-vault.ts";
import { ownerSecretPath } from "../owner-secret.ts";
import { exists, readPrivate } from "../private-file.ts";
import { type Settings, StartProblem } from "../settings.ts";
import { type Check, fail, ok, warn } from "./check.ts";

/** Whether the master key is there, private, and the one that opens the vault. */
export async function checkMasterKey(
	settings: Settings,
	folder: string,
	/** Null if there is no database to compare it with. */
	vault: VaultStorage | null,
): Promise<Check> {
	const name = "master key";
	const file = masterKeyPath(settings, folder);
	const where = settings.MASTER_KEY === undefined ? file : "MASTER_KEY";
	try {
		const isUsed = vault !== null && (await isVaultInUse(vault));
		const isNew = settings.MASTER_KEY === undefined && !exists({ path: file, alternative: "" });
		if (isNew && !isUsed) return ok(name, `${file} does not exist yet: the first start creates it`);
		const keys = (await readMasterKeys(settings)) ?? (await openExisting(file));
		if (!isUsed) return ok(name, `${where} is a master key; the vault is empty`);
		await keyCheck({ masters: masterRing(keys), storage: vault }).verify();
		return ok(name, `${where} opens the vault`);
	} catch (error) {
		if (error instanceof WrongMasterKey)
			return fail(
				name,
				`${where} does not open the vault`,
				"restore the key that the vault was created with; without it credentials cannot be read",
			);
		if (error instanceof StartProblem) return split(name, error);
		throw error;
	}
}

/** Never creates a key, unlike the service. */
const openExisting = (file: string): Promise<MasterKeys> =>
	openMasterKeys(file, { isVaultInUse: async () => true });

export function checkOwnerSecret(settings: Settings, folder: string): Check {
	const name = "owner secret";
	const { MCP_OWNER_SECRET: secret } = settings;
	if (secret === "")
		return warn(
			name,
			"MCP_OWNER_SECRET is empty, so nobody can log in",
			"leave it unset, or set it to a secret",
		);
	if (secret !== undefined) return ok(name, "MCP_OWNER_SECRET is set");
	const file = { path: ownerSecretPath(folder), alternative: "set MCP_OWNER_SECRET" };
	try {
		if (!exists(file)) return ok(name, `${file.path} does not exist yet: the first start creates it`);
		readPrivate(file);
		return ok(name, `${file.path} is private`);
	} catch (error) {
		if (error instanceof StartProblem) return split(name, error);
		throw error;
	}
}

/** Problems of a start say what is wrong, a colon, and what to do. */
export function split(name: string, { message }: StartProblem): Check {
	const end = message.lastIndexOf(": ");
	return end === -1
		? fail(name, message, "correct it, and run this again")
		: fail(name, message.slice(0, end), message.slice(end + 2));
}
