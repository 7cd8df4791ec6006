import type { Relation } from "../../../api/types.ts";
import { useTexts } from "../../../texts/texts.ts";
import { WORKFLOW } from "../texts.ts";
import { EDGE_STYLES } from "./edge-styles.ts";

/** Legend of the relations in this graph. */
export function Legend({ relations }: { readonly relations: readonly Relation[] }) {
	const text = useTexts(WORKFLOW);
	return (
		<details className="graph-legend">
			<summary>{text.legend}</summary>
			<ul>
				{relations.map((relation) => {
					const { tone, dash, isThick } = EDGE_STYLES[relation];
					return (
						<li key={relation}>
							<svg width="34" height="10" aria-hidden="true">
								<path
									d="M1 5H31"
									className={`graph-edge ${tone}${isThick ? " thick" : ""}`}
									strokeDasharray={dash}
									markerEnd={`url(#graph-arrow-${tone})`}
								/>
							</svg>
							<span>{text.relations[relation]}</span>
							<code>{relation}</code>
						</li>
					);
				})}
			</ul>
		</details>
	);
}
