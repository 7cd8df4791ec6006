import { importMasterKey, type MasterKey, type MasterKeys } from "./master-key.ts";

/** Master keys from secrets or settings, which do not change while the service runs. */
export function secretMasterKeys(secrets: {
	readonly MASTER_KEY?: string | undefined;
	/** Only while re-keying. */
	readonly MASTER_KEY_NEXT?: string | undefined;
}): MasterKeys {
	let loaded: Promise<readonly MasterKey[]> | undefined;
	return {
		load() {
			loaded ??= load();
			return loaded;
		},
	};

	async function load(): Promise<readonly MasterKey[]> {
		const current = await readSecret("MASTER_KEY");
		if (current === null) throw new Error("MASTER_KEY is not set: set it to 32 random bytes in base64");
		const next = await readSecret("MASTER_KEY_NEXT");
		return next === null ? [current] : [current, next];
	}

	async function readSecret(name: keyof typeof secrets): Promise<MasterKey | null> {
		const text = secrets[name];
		if (text === undefined || text === "") return null;
		const key = await importMasterKey(text);
		if (key === null) throw new Error(`${name} is not a master key: it must be 32 bytes in base64`);
		return key;
	}
}
