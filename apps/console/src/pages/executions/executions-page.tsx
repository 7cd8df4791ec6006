import { useCallback, useMemo } from "react";
import { type PageProps, useSearch } from "../../router.tsx";
import { buildExecutionPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { ExecutionList } from "./execution-list.tsx";
import { ExecutionPane } from "./execution-pane.tsx";
import { isFiltered, isOpenEnded, NO_FILTER, parseFilter, toExecutionFilter } from "./filter.ts";
import { FilterBar } from "./filter-bar.tsx";
import { EXECUTIONS } from "./texts.ts";
import { useUnfinished } from "./use-unfinished.ts";

export default function ExecutionsPage({ params: { id } }: PageProps) {
	const text = useTexts(EXECUTIONS);
	const [search, change] = useSearch();
	// The chosen node belongs to one run.
	search.delete("node");
	const address = search.toString();
	const filter = useMemo(() => parseFilter(new URLSearchParams(address)), [address]);
	const key = JSON.stringify(filter);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the request time stays fixed per filter.
	const asked = useMemo(() => toExecutionFilter(filter, Date.now()), [key]);
	const query = address === "" ? "" : `?${address}`;
	const buildPath = useCallback((of: string) => `${buildExecutionPath(of)}${query}`, [query]);
	const unfinished = useUnfinished();
	const clear = () => change(NO_FILTER);
	return (
		<Page
			title={text.title}
			isWide
			actions={
				isFiltered(filter) && (
					<Button kind="quiet" isSmall icon="cross" onClick={clear}>
						{text.clear}
					</Button>
				)
			}
		>
			<FilterBar filter={filter} onChange={change} />
			<div className={id === undefined ? "executions" : "executions with-pane"}>
				<ExecutionList
					key={key}
					filter={asked}
					isFiltered={isFiltered(filter)}
					isLive={isOpenEnded(filter, Date.now())}
					unfinished={unfinished}
					chosen={id}
					buildPath={buildPath}
					onClear={clear}
				/>
				{id !== undefined && (
					<ExecutionPane
						id={id}
						unfinished={unfinished.runs.find((run) => run.id === id) ?? null}
						back={`/executions${query}`}
						buildPath={buildPath}
						onChanged={unfinished.noteChange}
					/>
				)}
			</div>
		</Page>
	);
}
