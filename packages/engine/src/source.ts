import { findUnstorable, type Json } from "@tripline/contract/json";
import type { Diagnostic } from "@tripline/contract/workflows";
import { type Definition, type Positions, Unread } from "./definition.ts";
import { createLocator, type Locate, Report } from "./diagnostics.ts";
import { readDocument } from "./document.ts";

/**
 * A submitted workflow: parsed JSON, or YAML text with its parser. Few are YAML, and loading the parser takes a tenth of
 * the start-up time, so this module does not import it.
 */
export type Source = { readonly json: unknown } | { readonly yaml: string; readonly read: YamlReader };

type YamlReader = (text: string, report: Report) => ReadYaml;

export interface ReadYaml {
	/** Undefined if it is not valid YAML or not plain data. */
	readonly value: Json | undefined;
	readonly locate: Locate;
}

export interface SourceOptions {
	/** Whether name, description and version are required. */
	readonly named: boolean;
}

export interface ReadSource {
	/** Null if nothing could be read. If the diagnostics include errors, use it only to find more of them. */
	readonly definition: Definition | null;
	readonly positions: Positions;
	readonly diagnostics: readonly Diagnostic[];
}

interface ReadInto {
	readonly definition: Definition | null;
	readonly positions: Positions;
	/** As the author wrote them, with their aliases; null if the nodes came as a graph. */
	readonly triplets: readonly string[] | null;
}

/** Reads any of the accepted forms: triplets with config, a graph, nodes and edges, or a whole document. */
export function readSource(source: Source, options: SourceOptions): ReadSource {
	const report = new Report();
	const { definition, positions } = readSourceInto(report, source, options);
	return { definition, positions, diagnostics: report.diagnostics(positions.locate) };
}

/** Like `readSource`, with a report that the compiler continues to use. */
export function readSourceInto(report: Report, source: Source, { named }: SourceOptions): ReadInto {
	const { value, locate } = "yaml" in source ? source.read(source.yaml, report) : readJson(source.json);
	const problem = findUnstorable(value);
	if (problem !== null) report.error("bad_field", problem, { path: [] });
	const document =
		value === undefined || problem !== null
			? null
			: report.runBounded(() => readDocument(value, named, report), null);
	if (document === null) {
		const positions = { nodes: new Map(), edges: [], result: [], unread: new Unread(), locate };
		return { definition: null, positions, triplets: null };
	}
	return {
		definition: document.definition,
		positions: { ...document.positions, locate },
		triplets: listTriplets(value as object),
	};
}

const readJson = (value: unknown): { value: unknown; locate: Locate } => ({
	value: value === undefined ? null : value,
	locate: createLocator(value),
});

function listTriplets({ triplets, flow }: { triplets?: unknown; flow?: unknown }): readonly string[] | null {
	const written = triplets ?? flow;
	return Array.isArray(written) && written.every((each) => typeof each === "string") ? written : null;
}
