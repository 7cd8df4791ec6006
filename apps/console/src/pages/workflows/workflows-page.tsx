import { useCallback, useDeferredValue, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { api } from "../../api/api.ts";
import type { WorkflowItem } from "../../api/types.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatNumber } from "../../numbers.ts";
import { navigate } from "../../router.tsx";
import { stored } from "../../stored.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { ButtonLink } from "../../ui/button-link.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { filterWorkflows, SORTS, type Sort, sortWorkflows } from "./listing.ts";
import { StartingPoints } from "./starting-points.tsx";
import { WORKFLOWS } from "./texts.ts";
import { WorkflowRow } from "./workflow-row.tsx";

const POLL_MS = 15_000;
const chosenSort = stored<Sort>("tripline.workflows.sort", "name", (value): value is Sort =>
	SORTS.some((sort) => sort === value),
);

/** On narrow screens rows are stacked and need more height. */
const narrow = matchMedia("(max-width: 60rem)");
const isNarrow = () => narrow.matches;
function onNarrow(listener: () => void): () => void {
	narrow.addEventListener("change", listener);
	return () => narrow.removeEventListener("change", listener);
}

export default function WorkflowsPage() {
	const text = useTexts(WORKFLOWS);
	const query = useQuery("workflows", api.workflows.list, { everyMs: POLL_MS });
	const latest = useRef(query);
	latest.current = query;
	const handleSwitched = useCallback((name: string, enabled: boolean) => {
		const { data, set, reload } = latest.current;
		set((data ?? []).map((each) => (each.name === name ? { ...each, enabled } : each)));
		// For its next run.
		reload();
	}, []);
	return (
		<Page
			title={text.title}
			lead={text.lead}
			actions={
				<>
					<ButtonLink kind="quiet" icon="trash" to="/trash">
						{text.trash}
					</ButtonLink>
					<Button kind="primary" icon="plus" onClick={() => navigate("/new-workflow")}>
						{text.create}
					</Button>
				</>
			}
		>
			<Loaded query={query} lines={8}>
				{(items) =>
					items.length === 0 ? <StartingPoints /> : <Listing items={items} onSwitched={handleSwitched} />
				}
			</Loaded>
		</Page>
	);
}

interface ListingProps {
	readonly items: readonly WorkflowItem[];
	onSwitched(name: string, enabled: boolean): void;
}

function Listing({ items, onSwitched }: ListingProps) {
	const text = useTexts(WORKFLOWS);
	const [filter, setFilter] = useState("");
	const wanted = useDeferredValue(filter);
	const sort = useSyncExternalStore(chosenSort.subscribe, chosenSort.get);
	const inOrder = useMemo(() => sortWorkflows(items, sort), [items, sort]);
	const shown = useMemo(() => filterWorkflows(inOrder, wanted), [inOrder, wanted]);
	const rowHeight = useSyncExternalStore(onNarrow, isNarrow) ? 128 : 68;
	return (
		<>
			<div className="workflows-tools">
				<label className="search-box workflows-filter">
					<span className="hidden-text">{text.filter}</span>
					<Icon name="search" />
					<input
						type="search"
						value={filter}
						placeholder={text.filterHint}
						onChange={(event) => setFilter(event.target.value)}
					/>
				</label>
				<label className="line">
					<span className="soft">{text.sort}</span>
					<select value={sort} onChange={(event) => chosenSort.set(event.target.value as Sort)}>
						{SORTS.map((each) => (
							<option key={each} value={each}>
								{text.sorts[each]}
							</option>
						))}
					</select>
				</label>
				<p className="soft numbers" aria-live="polite">
					{items.length === 1 && shown.length === 1
						? text.oneWorkflow
						: text.count(formatNumber(shown.length), formatNumber(items.length))}
				</p>
			</div>
			<div className="card workflows-list">
				<div className="workflow-row workflow-heads" aria-hidden="true">
					<span>{text.columns.name}</span>
					<span>{text.columns.trigger}</span>
					<span>{text.columns.next}</span>
					<span>{text.columns.last}</span>
					<span>{text.columns.on}</span>
				</div>
				{shown.length === 0 ? (
					<Empty
						icon="search"
						title={text.nothingMatches(wanted)}
						action={<Button onClick={() => setFilter("")}>{text.showAll}</Button>}
					/>
				) : (
					<VirtualList
						items={shown}
						rowHeight={rowHeight}
						label={text.title}
						getKey={({ name }) => name}
						row={(item) => <WorkflowRow of={item} onSwitched={onSwitched} />}
					/>
				)}
			</div>
		</>
	);
}
