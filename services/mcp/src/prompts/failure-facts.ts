import type { ExecutionRecord } from "@tripline/contract/execution-log";
import type { WorkflowDocument } from "@tripline/contract/executor";
import type { Json } from "@tripline/contract/json";
import type { NodeTrace } from "@tripline/contract/workflows";
import type * as z from "zod";
import { fit } from "../tools/budget.ts";
import { toTrace } from "../tools/node-trace.ts";

const MAX_SETTINGS_LENGTH = 8_000;
const MAX_TRACE_LENGTH = 8_000;

/** The details of a failed run, as JSON, so that no text in them can pass for part of the prompt. */
export function renderFailureFacts(
	record: ExecutionRecord,
	document: z.output<typeof WorkflowDocument> | null,
	trace: readonly NodeTrace[] | null,
): string {
	const { id, workflow, time, trigger, duration_ms, error, failed_node = null, nodes } = record;
	const facts = {
		execution_id: id,
		workflow,
		time,
		trigger,
		duration_ms,
		error,
		failed_node,
		component: nodes?.find((node) => node.id === failed_node)?.component ?? null,
		settings: findSettings(failed_node, document),
		...(trace !== null && { trace: toTrace(sortFailedFirst(trace), MAX_TRACE_LENGTH) }),
	};
	return `~~~json\n${JSON.stringify(facts, null, 1)}\n~~~`;
}

/** The failed node's current settings. */
function findSettings(node: string | null, document: z.output<typeof WorkflowDocument> | null): Json {
	const config = document?.config ?? {};
	const settings = node !== null && Object.hasOwn(config, node) ? config[node] : undefined;
	return settings === undefined ? null : fit(settings, MAX_SETTINGS_LENGTH).value;
}

/** Failed nodes first, because a trace with thousands of nodes is cut. */
const sortFailedFirst = (trace: readonly NodeTrace[]): readonly NodeTrace[] => [
	...trace.filter(({ status }) => status === "failed"),
	...trace.filter(({ status }) => status !== "failed"),
];
