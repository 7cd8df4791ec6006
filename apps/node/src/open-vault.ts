import { WrongMasterKey } from "@tripline/executor/vault/key-check";
import { vaultOperations } from "@tripline/executor/vault/operations";
import { isVaultInUse, type VaultStorage } from "@tripline/executor/vault/storage";
import { createVault, type Vault } from "@tripline/executor/vault/vault";
import type { Background } from "@tripline/platform/background";
import type { Clock } from "@tripline/platform/clock";
import { type Log, toErrorFields } from "@tripline/platform/log";
import type { MasterKeys } from "@tripline/platform/master-key";
import { secretMasterKeys } from "@tripline/platform/master-key.secrets";
import { StoreUnavailable } from "@tripline/store/client";
import { openMasterKeys } from "./master-key.ts";
import { type Settings, StartProblem } from "./settings.ts";

/** Opens the vault and checks that the master key matches it. */
export async function openVault(deps: {
	file: string;
	/** Instead of the file. */
	masterKeys?: MasterKeys | null;
	storage: VaultStorage;
	background: Background;
	clock: Clock;
}): Promise<Vault> {
	const { file, storage } = deps;
	try {
		const masterKeys = deps.masterKeys ?? (await openVaultKeys(file, storage));
		const vault = createVault({ ...deps, masterKeys });
		await vault.checkKey();
		return vault;
	} catch (error) {
		throw toStartProblem(deps.masterKeys ? "MASTER_KEY" : file, error);
	}
}

/** Null if the master key is in a file. */
export async function readMasterKeys(
	settings: Pick<Settings, "MASTER_KEY" | "MASTER_KEY_NEXT">,
): Promise<MasterKeys | null> {
	if (settings.MASTER_KEY === undefined) return null;
	const keys = secretMasterKeys(settings);
	try {
		await keys.load();
		return keys;
	} catch (error) {
		throw new StartProblem((error as Error).message);
	}
}

/** Re-keys the vault once the settings have another master key. */
export async function followMasterKeys(deps: {
	masterKeys: MasterKeys;
	storage: VaultStorage;
	clock: Clock;
	log: Log;
}): Promise<void> {
	try {
		const result = await vaultOperations(deps).followMasterKeys();
		if (result !== "unchanged") deps.log("info", `master keys: ${result}`);
	} catch (error) {
		deps.log("error", "master keys cannot be used", toErrorFields(error));
	}
}

export const openVaultKeys = (file: string, storage: VaultStorage): Promise<MasterKeys> =>
	openMasterKeys(file, { isVaultInUse: () => isVaultInUse(storage) });

/** A wrong key and an unreachable store are problems that the operator can fix. */
export function toStartProblem(where: string, error: unknown): unknown {
	if (error instanceof WrongMasterKey) return new StartProblem(`${where}: ${error.message}`);
	if (error instanceof StoreUnavailable)
		return new StartProblem("STORE_BASE_URL does not answer: start the store first, or correct the address");
	return error;
}
