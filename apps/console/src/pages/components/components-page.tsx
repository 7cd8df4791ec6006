import { type PageProps, usePath, useSearch } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Icon } from "../../ui/icon.tsx";
import { Page } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { ComponentDetailPage } from "./component-detail.tsx";
import { ComponentsHere } from "./components-here.tsx";
import { Market } from "./market.tsx";
import { MarketDetailPage } from "./market-detail.tsx";
import { COMPONENTS } from "./texts.ts";

/** Lists available components and the market, or shows the details of one component. */
export default function ComponentsPage({ params: { id } }: PageProps) {
	const isMarket = usePath().startsWith("/registry/");
	if (id === undefined) return <Lists />;
	return isMarket ? <MarketDetailPage id={id} /> : <ComponentDetailPage id={id} />;
}

function Lists() {
	const text = useTexts(COMPONENTS);
	const [search, setSearch] = useSearch();
	const isMarket = search.get("in") === "market";
	const Shown = isMarket ? Market : ComponentsHere;
	return (
		<Page title={text.title} lead={text.lead}>
			<Tabs
				label={text.title}
				tabs={[
					{ id: "here", label: text.available },
					{ id: "market", label: text.market },
				]}
				chosen={isMarket ? "market" : "here"}
				onChoose={(id) => setSearch({ in: id === "market" ? id : null })}
			>
				<div className="components-lists">
					<div className="search-box">
						<Icon name="search" />
						<input
							type="search"
							aria-label={text.search}
							placeholder={text.search}
							value={search.get("q") ?? ""}
							onChange={(event) => setSearch({ q: event.target.value })}
						/>
					</div>
					<Shown q={search.get("q") ?? ""} onShowAll={() => setSearch({ q: null })} />
				</div>
			</Tabs>
		</Page>
	);
}
