import { api } from "../../api/api.ts";
import type { MarketItem } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useQuery } from "../../api/use-query.ts";
import { numberOf } from "../../numbers.ts";
import { Link, useSearch } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { summaryOf } from "../../ui/markdown.ts";
import { Problem } from "../../ui/problem.tsx";
import { useSettled } from "../../ui/use-settled.ts";
import { COMPONENTS } from "./texts.ts";

const TYPING_MS = 200;
const PAGE = 60;

export function Market({ q }: { readonly q: string }) {
	const [text, common] = [useTexts(COMPONENTS), useTexts(COMMON)];
	const [search, setSearch] = useSearch();
	const sort = search.get("sort") === "recent" ? "recent" : "downloads";
	const asked = useSettled(q, TYPING_MS).trim();
	const filter = { ...(asked !== "" && { q: asked }), sort, limit: PAGE } as const;
	const key = `market ${sort} ${asked}`;
	const query = useQuery(key, (signal) => api.registry.list(filter, signal));
	const more = useAction(async () => {
		const page = query.data;
		if (page === undefined || page.next_cursor === null) return;
		const next = await api.registry.list({ ...filter, cursor: page.next_cursor });
		query.set({ ...next, components: [...page.components, ...next.components] });
	});
	return (
		<>
			<fieldset className="line market-sort">
				<legend className="hidden-text">{text.sort}</legend>
				{(["downloads", "recent"] as const).map((by) => (
					<Button
						key={by}
						isSmall
						kind={sort === by ? "plain" : "quiet"}
						aria-pressed={sort === by}
						onClick={() => setSearch({ sort: by === "recent" ? by : null })}
					>
						{by === "recent" ? text.recent : text.popular}
					</Button>
				))}
			</fieldset>
			<Loaded query={query} lines={8}>
				{(page) =>
					page.components.length === 0 ? (
						<Empty icon="components" title={text.marketEmpty} />
					) : (
						<>
							<ul className="component-grid">
								{page.components.map((component) => (
									<li key={component.id}>
										<Item of={component} />
									</li>
								))}
							</ul>
							{more.problem !== null && <Problem error={more.problem} retry={() => more.run()} />}
							{page.next_cursor !== null && (
								<Button isBusy={more.isBusy} onClick={() => more.run()}>
									{common.loadMore}
								</Button>
							)}
						</>
					)
				}
			</Loaded>
		</>
	);
}

function Item({ of }: { readonly of: MarketItem }) {
	const text = useTexts(COMPONENTS);
	return (
		<Link to={`/registry/${encodeURIComponent(of.id)}`} className="component-item">
			<span className="component-title">{of.title}</span>
			<span className="soft">
				{of.publisher} · {text.downloads(numberOf(of.downloads))}
			</span>
			<span className="component-summary">{summaryOf(of.description)}</span>
		</Link>
	);
}
