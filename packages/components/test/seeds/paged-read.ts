import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";

interface ExpectedRequest {
	/** Method and URL. */
	readonly sends: string;
	readonly json?: Json;
}

interface ExpectedPage extends ExpectedRequest {
	readonly answer: Json;
	readonly answerHeaders?: Readonly<Record<string, string>>;
}

/** Reading all pages as in the service's documentation, independent of the recipe. */
export interface PagedRead {
	readonly component: string;
	readonly params: JsonObject;
	/** At least three: a first, a middle and a last one differ. */
	readonly pages: readonly ExpectedPage[];
	readonly items: Json;
}

type Items = { id: number }[];

export const ids = (from: number, count: number): Items =>
	Array.from({ length: count }, (_, index) => ({ id: from + index }));

/**
 * Three pages with one item each, whose ids are 1, 2 and 3. All but the last name the next page by a cursor, a token or an
 * address.
 */
export function readCursors<Cursor extends string | number = string>(
	component: string,
	params: JsonObject,
	[second, third]: readonly [second: Cursor, third: Cursor],
	toRequest: (cursor: Cursor | null) => string | ExpectedRequest,
	toAnswer: (items: Items, next: Cursor | null) => Json,
	toHeaders?: (next: Cursor | null) => Readonly<Record<string, string>>,
): PagedRead {
	const toPage = (cursor: Cursor | null, item: number, next: Cursor | null): ExpectedPage => {
		const request = toRequest(cursor);
		return {
			...(typeof request === "string" ? { sends: `GET ${request}` } : request),
			answer: toAnswer(ids(item, 1), next),
			...(toHeaders && { answerHeaders: toHeaders(next) }),
		};
	};
	return {
		component,
		params,
		pages: [toPage(null, 1, second), toPage(second, 2, third), toPage(third, 3, null)],
		items: ids(1, 3),
	};
}

/** Two full pages and one that is not. */
export function readOffsets(
	component: string,
	params: JsonObject,
	size: number,
	toRequest: (offset: number, page: number) => string | ExpectedRequest,
	toAnswer: (items: Items) => Json,
): PagedRead {
	return {
		component,
		params,
		pages: [size, size, 1].map((count, page) => {
			const request = toRequest(page * size, page);
			return {
				...(typeof request === "string" ? { sends: `GET ${request}` } : request),
				answer: toAnswer(ids(page * size, count)),
			};
		}),
		items: ids(0, 2 * size + 1),
	};
}
