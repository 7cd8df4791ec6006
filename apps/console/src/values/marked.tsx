import { splitAtMatches } from "./matches.ts";

/** A text in which what matches the query is marked. */
export function Marked({ text, query }: { readonly text: string; readonly query: string }) {
	if (query === "") return text;
	return splitAtMatches(text, query).map((part, index) =>
		// biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity.
		index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
	);
}
