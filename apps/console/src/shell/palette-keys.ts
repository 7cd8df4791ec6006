import type { PlaceId } from "./routes.ts";

/** Second keys after "g". */
export const PLACE_KEYS: Readonly<Record<PlaceId, string>> = {
	overview: "o",
	workflows: "w",
	executions: "e",
	knowledge: "k",
	graph: "g",
	components: "c",
	credentials: "r",
	connect: "a",
	settings: "s",
};
const PLACE_BY_KEY = new Map(Object.entries(PLACE_KEYS).map(([place, key]) => [key, place as PlaceId]));

type Step =
	| { readonly go: PlaceId }
	| { readonly does: "wait" | "help" }
	/** Not a shortcut. */
	| null;

/** The meaning of a key, alone or after "g". */
export function resolveKey(key: string, isAfterG: boolean): Step {
	if (isAfterG) {
		const place = PLACE_BY_KEY.get(key);
		return place === undefined ? null : { go: place };
	}
	if (key === "g") return { does: "wait" };
	return key === "?" ? { does: "help" } : null;
}
