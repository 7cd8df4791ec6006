import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import type { ExecutionFilter } from "../../api/api.ts";
import type { ExecutionRecord } from "../../api/types.ts";
import { formatNumber } from "../../numbers.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { ButtonLink } from "../../ui/button-link.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { Skeleton } from "../../ui/loaded.tsx";
import { NothingFound } from "../../ui/nothing-found.tsx";
import { Problem } from "../../ui/problem.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { ExecutionRow, ROW_HEIGHT } from "./execution-row.tsx";
import { EXECUTIONS } from "./texts.ts";
import { filterUnfinished } from "./unfinished.ts";
import { UnfinishedList } from "./unfinished-list.tsx";
import { type ExecutionsState, useExecutions } from "./use-executions.ts";
import type { UnfinishedState } from "./use-unfinished.ts";

/** Number of records that one page of a text search scans. */
const RECORDS_PER_SEARCH_PAGE = 2000;

interface Props {
	readonly filter: ExecutionFilter;
	readonly isFiltered: boolean;
	readonly isLive: boolean;
	readonly unfinished: UnfinishedState;
	readonly chosen: string | undefined;
	buildPath(id: string): string;
	onClear(): void;
}

/** The list of one filter. Another filter mounts a new list. */
export function ExecutionList({ filter, isFiltered, isLive, unfinished, chosen, buildPath, onClear }: Props) {
	const text = useTexts(EXECUTIONS);
	const frame = useRef<HTMLElement>(null);
	const { changes, refresh } = unfinished;
	const state = useExecutions(filter, { isLive, changes, onNews: refresh }, frame);
	const runs = filterUnfinished(unfinished.runs, filter);
	useKeptScroll(frame, chosen === undefined);
	const { listed, news } = state;
	const isEmpty = listed.items.length === 0;
	const isNone = state.problem === null && !state.isLoading && !state.isStopped && runs.length === 0;
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: handles keys of the rows, which are links.
		<div className="card execution-list" onKeyDown={move}>
			<p className="hidden-text" role="status">
				{news !== null && text.newCount(formatNumber(news.count))}
			</p>
			{news !== null && (
				<button type="button" className="news" onClick={state.showNews}>
					{text.newCount(news.hasGap ? `${formatNumber(news.count)}+` : formatNumber(news.count))}
				</button>
			)}
			<UnfinishedList
				runs={runs}
				hasMore={unfinished.hasMore}
				chosen={chosen}
				buildPath={buildPath}
				onCancelled={unfinished.noteChange}
			/>
			{isEmpty ? (
				<div className="execution-none">
					{state.problem !== null && <Problem error={state.problem} retry={state.resume} />}
					{state.isLoading && <Skeleton lines={8} />}
					{isNone && (isFiltered ? <NoneMatches onClear={onClear} /> : <NothingRan />)}
				</div>
			) : (
				<VirtualList<ExecutionRecord>
					frameRef={frame}
					items={listed.items}
					rowHeight={ROW_HEIGHT}
					label={text.list}
					getKey={({ id }) => id}
					row={(record) => (
						<ExecutionRow record={record} to={buildPath(record.id)} isChosen={record.id === chosen} />
					)}
					onEnd={state.more}
				/>
			)}
			<Progress state={state} hasText={filter.q !== undefined} />
		</div>
	);

	/** The up and down keys move between rows. */
	function move(event: KeyboardEvent<HTMLElement>): void {
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		const row = (event.target as HTMLElement).closest("li")?.querySelector("a");
		if (step === undefined || !row) return;
		const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("li a")];
		const link = rows[rows.indexOf(row) + step];
		if (link === undefined) return;
		event.preventDefault();
		link.focus();
	}
}

/** Restores the scroll position: a hidden list, as on small screens, may lose it. */
function useKeptScroll(frame: RefObject<HTMLElement | null>, isShown: boolean): void {
	const top = useRef(0);
	useEffect(() => {
		if (isShown && frame.current !== null && frame.current.scrollTop === 0)
			frame.current.scrollTop = top.current;
		return () => {
			if (frame.current !== null && frame.current.clientHeight > 0) top.current = frame.current.scrollTop;
		};
	}, [frame, isShown]);
}

function NoneMatches({ onClear }: { onClear(): void }) {
	const text = useTexts(EXECUTIONS);
	return (
		<NothingFound title={text.noMatchTitle} onShowAll={onClear}>
			{text.noMatchText}
		</NothingFound>
	);
}

function NothingRan() {
	const text = useTexts(EXECUTIONS);
	return (
		<Empty
			icon="executions"
			title={text.emptyTitle}
			action={
				<ButtonLink to="/workflows" kind="primary">
					{text.openWorkflows}
				</ButtonLink>
			}
		>
			{text.emptyText}
		</Empty>
	);
}

function Progress({ state, hasText }: { readonly state: ExecutionsState; readonly hasText: boolean }) {
	const text = useTexts(EXECUTIONS);
	const common = useTexts(COMMON);
	const { listed, isLoading, isStopped, problem } = state;
	const count = formatNumber(listed.items.length);
	const isEmpty = listed.items.length === 0;
	if (problem !== null) return isEmpty ? null : <Problem error={problem} retry={state.resume} />;
	if (listed.cursor === null && isEmpty) return null;
	const isIdle = !isLoading && !isStopped;
	const looked =
		hasText && !isIdle && text.searchedCount(formatNumber(listed.pages * RECORDS_PER_SEARCH_PAGE));
	return (
		<div className="execution-progress soft numbers" role="status">
			{isLoading && <span className="spinner" aria-hidden="true" />}
			<span>
				{isStopped && `${text.stopped} `}
				{describeProgress()}
			</span>
			{isLoading && hasText && listed.pages > 0 && (
				<Button isSmall onClick={state.stop}>
					{text.stop}
				</Button>
			)}
			{isStopped && (
				<Button isSmall onClick={state.resume}>
					{text.resume}
				</Button>
			)}
		</div>
	);

	function describeProgress(): string {
		if (listed.pages === 0) return isLoading ? common.loading : "";
		if (listed.cursor === null) return text.runCount(count);
		return [text.shownCount(count), looked, isIdle && text.scrollForMore].filter(Boolean).join(" · ");
	}
}
