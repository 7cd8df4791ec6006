import { NodeStatus, type NodeTrace } from "@tripline/contract/workflows";
import * as z from "zod";
import { shorten, takeFitting } from "./budget.ts";

const SLOW_MS = 1_000;
const MAX_LINES = 20;

/** What a node did, in short. */
export const TracedNode = z.object({
	id: z.string(),
	component: z.string().nullable(),
	status: NodeStatus.nullable(),
	duration_ms: z.number().nullable(),
	attempts: z.int().nullable(),
	error: z.string().optional(),
	log: z.array(z.string()).optional(),
});
type TracedNode = z.output<typeof TracedNode>;

export const isNoteworthy = ({ status, duration_ms }: NodeTrace): boolean =>
	status === "failed" || duration_ms >= SLOW_MS;

/** As many nodes as fit, each shortened. */
export const toTrace = (nodes: readonly NodeTrace[], room: number): TracedNode[] =>
	takeFitting(
		nodes.map(({ id, component, status, duration_ms, attempts, error, log }) => ({
			id,
			component,
			status,
			duration_ms: Math.round(duration_ms * 10) / 10,
			attempts,
			...(error !== undefined && { error: shorten(error, 500) }),
			...(log !== undefined && { log: log.slice(0, MAX_LINES).map((line) => shorten(line, 200)) }),
		})),
		room,
	);

/** The node whose failure ended the run: the error starts with its name, as `<node>: ` or, in a loop, `<node>[3]: `. */
export function findFailedNode(error: string, nodes: readonly NodeTrace[]): NodeTrace | undefined {
	const failed = nodes.filter(
		({ id, status }) => status === "failed" && (error.startsWith(`${id}: `) || error.startsWith(`${id}[`)),
	);
	return failed.toSorted((one, other) => other.id.length - one.id.length)[0];
}
