import type { Fields } from "../mcp/wire.ts";
import { INSTALLED, type Names } from "./mcp-planted.ts";

/** A call with another tenant's names and ids, and whether it is refused; if not, it sees only the caller's data. */
export interface ToolCase {
	readonly args: Fields;
	readonly isRefused: boolean;
}

const refusedCase = (args: Fields): ToolCase => ({ args, isRefused: true });
const answeredCase = (args: Fields): ToolCase => ({ args, isRefused: false });

const buildForeignCases = (name: string, settings: object) => ({
	name,
	description: "reaches for what others have",
	version: "1",
	triplets: ["input >> ON_SUCCESS >> only"],
	config: { only: settings },
});
const DESCRIPTION = '{"openapi": "3.0.0", "paths": {"/orders": {"get": {}}}}';
const SOURCE = { uri: "https://other.example/ada", hash: "2" };

/** Every tool by name. The first case of each is a call that the owner could make itself. */
export const TOOL_CASES: Readonly<Record<string, (names: Names) => readonly ToolCase[]>> = {
	list_workflows: () => [
		answeredCase({}),
		answeredCase({ query: "secret plans" }),
		answeredCase({ limit: 1 }),
		answeredCase({ deleted: true }),
	],
	get_workflow: ({ namespace }) => [
		refusedCase({ name: "private" }),
		refusedCase({ name: "private", select: "config.hidden" }),
		refusedCase({ name: "failing" }),
		refusedCase({ name: `${namespace}/private` }),
		refusedCase({ name: `${namespace}:wf:private` }),
	],
	validate_workflow: () => [
		answeredCase({ document: buildForeignCases("mine", { component: "workflow", name: "private" }) }),
		answeredCase({ document: buildForeignCases("mine", { component: INSTALLED.id }) }),
		answeredCase({
			document: buildForeignCases("mine", {
				component: "http_request",
				url: "https://a.example",
				credential: "private",
			}),
		}),
	],
	save_workflow: () => [
		answeredCase({
			document: buildForeignCases("caller", { component: "workflow", name: "private", input: {} }),
		}),
		refusedCase({ document: buildForeignCases("installed", { component: INSTALLED.id }) }),
		answeredCase({ document: buildForeignCases("long", { component: "set", values: { of: "mine" } }) }),
		refusedCase({ document: buildForeignCases("daily", { component: "set", values: {} }), if_version: 1 }),
	],
	list_versions: () => [
		refusedCase({ name: "failing" }),
		refusedCase({ name: "failing", from: 1, to: 2 }),
		refusedCase({ name: "failing", cursor: "1-2-0" }),
		refusedCase({ name: "removed", from: 1, to: 1 }),
	],
	rollback_workflow: () => [
		refusedCase({ name: "removed" }),
		refusedCase({ name: "removed", version_number: 1 }),
		refusedCase({ name: "failing", version_number: 1 }),
		refusedCase({ name: "private", version_number: 1 }),
	],
	set_workflow_enabled: () => [
		refusedCase({ name: "private", enabled: false }),
		refusedCase({ name: "daily", enabled: false }),
	],
	delete_workflow: () => [refusedCase({ name: "private" }), refusedCase({ name: "failing" })],
	run_workflow: ({ namespace }) => [
		refusedCase({ name: "private" }),
		refusedCase({ name: "failing", trace: true }),
		refusedCase({ name: "daily", input: { namespace } }),
		refusedCase({ name: "caller" }),
	],
	list_recent_executions: ({ executionCursor }) => [
		answeredCase({}),
		refusedCase({ workflow: "failing", verdict: "failed" }),
		answeredCase({ cursor: executionCursor }),
		answeredCase({ status: "unfinished" }),
	],
	get_execution: ({ failedId, heldId }) => [
		refusedCase({ execution_id: heldId }),
		refusedCase({ execution_id: heldId, offset: 10 }),
		refusedCase({ execution_id: heldId, select: "[0]" }),
		refusedCase({ execution_id: failedId }),
	],
	create_sign_in_link: () => [refusedCase({ credential: "private" }), refusedCase({ credential: "signer" })],
	manage_mcp_servers: () => [
		answeredCase({}),
		refusedCase({ name: "private" }),
		refusedCase({ name: "private", sign_in: true }),
		refusedCase({ name: "private", url: "http://127.0.0.1:1/" }),
	],
	manage_conversations: () => [
		answeredCase({}),
		refusedCase({ workflow: "private", key: "private" }),
		refusedCase({ workflow: "private", key: "private", delete: true }),
	],
	cancel_execution: ({ failedId, heldId }) => [
		refusedCase({ execution_id: heldId }),
		refusedCase({ execution_id: failedId }),
	],
	replay_execution: ({ failedId, heldId }) => [
		refusedCase({ execution_id: heldId }),
		refusedCase({ execution_id: failedId, from: "failed" }),
		refusedCase({ execution_id: failedId, version: "current" }),
	],
	list_waiting: () => [answeredCase({}), answeredCase({ limit: 1 })],
	answer_question: ({ questionRunId, questionId, unfinishedId }) => [
		refusedCase({ execution_id: questionRunId, id: questionId, answer: { approved: true } }),
		refusedCase({ execution_id: unfinishedId, id: questionId, answer: { approved: true } }),
	],
	list_components: () => [answeredCase({}), answeredCase({ source: "installed" })],
	get_component: () => [answeredCase({ id: "http_request" }), refusedCase({ id: INSTALLED.id })],
	import_openapi: () => [
		answeredCase({ description: DESCRIPTION }),
		refusedCase({ url: "http://127.0.0.1:1/" }),
	],
	search_knowledge: () => [
		answeredCase({ query: "secret plans" }),
		answeredCase({ query: "private page", entry_types: ["note"] }),
	],
	get_entry: ({ entryId }) => [
		refusedCase({ id: entryId }),
		refusedCase({ id: entryId, offset: 5 }),
		refusedCase({ page_name: "private page" }),
	],
	save_entry: () => [answeredCase({ page_name: "third page", content: "mine" })],
	ingest_triplet: () => [answeredCase({ subject: "Ada", predicate: "knows", object: "Bob", source: SOURCE })],
	explore_graph: () => [
		answeredCase({ name: "Ada", depth: 3 }),
		answeredCase({ query: "Ada knows", include_deprecated: true }),
		answeredCase({ name: "Bob", direction: "in" }),
	],
	trace_sources: () => [
		answeredCase({ name: "Ada" }),
		answeredCase({ subject: "Ada", predicate: "knows", object: "Bob" }),
	],
	create_webhook: () => [refusedCase({ workflow: "private" }), refusedCase({ workflow: "failing" })],
	list_files: () => [answeredCase({}), answeredCase({ prefix: "a" })],
	get_file: ({ fileId }) => [refusedCase({ id: fileId }), refusedCase({ id: fileId, offset: 1 })],
	save_file: () => [answeredCase({ name: "mine.txt", content: "mine" })],
};

/** Tools that show the canary to its owner; otherwise not finding it elsewhere would prove nothing. */
export const CANARY_TOOLS = [
	"list_workflows",
	"get_workflow",
	"list_versions",
	"run_workflow",
	"list_recent_executions",
	"get_execution",
	"get_component",
	"search_knowledge",
	"get_entry",
	"explore_graph",
	"trace_sources",
	"list_files",
	"get_file",
];
