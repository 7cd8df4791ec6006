import { useState } from "react";
import { api } from "../../api/api.ts";
import { buildOverviewUrl } from "../../api/first-requests.ts";
import { useQuery } from "../../api/use-query.ts";
import { navigate, type PageProps, useSearch } from "../../router.tsx";
import { buildEntryPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { ButtonLink } from "../../ui/button-link.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Page } from "../../ui/page.tsx";
import { EntryListView } from "./entry-list.tsx";
import { EntryPane } from "./entry-pane.tsx";
import { NewEntry } from "./new-entry.tsx";
import { SearchBar } from "./search-bar.tsx";
import { SearchResults } from "./search-results.tsx";
import { KNOWLEDGE } from "./texts.ts";
import { useEntries } from "./use-entries.ts";

const NEW = "new";

/** A list or search results with the selected entry next to it; on small screens one of the two. */
export default function KnowledgePage({ params }: PageProps) {
	const text = useTexts(KNOWLEDGE);
	const { id } = params;
	const [search, changeSearch] = useSearch();
	const [words, setWords] = useState(search.get("q") ?? "");
	const type = search.get("type") ?? "";
	const overview = useQuery(buildOverviewUrl(1), (signal) => api.overview(1, signal));
	const entries = useEntries(type);
	const isEmpty = type === "" && !entries.isFirst && entries.problem === null && entries.rows.length === 0;
	const hasTriplets = (overview.data?.counts.triplets.count ?? 0) > 0;
	const query = search.toString() === "" ? "" : `?${search}`;
	const pathTo = (entry: string) => `${buildEntryPath(entry)}${query}`;

	return (
		<Page
			title={text.title}
			lead={text.lead}
			isWide
			actions={
				id !== NEW && (
					<Button kind="primary" icon="plus" onClick={() => navigate(pathTo(NEW))}>
						{text.newEntry}
					</Button>
				)
			}
		>
			<div
				className={id !== undefined ? "knowledge has-entry" : isEmpty ? "knowledge is-empty" : "knowledge"}
			>
				<div className="knowledge-list">
					{isEmpty && words === "" ? (
						<Empty
							icon="knowledge"
							title={text.emptyTitle}
							action={
								<div className="actions">
									<ButtonLink to="/connect" icon="connect">
										{text.connectAssistant}
									</ButtonLink>
									{hasTriplets && (
										<ButtonLink to="/graph" icon="graph">
											{text.showInGraph}
										</ButtonLink>
									)}
								</div>
							}
						>
							{text.emptyHint("save_entry")}
						</Empty>
					) : (
						<>
							<SearchBar
								words={words}
								type={type}
								overview={overview.data}
								onWords={(next) => {
									setWords(next);
									changeSearch({ q: next.trim() });
								}}
								onType={(next) => changeSearch({ type: next })}
							/>
							{words.trim() === "" ? (
								<EntryListView list={entries} type={type} chosen={id} pathTo={pathTo} onShowAll={showAll} />
							) : (
								<SearchResults words={words} type={type} chosen={id} pathTo={pathTo} onShowAll={showAll} />
							)}
						</>
					)}
				</div>
				<div className="knowledge-entry">
					{id === undefined ? (
						!isEmpty && (
							<Empty icon="knowledge" title={text.chooseTitle}>
								{text.chooseHint}
							</Empty>
						)
					) : (
						<>
							<ButtonLink
								to={`/knowledge${query}`}
								kind="quiet"
								isSmall
								icon="left"
								className="knowledge-back"
							>
								{text.allEntries}
							</ButtonLink>
							{id === NEW ? (
								<NewEntry
									types={overview.data?.entry_types.map(({ entry_type }) => entry_type) ?? []}
									type={type}
									pathTo={pathTo}
									onCreated={() => {
										entries.reload();
										overview.reload();
									}}
									onCancel={() => navigate(`/knowledge${query}`)}
								/>
							) : (
								<EntryPane
									key={id}
									id={id}
									onSaved={entries.put}
									onDeleted={() => {
										entries.remove(id);
										overview.reload();
										navigate(`/knowledge${query}`, { replace: true });
									}}
								/>
							)}
						</>
					)}
				</div>
			</div>
		</Page>
	);

	function showAll(): void {
		setWords("");
		changeSearch({ q: null, type: null });
	}
}
