import type { Advice, CheckedNode, CheckProblem } from "@tripline/engine/advice";
import { hasTemplate } from "@tripline/engine/expressions/compile-text";
import { checkCode } from "./advice/code/check-code.ts";
import { componentHints } from "./advice/component-names.ts";
import { parameterHints } from "./advice/parameter-names.ts";
import { listTools } from "./agent/list-tools.ts";
import { MAX_TIMEOUT_MS } from "./code.ts";
import { DEFAULT_ATTEMPTS } from "./http-request/attempts.ts";

/** Loaded when a document is saved or validated: the parser of code alone takes a tenth of the start-up time. */
export const advice: Advice = {
	components: componentHints,
	parameters: parameterHints,
	checks: {
		code: (node) => [...checkCode(node), ...checkCodeTimeout(node)],
		wait: checkWait,
		workflow: checkWorkflow,
		agent: checkTools,
		http_request: checkAttempts,
	},
};

function checkCodeTimeout({ timeout_ms = 0 }: CheckedNode): CheckProblem[] {
	if (timeout_ms <= MAX_TIMEOUT_MS) return [];
	const message = `timeout_ms is ${timeout_ms}, but code may run for at most ${MAX_TIMEOUT_MS} ms`;
	const hint = "Split the work over several nodes";
	return [{ severity: "warning", code: "unreachable_timeout", message, path: ["timeout_ms"], hint }];
}

function checkWait({ params: { ms }, deadlineMs }: CheckedNode): CheckProblem[] {
	if (typeof ms !== "number" || deadlineMs === undefined || ms <= deadlineMs) return [];
	const message = `it waits for ${ms} ms, but the run ends after ${deadlineMs} ms, so the node fails`;
	const hint = "Wait for less, or use for instead of ms: the time in which the run waits then does not count";
	return [{ severity: "warning", code: "unreachable_timeout", message, path: ["ms"], hint }];
}

function checkWorkflow({ params: { name }, missingWorkflows }: CheckedNode): CheckProblem[] {
	return typeof name !== "string" || hasTemplate(name) ? [] : findMissing(name, ["name"], missingWorkflows);
}

function checkTools({ params, missingWorkflows }: CheckedNode): CheckProblem[] {
	return listTools({ component: "agent", params }).flatMap(({ workflow, path }) =>
		workflow === undefined ? [] : findMissing(workflow, [...path, "workflow"], missingWorkflows),
	);
}

function findMissing(
	name: string,
	path: CheckProblem["path"],
	missingWorkflows: CheckedNode["missingWorkflows"],
): CheckProblem[] {
	if (!missingWorkflows.has(name)) return [];
	const message = `there is no workflow named ${JSON.stringify(name)}`;
	const hint = missingWorkflows.get(name) ?? "Save it before the first run of this one";
	return [{ severity: "warning", code: "unknown_workflow", message, path, hint }];
}

/** The node's `retry` repeats all attempts of the component. */
function checkAttempts({ params, retry }: CheckedNode): CheckProblem[] {
	const { attempts = DEFAULT_ATTEMPTS } = params;
	if (retry === undefined || retry.max === 0 || typeof attempts !== "number" || attempts < 2) return [];
	const total = (retry.max + 1) * attempts;
	const message = `retry repeats all ${attempts} attempts of the node: up to ${total} requests`;
	const hint = "Set attempts: 1 beside retry, or use attempts alone";
	return [{ severity: "warning", code: "repeated_attempts", message, path: ["retry"], hint }];
}
