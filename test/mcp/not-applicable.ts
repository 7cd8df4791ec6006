import type { Reasons, Revision } from "./suite.ts";

const ASKS_CLIENT = "the server never asks the client: no tool needs sampling, elicitation or roots";
const NO_SESSIONS = "the server has no sessions, so there is nothing to resume or to end";
const NO_TASKS = "an extension: a run that takes long is an accepted run of the executor";

/**
 * Features that the official suite tests and this server neither offers nor declares. Scenarios that are not listed
 * must pass; listed ones must have exactly this outcome, so that any change is noticed. Two more, about requests to the
 * client, pass without proving anything: `input-required-result-unsupported-methods` and `-validate-input`.
 */
export const NOT_APPLICABLE: Readonly<Record<Revision, Reasons>> = {
	"2026-07-28": {
		"server-stateless": [
			"failed",
			ASKS_CLIENT,
			["sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400"],
		],
		"input-required-result-basic-elicitation": ["failed", ASKS_CLIENT],
		"input-required-result-basic-sampling": ["failed", ASKS_CLIENT],
		"input-required-result-basic-list-roots": ["failed", ASKS_CLIENT],
		"input-required-result-request-state": ["failed", ASKS_CLIENT],
		"input-required-result-multiple-input-requests": ["failed", ASKS_CLIENT],
		"input-required-result-multi-round": ["failed", ASKS_CLIENT],
		"input-required-result-missing-input-response": ["warned", ASKS_CLIENT],
		"input-required-result-non-tool-request": ["failed", ASKS_CLIENT],
		"input-required-result-result-type": ["failed", ASKS_CLIENT],
		"input-required-result-tampered-state": ["failed", ASKS_CLIENT],
		"input-required-result-capability-check": ["failed", ASKS_CLIENT],
		"input-required-result-ignore-extra-params": ["warned", ASKS_CLIENT],
		"http-custom-header-server-validation": [
			"failed",
			"no tool asks for its arguments in headers, not even an exposed workflow that would like to",
		],
		"tasks-lifecycle": ["failed", NO_TASKS],
		"tasks-capability-negotiation": ["failed", NO_TASKS],
		"tasks-wire-fields": ["failed", NO_TASKS],
		"tasks-request-state-removal": ["failed", NO_TASKS],
		"tasks-mrtr-input": ["failed", NO_TASKS],
		"tasks-request-headers": ["failed", NO_TASKS],
		"tasks-dispatch-and-envelope": ["failed", NO_TASKS],
		"tasks-status-notifications": ["skipped", NO_TASKS],
		"tasks-required-task-error": ["failed", NO_TASKS],
		"tasks-mrtr-composition": ["failed", NO_TASKS],
	},
	"2025-11-25": {
		"logging-set-level": ["failed", "the server logs for its operator, not to its clients"],
		"tools-call-with-logging": ["failed", "the server logs for its operator, not to its clients"],
		"tools-call-sampling": ["failed", ASKS_CLIENT],
		"tools-call-elicitation": ["failed", ASKS_CLIENT],
		"elicitation-sep1034-defaults": ["failed", ASKS_CLIENT],
		"elicitation-sep1330-enums": ["failed", ASKS_CLIENT],
		"resources-subscribe": ["failed", "nobody is told of changes: that would need a session"],
		"resources-unsubscribe": ["failed", "nobody is told of changes: that would need a session"],
		"server-sse-multiple-streams": ["warned", NO_SESSIONS],
		"server-sse-polling": ["warned", NO_SESSIONS],
		"server-session-lifecycle": ["skipped", NO_SESSIONS],
	},
};
