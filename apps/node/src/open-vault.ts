import { WrongMasterKey } from "@tripline/executor/vault/key-check";
import { isVaultInUse, type VaultStorage } from "@tripline/executor/vault/storage";
import { createVault, type Vault } from "@tripline/executor/vault/vault";
import type { Background } from "@tripline/platform/background";
import type { Clock } from "@tripline/platform/clock";
import type { MasterKeys } from "@tripline/platform/master-key";
import { StoreUnavailable } from "@tripline/store/client";
import { openMasterKeys } from "./master-key.ts";
import { StartProblem } from "./settings.ts";

/** Opens the vault and checks that this machine's master key matches it. */
export async function openVault(deps: {
	file: string;
	storage: VaultStorage;
	background: Background;
	clock: Clock;
}): Promise<Vault> {
	try {
		const masterKeys = await openVaultKeys(deps.file, deps.storage);
		const vault = createVault({ ...deps, masterKeys });
		await vault.checkKey();
		return vault;
	} catch (error) {
		throw toStartProblem(deps.file, error);
	}
}

export const openVaultKeys = (file: string, storage: VaultStorage): Promise<MasterKeys> =>
	openMasterKeys(file, { isVaultInUse: () => isVaultInUse(storage) });

/** A wrong key and an unreachable store are problems that the operator can fix. */
export function toStartProblem(file: string, error: unknown): unknown {
	if (error instanceof WrongMasterKey) return new StartProblem(`${file}: ${error.message}`);
	if (error instanceof StoreUnavailable)
		return new StartProblem("STORE_BASE_URL does not answer: start the store first, or correct the address");
	return error;
}
