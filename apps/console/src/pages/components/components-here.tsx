import { api } from "../../api/api.ts";
import type { ComponentItem } from "../../api/types.ts";
import { useQuery } from "../../api/use-query.ts";
import { Link } from "../../router.tsx";
import { buildComponentPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { hasWords } from "../../ui/has-words.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { buildSummary } from "../../ui/markdown.ts";
import { NothingFound } from "../../ui/nothing-found.tsx";
import { COMPONENTS } from "./texts.ts";

export function ComponentsHere({ q, onShowAll }: { readonly q: string; onShowAll(): void }) {
	const text = useTexts(COMPONENTS);
	const query = useQuery("components", api.components.list);
	return (
		<Loaded query={query} lines={8}>
			{(components) => {
				const found = components.filter((each) =>
					hasWords(`${each.id} ${each.title} ${each.description}`, q),
				);
				if (found.length === 0) return <NothingFound title={text.noneFound} onShowAll={onShowAll} />;
				return (
					<ul className="component-grid">
						{found.map((component) => (
							<li key={component.id}>
								<Item of={component} />
							</li>
						))}
					</ul>
				);
			}}
		</Loaded>
	);
}

function Item({ of }: { readonly of: ComponentItem }) {
	const text = useTexts(COMPONENTS);
	return (
		<Link to={buildComponentPath(of.id)} className="component-item">
			<span className="component-title">
				{of.title} {of.source !== "built-in" && <Badge tone="accent">{text.sources[of.source]}</Badge>}
			</span>
			<code className="soft">{of.id}</code>
			<span className="component-summary">{buildSummary(of.description)}</span>
		</Link>
	);
}
