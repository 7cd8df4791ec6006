import type { Entry } from "@tripline/contract/entries";
import { GuiGraphStart, GuiGraphStartQuery } from "@tripline/contract/gui";
import { type Route, reply, route } from "@tripline/web/route";
import type { McpCaller } from "../../callers.ts";
import { type GuiParts, TAG as tag } from "./parts.ts";

const MAX_FACTS = 500;

type Fact = GuiGraphStart["latest"][number];

export const graphStartRoutes = ({ store }: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/graph/start",
		tag,
		summary: "Starting points in the graph: nodes, predicates and the latest facts",
		description: `Counts the latest ${MAX_FACTS} facts, without deprecated ones.`,
		query: GuiGraphStartQuery,
		responses: {
			200: {
				description: "The most frequent nodes and predicates, and the latest facts",
				body: GuiGraphStart,
			},
		},
		async handle({ caller, query }) {
			const filter = { owner_id: caller.namespace, entry_type: "triplet", limit: MAX_FACTS };
			const page = await store.entries.list(filter);
			return reply(
				200,
				summarizeFacts(page.entries.flatMap(parseFact), query.limit, page.next_cursor !== null),
			);
		},
	}),
];

function summarizeFacts(facts: readonly Fact[], limit: number, more: boolean): GuiGraphStart {
	const nodes = new Tally();
	const predicates = new Tally();
	for (const { subject, predicate, object } of facts) {
		nodes.add(subject);
		nodes.add(object);
		predicates.add(predicate);
	}
	return {
		nodes: nodes
			.listByCount()
			.slice(0, limit)
			.map(({ name, count }) => ({ name, facts: count })),
		predicates: predicates.listByCount().map(({ name, count }) => ({ predicate: name, facts: count })),
		latest: facts.slice(0, limit),
		looked_at: facts.length,
		more,
	};
}

/** Counts names regardless of case and Unicode form, and keeps the newest spelling. */
class Tally {
	readonly #counts = new Map<string, { readonly name: string; count: number }>();

	add(name: string): void {
		const folded = name.normalize("NFKC").toLowerCase().trim();
		const known = this.#counts.get(folded) ?? { name, count: 0 };
		known.count++;
		this.#counts.set(folded, known);
	}

	listByCount(): { readonly name: string; readonly count: number }[] {
		return [...this.#counts.values()].sort((one, other) => other.count - one.count);
	}
}

/** The fact in an entry written by ingest; empty if it is deprecated or incomplete. */
function parseFact({ id, created_at, metadata_json }: Entry): Fact[] {
	const { subject, predicate, object, source_uri, status } = JSON.parse(metadata_json) as Partial<
		Fact & { status: string }
	>;
	if (status === "deprecated") return [];
	if (subject === undefined || predicate === undefined || object === undefined || source_uri === undefined)
		return [];
	return [{ id, subject, predicate, object, source_uri, created_at }];
}
