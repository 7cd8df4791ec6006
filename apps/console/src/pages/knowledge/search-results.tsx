import { useEffect, useRef, useState } from "react";
import { api } from "../../api/api.ts";
import type { Suggestion } from "../../api/types.ts";
import { type Query, useQuery } from "../../api/use-query.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/loaded.tsx";
import { NothingFound } from "../../ui/nothing-found.tsx";
import { Problem } from "../../ui/problem.tsx";
import { useDebounced } from "../../ui/use-debounced.ts";
import { EntryLink } from "./entry-link.tsx";
import { moveByArrows } from "./rows.ts";
import { splitPieces } from "./snippet.ts";
import { KNOWLEDGE } from "./texts.ts";

const PAUSE_MS = 150;
const INITIAL_RESULTS = 40;
const MAX_RESULTS = 100;

interface Props {
	readonly words: string;
	readonly type: string;
	readonly chosen: string | undefined;
	pathTo(id: string): string;
	onShowAll(): void;
}

export function SearchResults({ words, type, chosen, pathTo, onShowAll }: Props) {
	const text = useTexts(KNOWLEDGE);
	const [limit, setLimit] = useState(INITIAL_RESULTS);
	const { data, problem, isOld, reload } = useSearchResults(words, type, limit);
	const count = data?.length ?? 0;
	return (
		<>
			{problem !== null && <Problem error={problem} retry={reload} />}
			<p className="soft knowledge-count numbers" aria-live="polite">
				{data !== undefined && !isOld && (count === limit ? text.topResults(count) : text.resultCount(count))}
			</p>
			{data === undefined && problem === null && <Skeleton lines={9} />}
			{data !== undefined && count === 0 && !isOld && (
				<NothingFound title={text.nothingFound} onShowAll={onShowAll}>
					{text.nothingFoundHint}
				</NothingFound>
			)}
			{data !== undefined && count > 0 && (
				// biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between links that Tab also reaches.
				<div className={isOld ? "knowledge-found old" : "knowledge-found"} onKeyDown={moveByArrows}>
					<ul aria-label={text.results}>
						{data.map((each) => (
							<li key={each.id}>
								<EntryLink
									to={pathTo(each.id)}
									title={each.page_name}
									type={each.entry_type}
									isChosen={each.id === chosen}
								>
									<Snippet of={each} />
									<span className="entry-why soft">{each.why}</span>
								</EntryLink>
							</li>
						))}
					</ul>
					{count === limit && limit < MAX_RESULTS && (
						<Button isSmall onClick={() => setLimit(MAX_RESULTS)}>
							{text.showMore}
						</Button>
					)}
				</div>
			)}
		</>
	);
}

/** Search results. The previous results stay until the next ones arrive. */
function useSearchResults(
	words: string,
	type: string,
	limit: number,
): Query<Suggestion[]> & { readonly isOld: boolean } {
	const settled = useDebounced(words, PAUSE_MS).trim();
	const query = useQuery(settled === "" ? null : `found ${limit} ${type} ${settled}`, (signal) =>
		api.search(settled, { limit, ...(type !== "" && { entry_types: [type] }) }, signal),
	);
	const last = useRef<Suggestion[] | undefined>(undefined);
	useEffect(() => {
		if (query.data !== undefined || settled === "") last.current = query.data;
	}, [query.data, settled]);
	const isOld = query.data === undefined || settled !== words.trim();
	return { ...query, data: query.data ?? last.current, isOld };
}

function Snippet({ of: { snippet, matches } }: { readonly of: Suggestion }) {
	return (
		<span className="entry-snippet">
			{splitPieces(snippet, matches).map(({ at, text, isMatch }) =>
				isMatch ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
			)}
		</span>
	);
}
