import type { PlaceId } from "./routes.ts";

/** After "g". */
export const PLACE_KEYS: Readonly<Record<string, PlaceId>> = {
	o: "overview",
	w: "workflows",
	e: "executions",
	k: "knowledge",
	g: "graph",
	c: "components",
	a: "connect",
	s: "settings",
};

type Step =
	| { readonly go: PlaceId }
	| { readonly does: "wait" | "help" }
	/** Not ours. */
	| null;

/** What a key means, by itself or after "g". */
export function stepOf(key: string, isAfterG: boolean): Step {
	if (isAfterG) {
		const place = Object.hasOwn(PLACE_KEYS, key) ? PLACE_KEYS[key] : undefined;
		return place === undefined ? null : { go: place };
	}
	if (key === "g") return { does: "wait" };
	return key === "?" ? { does: "help" } : null;
}
