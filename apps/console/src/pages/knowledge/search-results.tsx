import { useState } from "react";
import type { Suggestion } from "../../api/types.ts";
import { Link } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Skeleton } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/problem.tsx";
import { moveByArrows } from "./rows.ts";
import { piecesOf } from "./snippet.ts";
import { KNOWLEDGE } from "./texts.ts";
import { FEW, MANY, useFound } from "./use-found.ts";

interface Props {
	readonly words: string;
	readonly type: string;
	readonly chosen: string | undefined;
	pathTo(id: string): string;
}

export function SearchResults({ words, type, chosen, pathTo }: Props) {
	const text = useTexts(KNOWLEDGE);
	const [limit, setLimit] = useState(FEW);
	const { data, problem, isOld, reload } = useFound(words, type, limit);
	const count = data?.length ?? 0;
	return (
		<>
			{problem !== null && <Problem error={problem} retry={reload} />}
			<p className="soft knowledge-count numbers" aria-live="polite">
				{data !== undefined && !isOld && (count === limit ? text.foundFirst(count) : text.found(count))}
			</p>
			{data === undefined && problem === null && <Skeleton lines={9} />}
			{data !== undefined && count === 0 && !isOld && (
				<Empty icon="search" title={text.nothingFound}>
					{text.nothingFoundHint}
				</Empty>
			)}
			{data !== undefined && count > 0 && (
				// biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the links, which are reached by Tab as well.
				<div className={isOld ? "knowledge-found old" : "knowledge-found"} onKeyDown={moveByArrows}>
					<ul aria-label={text.results}>
						{data.map((each) => (
							<li key={each.id}>
								<Found of={each} isChosen={each.id === chosen} to={pathTo(each.id)} />
							</li>
						))}
					</ul>
					{count === limit && limit < MANY && (
						<Button isSmall onClick={() => setLimit(MANY)}>
							{text.showMore}
						</Button>
					)}
				</div>
			)}
		</>
	);
}

function Found({
	of,
	isChosen,
	to,
}: {
	readonly of: Suggestion;
	readonly isChosen: boolean;
	readonly to: string;
}) {
	return (
		<Link className="entry-row" to={to} aria-current={isChosen ? "true" : undefined}>
			<span className="entry-row-head">
				<span className="entry-row-title">{of.page_name}</span>
				<Badge>{of.entry_type}</Badge>
			</span>
			<span className="entry-snippet">
				{piecesOf(of.snippet, of.matches).map(({ at, text, isMatch }) =>
					isMatch ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
				)}
			</span>
			<span className="entry-why soft">{of.why}</span>
		</Link>
	);
}
