import { fromBase64, toBase64Url } from "@tripline/contract/bytes";
import type { Manifest } from "@tripline/contract/registry";

/** A component in a list: its latest version, and all versions, latest first. */
export interface Listed
	extends Pick<
		Manifest,
		| "id"
		| "version"
		| "title"
		| "description"
		| "kind"
		| "publisher"
		| "license"
		| "tags"
		| "hosts"
		| "credentials"
	> {
	readonly sha256: string;
	readonly updated_at: string | null;
	readonly versions: readonly {
		readonly version: string;
		readonly sha256: string;
		readonly published_at: string | null;
	}[];
}

export type Sort = "downloads" | "recent";

/** The position after which a list continues: the sort value, then the id for equal values. */
export interface ListPlace {
	readonly sort: Sort;
	readonly rank: string | number;
	readonly id: string;
}

export interface Found {
	readonly component: Listed;
	readonly downloads: number;
}

export interface Filter {
	readonly q: string | undefined;
	readonly tag: string | undefined;
	readonly sort: Sort;
	readonly limit: number;
	readonly after: ListPlace | null;
}

/** A page of the matching components: most downloaded or newest first, then by id. */
export function buildPage(
	found: readonly Found[],
	filter: Filter,
): { found: Found[]; next: ListPlace | null } {
	const { sort, limit, after } = filter;
	const words = splitWords(filter.q ?? "");
	const fitting = found
		.filter(({ component }) => filter.tag === undefined || component.tags.includes(filter.tag))
		.filter(({ component }) => words.length === 0 || hasAllWords(component, words))
		.map((each) => ({ each, place: toPlace(each, sort) }))
		.filter(({ place }) => after === null || comparePlaces(after, place) < 0)
		.sort((one, other) => comparePlaces(one.place, other.place));
	const shown = fitting.slice(0, limit);
	return {
		found: shown.map(({ each }) => each),
		next: fitting.length > limit ? (shown.at(-1)?.place ?? null) : null,
	};
}

export const encodePlace = ({ sort, rank, id }: ListPlace): string =>
	toBase64Url(new TextEncoder().encode(JSON.stringify([sort, rank, id])));

/** Null if it is not a cursor for this sort order. */
export function decodePlace(cursor: string, expected: Sort): ListPlace | null {
	try {
		const bytes = fromBase64(cursor);
		const place: unknown = bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes));
		if (!Array.isArray(place) || place.length !== 3) return null;
		const [sort, rank, id] = place as unknown[];
		const isRank = typeof rank === (expected === "downloads" ? "number" : "string");
		return sort === expected && isRank && typeof id === "string"
			? { sort: expected, rank: rank as string | number, id }
			: null;
	} catch {
		return null;
	}
}

/** ISO times sort as text; bundled components have none and count as the oldest. */
const toPlace = ({ component, downloads }: Found, sort: Sort): ListPlace => ({
	sort,
	rank: sort === "downloads" ? downloads : (component.updated_at ?? ""),
	id: component.id,
});

function comparePlaces(one: ListPlace, other: ListPlace): number {
	if (one.rank !== other.rank) return one.rank > other.rank ? -1 : 1;
	if (one.id === other.id) return 0;
	return one.id < other.id ? -1 : 1;
}

const splitWords = (text: string): string[] =>
	text
		.toLowerCase()
		.split(/\s+/)
		.filter((word) => word !== "");

function hasAllWords({ id, title, description, tags }: Listed, words: readonly string[]): boolean {
	const text = [id, title, description, ...tags].join("\n").toLowerCase();
	return words.every((word) => text.includes(word));
}
