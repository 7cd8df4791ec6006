import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";

interface ExpectedPage {
	/** Method and URL. */
	readonly sends: string;
	readonly json?: Json;
	readonly answer: Json;
	readonly answerHeaders?: Readonly<Record<string, string>>;
}

/** Reading all pages as in the service's documentation, independent of the recipe. */
export interface PagedRead {
	readonly component: string;
	readonly params: JsonObject;
	readonly pages: readonly ExpectedPage[];
	readonly items: Json;
}
