import { Link } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Skeleton } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Time } from "../../ui/time.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { moveByArrows } from "./rows.ts";
import { KNOWLEDGE } from "./texts.ts";
import type { EntryList, EntryRow } from "./use-entries.ts";

const ROW_HEIGHT = 68;

interface Props {
	readonly list: EntryList;
	readonly type: string;
	readonly chosen: string | undefined;
	pathTo(id: string): string;
}

export function EntryListView({ list, type, chosen, pathTo }: Props) {
	const text = useTexts(KNOWLEDGE);
	return (
		<>
			{list.problem !== null && <Problem error={list.problem} retry={list.retry} />}
			{list.isFirst && <Skeleton lines={9} />}
			{!list.isFirst && list.problem === null && list.rows.length === 0 && (
				<Empty icon="knowledge" title={text.noneOfType(type)} />
			)}
			{list.rows.length > 0 && (
				// biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the links, which are reached by Tab as well.
				<div className="knowledge-rows" onKeyDown={moveByArrows}>
					<VirtualList
						key={type}
						items={list.rows}
						rowHeight={ROW_HEIGHT}
						label={text.entries}
						keyOf={({ id }) => id}
						row={(row) => <Row of={row} isChosen={row.id === chosen} to={pathTo(row.id)} />}
						{...(list.more !== undefined && { onEnd: list.more })}
					/>
				</div>
			)}
		</>
	);
}

function Row({
	of: row,
	isChosen,
	to,
}: {
	readonly of: EntryRow;
	readonly isChosen: boolean;
	readonly to: string;
}) {
	return (
		<Link className="entry-row" to={to} aria-current={isChosen ? "true" : undefined}>
			<span className="entry-row-head">
				<span className="entry-row-title">{row.title}</span>
				<Badge>{row.type}</Badge>
			</span>
			<span className="entry-row-text soft">
				<span>{row.preview}</span>
				<Time at={row.createdAt} />
			</span>
		</Link>
	);
}
