import { renameSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
	createMasterKeyText,
	importMasterKey,
	type MasterKey,
	type MasterKeys,
} from "@tripline/platform/master-key";
import {
	exists,
	type PrivateFile,
	readPrivate,
	syncFolder,
	toWriteProblem,
	writePrivate,
} from "./private-file.ts";
import { StartProblem } from "./settings.ts";

const toKeyFile = (path: string): PrivateFile => ({
	path,
	alternative: "set MASTER_KEY_FILE to another file",
});

export const masterKeyPath = (
	settings: { MASTER_KEY_FILE?: string | undefined },
	dataFolder: string,
): string =>
	settings.MASTER_KEY_FILE === undefined
		? join(dataFolder, "keys", "master.key")
		: resolve(settings.MASTER_KEY_FILE);

/** During a re-key the next key is stored beside the current one. */
const getNextPath = (file: string): string => `${file}.next`;

/**
 * Opens the master key file and creates it if there is none. A vault that is in use needs its original key: with a new
 * one the service would start but every credential would be lost.
 */
export async function openMasterKeys(
	file: string,
	deps: { isVaultInUse(): Promise<boolean> },
): Promise<MasterKeys> {
	if (!exists(toKeyFile(file)) && !hasNextKey(file)) {
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

/** Reads the next key and creates its file if there is none. */
export async function prepareNextKey(file: string): Promise<MasterKey> {
	if (!hasNextKey(file)) writeKey(getNextPath(file));
	return readKey(getNextPath(file));
}

export const hasNextKey = (file: string): boolean => exists(toKeyFile(getNextPath(file)));

/** Makes the next key the current one. */
export function useNextKey(file: string): void {
	try {
		renameSync(getNextPath(file), file);
		syncFolder(dirname(file));
	} catch (error) {
		throw toWriteProblem(toKeyFile(file), error);
	}
}

async function loadKeys(file: string): Promise<readonly MasterKey[]> {
	const paths = [file, getNextPath(file)].filter((path) => exists(toKeyFile(path)));
	if (paths.length === 0) throw new StartProblem(`${file} is missing: restore the key file`);
	try {
		return await Promise.all(paths.map(readKey));
	} catch (error) {
		// The next key took over between the check and the read.
		if (paths.length === 2 && exists(toKeyFile(file)) && !hasNextKey(file)) return [await readKey(file)];
		throw error;
	}
}

async function readKey(path: string): Promise<MasterKey> {
	const key = await importMasterKey(readPrivate(toKeyFile(path)));
	if (key === null) {
		throw new StartProblem(`${path} is not a master key, which is 32 bytes in base64: restore the key file`);
	}
	return key;
}

const writeKey = (path: string): void => writePrivate(toKeyFile(path), createMasterKeyText());
