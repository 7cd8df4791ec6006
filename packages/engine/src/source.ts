import { unstorable } from "@tripline/contract/json";
import type { Diagnostic } from "@tripline/contract/workflows";
import { type Definition, type Positions, Unread } from "./definition.ts";
import { type Locate, locateIn, Report } from "./diagnostics.ts";
import { readDocument } from "./document.ts";
import type { readYaml } from "./yaml.ts";

/**
 * A workflow as it comes in: parsed JSON, or YAML text with what reads it. Few are YAML, and loading what reads it takes
 * as long as a tenth of a start, so it is not loaded from here.
 */
export type Source = { readonly json: unknown } | { readonly yaml: string; readonly read: typeof readYaml };

export interface SourceOptions {
	/** Whether name, description and version must be there. */
	readonly named: boolean;
}

export interface ReadSource {
	/** Null: nothing could be read. With errors among the diagnostics it is only good for finding more of them. */
	readonly definition: Definition | null;
	readonly positions: Positions;
	readonly diagnostics: readonly Diagnostic[];
}

interface ReadInto {
	readonly definition: Definition | null;
	readonly positions: Positions;
	/** As the author wrote them, with their aliases; null where the nodes came as a graph. */
	readonly triplets: readonly string[] | null;
}

/** Reads any of the ways in: triplets with their config, a graph, nodes and edges, or a whole document. */
export function readSource(source: Source, options: SourceOptions): ReadSource {
	const report = new Report();
	const { definition, positions } = readSourceInto(report, source, options);
	return { definition, positions, diagnostics: report.diagnostics(positions.locate) };
}

/** As `readSource`, for a report that goes on to the compiler. */
export function readSourceInto(report: Report, source: Source, { named }: SourceOptions): ReadInto {
	const { value, locate } = "yaml" in source ? source.read(source.yaml, report) : readJson(source.json);
	const problem = unstorable(value);
	if (problem !== null) report.error("bad_field", problem, { path: [] });
	const document =
		value === undefined || problem !== null
			? null
			: report.within(() => readDocument(value, named, report), null);
	if (document === null) {
		const positions = { nodes: new Map(), edges: [], unread: new Unread(), locate };
		return { definition: null, positions, triplets: null };
	}
	return {
		definition: document.definition,
		positions: { ...document.positions, locate },
		triplets: tripletsOf(value as object),
	};
}

const readJson = (value: unknown): { value: unknown; locate: Locate } => ({
	value: value === undefined ? null : value,
	locate: locateIn(value),
});

function tripletsOf({ triplets, flow }: { triplets?: unknown; flow?: unknown }): readonly string[] | null {
	const written = triplets ?? flow;
	return Array.isArray(written) && written.every((each) => typeof each === "string") ? written : null;
}
