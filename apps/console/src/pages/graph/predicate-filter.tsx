import { formatNumber } from "../../numbers.ts";
import { useTexts } from "../../texts/texts.ts";
import { foldName, type PredicateCount } from "./knowledge-graph.ts";
import { GRAPH } from "./texts.ts";

interface Props {
	readonly predicates: readonly PredicateCount[];
	readonly chosen: string | null;
	onChoose(predicate: string | null): void;
}

export function PredicateFilter({ predicates, chosen, onChoose }: Props) {
	const text = useTexts(GRAPH);
	const key = chosen === null ? null : foldName(chosen);
	const isThere = key === null || predicates.some((each) => each.key === key);
	const all = isThere
		? predicates
		: [{ key: key as string, name: chosen as string, count: 0 }, ...predicates];
	return (
		// biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as one line that scrolls.
		<div className="kg-chips scrolls" role="group" aria-label={text.predicateFilter}>
			<button type="button" className="kg-chip" aria-pressed={chosen === null} onClick={() => onChoose(null)}>
				{text.allPredicates}
			</button>
			{all.map((each) => (
				<button
					key={each.key}
					type="button"
					className="kg-chip"
					aria-pressed={each.key === key}
					onClick={() => onChoose(each.key === key ? null : each.name)}
				>
					{each.name} <span className="soft numbers">{formatNumber(each.count)}</span>
				</button>
			))}
		</div>
	);
}
