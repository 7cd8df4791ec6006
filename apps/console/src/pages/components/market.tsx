import { api } from "../../api/api.ts";
import type { MarketItem } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatNumber } from "../../numbers.ts";
import { Link, useSearch } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { buildSummary } from "../../ui/markdown.ts";
import { NothingFound } from "../../ui/nothing-found.tsx";
import { useDebounced } from "../../ui/use-debounced.ts";
import { COMPONENTS } from "./texts.ts";

const TYPING_MS = 200;
const PAGE = 60;

interface Props {
	readonly q: string;
	onShowAll(): void;
}

export function Market({ q, onShowAll }: Props) {
	const text = useTexts(COMPONENTS);
	const [search, setSearch] = useSearch();
	const sort = search.get("sort") === "recent" ? "recent" : "downloads";
	const asked = useDebounced(q, TYPING_MS).trim();
	return (
		<>
			<fieldset className="segments">
				<legend className="hidden-text">{text.sort}</legend>
				{(["downloads", "recent"] as const).map((by) => (
					<button
						key={by}
						type="button"
						aria-pressed={sort === by}
						onClick={() => setSearch({ sort: by === "recent" ? by : null })}
					>
						{by === "recent" ? text.recent : text.popular}
					</button>
				))}
			</fieldset>
			<Found key={`${sort} ${asked}`} sort={sort} q={asked} onShowAll={onShowAll} />
		</>
	);
}

/** The results of one search. A new search mounts a new list and clears errors. */
function Found({ sort, q, onShowAll }: Props & { readonly sort: "downloads" | "recent" }) {
	const text = useTexts(COMPONENTS);
	const filter = { ...(q !== "" && { q }), sort, limit: PAGE } as const;
	const query = useQuery(`market ${sort} ${q}`, (signal) => api.registry.list(filter, signal));
	const more = useAction(async () => {
		const page = query.data;
		if (page === undefined || page.next_cursor === null) return;
		const next = await api.registry.list({ ...filter, cursor: page.next_cursor });
		query.set({ ...next, components: [...page.components, ...next.components] });
	});
	return (
		<Loaded query={query} lines={8}>
			{(page) => {
				if (page.components.length === 0 && q !== "")
					return <NothingFound title={text.marketNothingFound} onShowAll={onShowAll} />;
				if (page.components.length === 0) return <Empty icon="components" title={text.marketEmpty} />;
				return (
					<>
						<ul className="component-grid">
							{page.components.map((component) => (
								<li key={component.id}>
									<Item of={component} />
								</li>
							))}
						</ul>
						{page.next_cursor !== null && <LoadMore more={more} />}
					</>
				);
			}}
		</Loaded>
	);
}

function Item({ of }: { readonly of: MarketItem }) {
	const text = useTexts(COMPONENTS);
	return (
		<Link to={`/registry/${encodeURIComponent(of.id)}`} className="component-item">
			<span className="component-title">{of.title}</span>
			<span className="soft">
				{of.publisher} · {text.downloads(formatNumber(of.downloads))}
			</span>
			<span className="component-summary">{buildSummary(of.description)}</span>
		</Link>
	);
}
