import type { NodeTrace } from "@tripline/contract/workflows";
import type { Table } from "../command.ts";

/** The outcome of each node of a run, with the lines that `code` printed. */
export const buildTraceTable = (nodes: readonly NodeTrace[]): Table => ({
	columns: ["node", "component", "status", "ms", "attempts", "output"],
	rows: nodes.map(({ id, component, status, duration_ms, attempts, error, log = [] }) => [
		id,
		component,
		status,
		String(Math.round(duration_ms)),
		String(attempts),
		[...(error === undefined ? [] : [error]), ...log].join("; "),
	]),
	empty: "no node ran",
});
