const PREFIX = "tripline.";
const TOKEN = "tripline.access_token";
const INPUTS = "tripline.inputs.";

export interface Kept {
	readonly preferences: readonly string[];
	readonly inputs: readonly string[];
}

/** The console's keys in browser storage, except the login. */
export function listStoredKeys(keys: readonly string[]): Kept {
	const ours = keys.filter((key) => key.startsWith(PREFIX) && key !== TOKEN);
	return {
		preferences: ours.filter((key) => !key.startsWith(INPUTS)),
		inputs: ours.filter((key) => key.startsWith(INPUTS)),
	};
}
