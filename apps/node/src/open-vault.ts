import { WrongMasterKey } from "@tripline/executor/vault/key-check";
import { isVaultInUse, type VaultStorage } from "@tripline/executor/vault/storage";
import { createVault, type Vault } from "@tripline/executor/vault/vault";
import type { Background } from "@tripline/platform/background";
import type { Clock } from "@tripline/platform/clock";
import type { MasterKeys } from "@tripline/platform/master-key";
import { openMasterKeys } from "./master-key.ts";
import { StartProblem } from "./settings.ts";

/** The vault with the master key of this machine, which fits what is stored. */
export async function openVault(deps: {
	file: string;
	storage: VaultStorage;
	background: Background;
	clock: Clock;
}): Promise<Vault> {
	const masterKeys = await openVaultKeys(deps.file, deps.storage);
	const vault = createVault({ ...deps, masterKeys });
	await vault.checkKey().catch((error: unknown) => {
		throw asStartProblem(deps.file, error);
	});
	return vault;
}

export const openVaultKeys = (file: string, storage: VaultStorage): Promise<MasterKeys> =>
	openMasterKeys(file, { isVaultInUse: () => isVaultInUse(storage) });

/** A wrong key is for the operator to mend. */
export const asStartProblem = (file: string, error: unknown): unknown =>
	error instanceof WrongMasterKey ? new StartProblem(`${file}: ${error.message}`) : error;
