import type { Fields } from "./mcp-client.ts";
import { INSTALLED, type Names } from "./mcp-planted.ts";

/** A call with another tenant's names and ids, and whether it is refused; if not, it sees only the caller's data. */
export interface ToolCase {
	readonly args: Fields;
	readonly isRefused: boolean;
}

const refused = (args: Fields): ToolCase => ({ args, isRefused: true });
const answered = (args: Fields): ToolCase => ({ args, isRefused: false });

const ofOthers = (name: string, settings: object) => ({
	name,
	description: "reaches for what others have",
	version: "1",
	triplets: ["input >> ON_SUCCESS >> only"],
	config: { only: settings },
});
const SOURCE = { uri: "https://other.example/ada", hash: "2" };

/** Every tool by name. The first case of each is a call that the owner could make itself. */
export const TOOL_CASES: Readonly<Record<string, (names: Names) => readonly ToolCase[]>> = {
	list_workflows: () => [answered({}), answered({ query: "secret plans" }), answered({ limit: 1 })],
	get_workflow: ({ namespace }) => [
		refused({ name: "private" }),
		refused({ name: "private", select: "config.hidden" }),
		refused({ name: "failing" }),
		refused({ name: `${namespace}/private` }),
		refused({ name: `${namespace}:wf:private` }),
	],
	validate_workflow: () => [
		answered({ document: ofOthers("mine", { component: "workflow", name: "private" }) }),
		answered({ document: ofOthers("mine", { component: INSTALLED.id }) }),
		answered({
			document: ofOthers("mine", {
				component: "http_request",
				url: "https://a.example",
				credential: "private",
			}),
		}),
	],
	save_workflow: () => [
		answered({ document: ofOthers("caller", { component: "workflow", name: "private", input: {} }) }),
		refused({ document: ofOthers("installed", { component: INSTALLED.id }) }),
		answered({ document: ofOthers("long", { component: "set", values: { of: "mine" } }) }),
	],
	delete_workflow: () => [refused({ name: "private" }), refused({ name: "failing" })],
	run_workflow: ({ namespace }) => [
		refused({ name: "private" }),
		refused({ name: "failing", trace: true }),
		refused({ name: "daily", input: { namespace } }),
		refused({ name: "caller" }),
	],
	list_recent_executions: ({ executionCursor }) => [
		answered({}),
		refused({ workflow: "failing", verdict: "failed" }),
		answered({ cursor: executionCursor }),
	],
	get_execution: ({ failedId, heldId }) => [
		refused({ execution_id: heldId }),
		refused({ execution_id: heldId, offset: 10 }),
		refused({ execution_id: heldId, select: "[0]" }),
		refused({ execution_id: failedId }),
	],
	list_components: () => [answered({}), answered({ source: "installed" })],
	get_component: () => [answered({ id: "http_request" }), refused({ id: INSTALLED.id })],
	search_knowledge: () => [
		answered({ query: "secret plans" }),
		answered({ query: "private page", entry_types: ["note"] }),
	],
	get_entry: ({ entryId }) => [
		refused({ id: entryId }),
		refused({ id: entryId, offset: 5 }),
		refused({ page_name: "private page" }),
	],
	save_entry: () => [answered({ page_name: "third page", content: "mine" })],
	ingest_triplet: () => [answered({ subject: "Ada", predicate: "knows", object: "Bob", source: SOURCE })],
	explore_graph: () => [
		answered({ name: "Ada", depth: 3 }),
		answered({ query: "Ada knows", include_deprecated: true }),
		answered({ name: "Bob", direction: "in" }),
	],
	trace_sources: () => [
		answered({ name: "Ada" }),
		answered({ subject: "Ada", predicate: "knows", object: "Bob" }),
	],
	create_webhook: () => [refused({ workflow: "private" }), refused({ workflow: "failing" })],
};

/** Tools that show the canary to its owner; otherwise not finding it elsewhere would prove nothing. */
export const SHOWING_TOOLS = [
	"list_workflows",
	"get_workflow",
	"run_workflow",
	"list_recent_executions",
	"get_execution",
	"get_component",
	"search_knowledge",
	"get_entry",
	"explore_graph",
	"trace_sources",
];
