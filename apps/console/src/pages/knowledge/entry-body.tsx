import { api } from "../../api/api.ts";
import type { Entry } from "../../api/types.ts";
import { useQuery } from "../../api/use-query.ts";
import { Link } from "../../router.tsx";
import { buildEntryPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { SourcePointer } from "../../ui/source-pointer.tsx";
import { parseMetadata } from "./metadata.ts";
import { MetadataTree } from "./metadata-tree.tsx";
import { listSources } from "./sources.ts";
import { KNOWLEDGE } from "./texts.ts";

export function EntryBody({ entry }: { readonly entry: Entry }) {
	const text = useTexts(KNOWLEDGE);
	const metadata = parseMetadata(entry.metadata_json);
	const value = metadata.kind === "object" ? metadata.value : {};
	const sources = listSources(value);
	return (
		<>
			{value.status === "deprecated" && (
				<p className="line">
					<Badge tone="warn">{text.outdated}</Badge>
					{typeof value.superseded_by === "string" && (
						<Link to={buildEntryPath(value.superseded_by)}>{text.replacedBy}</Link>
					)}
				</p>
			)}
			{entry.content.trim() === "" ? (
				<p className="soft">{text.contentEmpty}</p>
			) : (
				<section className="entry-content" aria-label={text.content}>
					{entry.content}
				</section>
			)}
			{sources.length > 0 && (
				<section aria-labelledby="entry-sources">
					<h3 id="entry-sources">{text.sources}</h3>
					<ul className="entry-sources">
						{sources.map((source) => (
							<li key={JSON.stringify(source)}>
								<SourcePointer of={source} />
							</li>
						))}
					</ul>
				</section>
			)}
			<GraphSources name={entry.page_name} />
			<section aria-labelledby="entry-details">
				<h3 id="entry-details">{text.metadata}</h3>
				{metadata.kind === "object" ? (
					<MetadataTree of={metadata.value} />
				) : (
					<>
						<p className="soft">{text.metadataInvalid}</p>
						<pre className="entry-raw">{entry.metadata_json}</pre>
					</>
				)}
			</section>
		</>
	);
}

const FIRST = 8;

/** Sources of facts about a node with the entry's name. Renders nothing while loading or if there are none. */
function GraphSources({ name }: { readonly name: string }) {
	const text = useTexts(KNOWLEDGE);
	const { data } = useQuery(`sources ${name}`, (signal) => api.graph.sources(name, false, signal));
	if (data === undefined || data.sources.length === 0) return null;
	const [shown, rest] = [data.sources.slice(0, FIRST), data.sources.slice(FIRST)];
	const list = (sources: typeof shown) => (
		<ul className="entry-sources">
			{sources.map(({ uri, anchor, block_id, content_hash }) => (
				<li key={JSON.stringify([uri, anchor, block_id, content_hash])}>
					<SourcePointer of={{ uri, anchor, block: block_id, version: content_hash }} />
				</li>
			))}
		</ul>
	);
	return (
		<section aria-labelledby="entry-graph-sources">
			<h3 id="entry-graph-sources">{text.graphSources(name)}</h3>
			{list(shown)}
			{rest.length > 0 && (
				<details>
					<summary>{text.moreSources(rest.length)}</summary>
					{list(rest)}
				</details>
			)}
		</section>
	);
}
