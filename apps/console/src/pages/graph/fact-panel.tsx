import { api } from "../../api/api.ts";
import type { Entry, Triplet } from "../../api/types.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatPercent } from "../../numbers.ts";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { SourcePointer } from "../../ui/source-pointer.tsx";
import { Time } from "../../ui/time.tsx";
import type { Fact, Known } from "./knowledge-graph.ts";
import { GRAPH } from "./texts.ts";

interface Props {
	readonly fact: Fact;
	readonly known: Known;
	onNode(key: string): void;
}

/** Details of a fact: its sources, the facts it replaced, and sources that no longer state it. */
export function FactPanel({ fact, known, onNode }: Props) {
	const text = useTexts(GRAPH);
	const getNodeName = (key: string) => known.nodes.get(key)?.name ?? key;
	const asked = {
		subject: getNodeName(fact.subject),
		predicate: fact.predicate,
		object: getNodeName(fact.object),
	};
	const why = useQuery(`why ${JSON.stringify(asked)}`, (signal) => api.graph.why(asked, signal));
	return (
		<>
			<h2 className={fact.isActive ? "fact-statement" : "fact-statement old"}>
				<button type="button" onClick={() => onNode(fact.subject)}>
					{asked.subject}
				</button>{" "}
				<span>{asked.predicate}</span>{" "}
				<button type="button" onClick={() => onNode(fact.object)}>
					{asked.object}
				</button>
			</h2>
			{!fact.isActive && (
				<p>
					<Badge tone="warn">{text.outdated}</Badge>
				</p>
			)}
			<section className="fact-why">
				<h3>{text.factSources}</h3>
				<Loaded query={why} lines={4}>
					{({ because, superseded, no_longer }) => (
						<>
							<p>{because.length === 0 ? text.notStated : text.statedBy(because.length)}</p>
							<Triplets of={because} known={known} />
							{superseded.length > 0 && <h3>{text.replacedFacts}</h3>}
							<Triplets of={superseded} known={known} isStated />
							{no_longer.length > 0 && <h3>{text.formerSources}</h3>}
							<Triplets of={no_longer} known={known} isReplaced />
						</>
					)}
				</Loaded>
			</section>
		</>
	);
}

interface TripletsProps {
	readonly of: readonly Triplet[];
	readonly known: Known;
	/** Shows the statement of each triplet. */
	readonly isStated?: boolean;
	/** Shows what replaced each triplet. */
	readonly isReplaced?: boolean;
}

function Triplets({ of, known, isStated = false, isReplaced = false }: TripletsProps) {
	const text = useTexts(GRAPH);
	if (of.length === 0) return null;
	return (
		<ul className="triplets">
			{of.map((triplet) => (
				<li key={triplet.id}>
					{isStated && <p className="old">{formatStatement(triplet)}</p>}
					<SourcePointer
						of={{
							uri: triplet.source_uri,
							anchor: triplet.source_anchor,
							block: triplet.block_id,
							version: triplet.content_hash,
						}}
					/>
					<p className="soft numbers triplet-facts">
						{triplet.confidence !== null && <span>{text.confidence(formatPercent(triplet.confidence))}</span>}
						<Time at={triplet.created_at * 1000} />
					</p>
					{isReplaced && <Replacement of={triplet} known={known} />}
				</li>
			))}
		</ul>
	);
}

/** The replacing triplet, taken from the screen or loaded from the store. */
function Replacement({ of, known }: { readonly of: Triplet; readonly known: Known }) {
	const text = useTexts(GRAPH);
	const id = of.superseded_by;
	const here = [...known.facts.values()].flatMap(({ triplets }) => triplets).find((each) => each.id === id);
	const asked = useQuery(id === null || here !== undefined ? null : `replacement ${id}`, async (signal) =>
		readStatement(await api.entries.get(id ?? "", signal)),
	);
	const by = here ?? asked.data;
	if (id === null) return <p className="soft">{text.noLongerStated}</p>;
	if (by === undefined || by === null) return null;
	return (
		<p>
			<span className="soft">{text.replacedBy}</span> {formatStatement(by)}
		</p>
	);
}

type Statement = Pick<Triplet, "subject" | "predicate" | "object">;

/** Reads the statement from the metadata of a triplet's entry. */
function readStatement({ metadata_json }: Entry): Statement | null {
	const { subject, predicate, object } = JSON.parse(metadata_json) as Partial<Statement>;
	if (subject === undefined || predicate === undefined || object === undefined) return null;
	return { subject, predicate, object };
}

const formatStatement = ({ subject, predicate, object }: Statement): string =>
	`${subject} ${predicate} ${object}`;
