import { useTexts } from "../../texts/texts.ts";
import { Skeleton } from "../../ui/loaded.tsx";
import { NothingFound } from "../../ui/nothing-found.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Time } from "../../ui/time.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { EntryLink } from "./entry-link.tsx";
import { moveByArrows } from "./rows.ts";
import { KNOWLEDGE } from "./texts.ts";
import type { EntryList } from "./use-entries.ts";

const ROW_HEIGHT = 68;

interface Props {
	readonly list: EntryList;
	readonly type: string;
	readonly chosen: string | undefined;
	pathTo(id: string): string;
	onShowAll(): void;
}

export function EntryListView({ list, type, chosen, pathTo, onShowAll }: Props) {
	const text = useTexts(KNOWLEDGE);
	return (
		<>
			{list.problem !== null && <Problem error={list.problem} retry={list.retry} />}
			{list.isFirst && <Skeleton lines={9} />}
			{!list.isFirst && list.problem === null && list.rows.length === 0 && (
				<NothingFound title={text.noneOfType(type)} onShowAll={onShowAll} />
			)}
			{list.rows.length > 0 && (
				// biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between links that Tab also reaches.
				<div className="knowledge-rows" onKeyDown={moveByArrows}>
					<VirtualList
						key={type}
						items={list.rows}
						rowHeight={ROW_HEIGHT}
						label={text.entries}
						getKey={({ id }) => id}
						row={(row) => (
							<EntryLink to={pathTo(row.id)} title={row.title} type={row.type} isChosen={row.id === chosen}>
								<span className="entry-row-text soft">
									<span>{row.preview}</span>
									<Time at={row.createdAt} />
								</span>
							</EntryLink>
						)}
						{...(list.more !== undefined && { onEnd: list.more })}
					/>
				</div>
			)}
		</>
	);
}
