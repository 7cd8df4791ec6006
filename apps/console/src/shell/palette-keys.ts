import { PLACES } from "./places.ts";

type Step =
	/** The path of a page. */
	| { readonly go: string }
	| { readonly does: "wait" | "help" }
	/** Not a shortcut. */
	| null;

/** The meaning of a key, alone or after "g". */
export function resolveKey(key: string, isAfterG: boolean): Step {
	if (isAfterG) {
		const place = PLACES.find((each) => each.key === key);
		return place === undefined ? null : { go: place.path };
	}
	if (key === "g") return { does: "wait" };
	return key === "?" ? { does: "help" } : null;
}
