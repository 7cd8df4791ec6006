import type { GraphNode, JsonObject } from "@tripline/contract/workflows";
import type { Hint, Path } from "./diagnostics.ts";
import type { Meter } from "./meter.ts";

/**
 * What is known about components beyond their schemas, for authors of documents. Nothing of it is needed to run a
 * workflow, so it is loaded when a document is saved or validated, and stored documents are not checked with it.
 */
export interface Advice {
	/** Hints by a name that is no component here, in lower case and without `_`, `-` and spaces. */
	readonly components: Readonly<Record<string, string>>;
	/** Hints by component and by the name of a parameter that it does not have. */
	readonly parameters: Readonly<Record<string, Readonly<Record<string, string>>>>;
	/** By component. */
	readonly checks: Readonly<Record<string, Check>>;
}

/** Finds problems with the parameters of a node that the component's schema cannot express. */
type Check = (node: CheckedNode) => readonly CheckProblem[];

export interface CheckedNode extends Pick<GraphNode, "id" | "retry" | "timeout_ms"> {
	/** As written: templates are not resolved, and the schema may have been violated. */
	readonly params: JsonObject;
	/** Of a run; undefined if it is not known. */
	readonly deadlineMs: number | undefined;
	/** Hints by the name of a workflow that does not exist; empty if it is not known which exist. */
	readonly missingWorkflows: ReadonlyMap<string, string | undefined>;
	readonly meter: Meter;
}

export interface CheckProblem {
	readonly severity: "error" | "warning";
	readonly code: string;
	readonly message: string;
	/** Into the parameters. */
	readonly path: Path;
	/** Offset into the string at the path. */
	readonly offset?: number;
	readonly hint?: Hint;
}
