import { useState } from "react";
import type { Suggestion } from "../../api/types.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/loaded.tsx";
import { NothingFound } from "../../ui/nothing-found.tsx";
import { Problem } from "../../ui/problem.tsx";
import { EntryLink } from "./entry-link.tsx";
import { moveByArrows } from "./rows.ts";
import { splitPieces } from "./snippet.ts";
import { KNOWLEDGE } from "./texts.ts";
import { INITIAL_RESULTS, MAX_RESULTS, useSearchResults } from "./use-search-results.ts";

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

function Snippet({ of: { snippet, matches } }: { readonly of: Suggestion }) {
	return (
		<span className="entry-snippet">
			{splitPieces(snippet, matches).map(({ at, text, isMatch }) =>
				isMatch ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
			)}
		</span>
	);
}
