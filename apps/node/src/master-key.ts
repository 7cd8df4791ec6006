import { renameSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type MasterKeys, masterKeyOf, newMasterKeyText } from "@tripline/platform/master-key";
import type { VaultKey } from "@tripline/platform/vault";
import {
	cannotWrite,
	isThere,
	type PrivateFile,
	readPrivate,
	syncFolder,
	writePrivate,
} from "./private-file.ts";
import { StartProblem } from "./settings.ts";

const keyFile = (path: string): PrivateFile => ({ path, instead: "set MASTER_KEY_FILE to another file" });

export const masterKeyPath = (
	settings: { MASTER_KEY_FILE?: string | undefined },
	dataFolder: string,
): string =>
	settings.MASTER_KEY_FILE === undefined
		? join(dataFolder, "keys", "master.key")
		: resolve(settings.MASTER_KEY_FILE);

/** While re-keying the key that will take over lies beside the one in use. */
const nextPath = (file: string): string => `${file}.next`;

/**
 * The master key in its file, made when there is none. A vault that is in use already needs the key it was made with:
 * a new one beside it would look like a start and lose every credential.
 */
export async function openMasterKeys(
	file: string,
	deps: { isVaultInUse(): Promise<boolean> },
): Promise<MasterKeys> {
	if (!isThere(keyFile(file)) && !hasNextKey(file)) {
		if (await deps.isVaultInUse()) {
			throw new StartProblem(
				`${file} is missing, but there are credentials sealed with it: restore the key file, or set MASTER_KEY_FILE to where it is`,
			);
		}
		writeKey(file);
	}
	const keys: MasterKeys = { load: () => loadKeys(file) };
	await keys.load();
	return keys;
}

/** The next key's file, made when there is none. */
export async function prepareNextKey(file: string): Promise<VaultKey> {
	if (!hasNextKey(file)) writeKey(nextPath(file));
	return readKey(nextPath(file));
}

export const hasNextKey = (file: string): boolean => isThere(keyFile(nextPath(file)));

/** From here on the next key is the one in use. */
export function useNextKey(file: string): void {
	try {
		renameSync(nextPath(file), file);
		syncFolder(dirname(file));
	} catch (error) {
		throw cannotWrite(keyFile(file), error);
	}
}

async function loadKeys(file: string): Promise<readonly VaultKey[]> {
	const paths = [file, nextPath(file)].filter((path) => isThere(keyFile(path)));
	if (paths.length === 0) throw new StartProblem(`${file} is missing: restore the key file`);
	try {
		return await Promise.all(paths.map(readKey));
	} catch (error) {
		// The next key took over between looking and reading.
		if (paths.length === 2 && isThere(keyFile(file)) && !hasNextKey(file)) return [await readKey(file)];
		throw error;
	}
}

async function readKey(path: string): Promise<VaultKey> {
	const key = await masterKeyOf(readPrivate(keyFile(path)));
	if (key === null) {
		throw new StartProblem(`${path} is not a master key, which is 32 bytes in base64: restore the key file`);
	}
	return key;
}

const writeKey = (path: string): void => writePrivate(keyFile(path), newMasterKeyText());
