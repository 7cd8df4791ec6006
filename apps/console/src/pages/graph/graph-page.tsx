import { navigate, useSearch } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Page } from "../../ui/page.tsx";
import { Explorer } from "./explorer.tsx";
import { StartChooser } from "./start-chooser.tsx";
import { GRAPH } from "./texts.ts";

export default function GraphPage() {
	const text = useTexts(GRAPH);
	const [search] = useSearch();
	const node = search.get("node")?.trim() ?? "";
	return (
		<Page title={text.title} lead={text.lead} isWide>
			{node === "" ? (
				<StartChooser onPick={(name) => navigate(pathTo(name))} pathTo={pathTo} />
			) : (
				<Explorer node={node} pathTo={pathTo} />
			)}
		</Page>
	);

	/**
	 * Path to another node with the same view. The predicate filter is dropped, because each node has its own predicates.
	 */
	function pathTo(name: string): string {
		const next = new URLSearchParams(search);
		next.set("node", name);
		next.delete("predicate");
		return `/graph?${next}`;
	}
}
