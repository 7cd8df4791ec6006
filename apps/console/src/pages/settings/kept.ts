const PREFIX = "tripline.";
const TOKEN = "tripline.access_token";
const INPUTS = "tripline.inputs.";
const PINS = "tripline.pins.";

export interface Kept {
	readonly preferences: readonly string[];
	readonly inputs: readonly string[];
	readonly pins: readonly string[];
}

/** The console's keys in browser storage, except the login. */
export function listStoredKeys(keys: readonly string[]): Kept {
	const ours = keys.filter((key) => key.startsWith(PREFIX) && key !== TOKEN);
	return {
		preferences: ours.filter((key) => !key.startsWith(INPUTS) && !key.startsWith(PINS)),
		inputs: ours.filter((key) => key.startsWith(INPUTS)),
		pins: ours.filter((key) => key.startsWith(PINS)),
	};
}
