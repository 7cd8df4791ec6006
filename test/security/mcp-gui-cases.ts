import { INSTALLED, type Names } from "./mcp-planted.ts";

/** A request with another tenant's names and ids, and its expected status. */
export interface GuiCase {
	readonly values?: Readonly<Record<string, string>>;
	readonly query?: Readonly<Record<string, string>>;
	readonly body?: object;
	readonly status: number;
}

const plain: GuiCase = { status: 200 };
const hiddenCase = (values: GuiCase["values"], body?: object): GuiCase => ({
	status: 404,
	...(values !== undefined && { values }),
	...(body !== undefined && { body }),
});
const queryCase = (query: GuiCase["query"], status = 200): GuiCase => ({
	status,
	...(query !== undefined && { query }),
});

const DOCUMENT = {
	name: "failing",
	description: "mine",
	version: "1",
	triplets: ["input >> ON_SUCCESS >> only"],
	config: { only: { component: "set", values: { of: "mine" } } },
};
const ENTRY = { content: "mine", metadata_json: "{}" };
const CREDENTIAL = { auth_recipe: "signing_secret", fields: { secret: "mine-and-mine-alone" } };
const RECIPE = {
	title: "mine",
	description: "mine",
	auth: null,
	base_url: "https://mine.example",
	operations: {
		list: { title: "List", method: "GET", path: "/", params: { type: "object" }, output: { schema: {} } },
	},
};
const DESCRIPTION = JSON.stringify({
	openapi: "3.0.3",
	info: { title: "Shared", version: "1" },
	servers: [{ url: "https://mine.example" }],
	paths: { "/": { get: { operationId: "list", responses: { 200: { description: "All" } } } } },
});
const NODE = { name: "Ada" };
const CONVERSATION = { workflow: "private", key: "private" };

/** Every console route, by method and path. */
export const GUI_CASES: Readonly<Record<string, (names: Names) => readonly GuiCase[]>> = {
	"GET /gui/session": () => [plain],
	"GET /gui/overview": () => [plain, queryCase({ hours: "48" })],
	"GET /gui/status": () => [plain],
	"GET /gui/workflows": () => [plain],
	"POST /gui/validate": () => [{ status: 200, body: DOCUMENT }],
	"GET /gui/workflows/{name}": () => [hiddenCase({ name: "private" }), hiddenCase({ name: "daily" })],
	"PUT /gui/workflows/{name}": () => [{ status: 201, values: { name: "failing" }, body: DOCUMENT }],
	"DELETE /gui/workflows/{name}": () => [hiddenCase({ name: "private" }), hiddenCase({ name: "daily" })],
	"POST /gui/workflows/{name}/run": () => [
		hiddenCase({ name: "private" }, {}),
		hiddenCase({ name: "daily" }, {}),
	],
	"POST /gui/workflows/{name}/test": () => [
		hiddenCase({ name: "private" }, {}),
		hiddenCase({ name: "daily" }, { pinned: { only: 1 } }),
	],
	"GET /gui/workflows/{name}/versions": ({ versionCursor }) => [
		hiddenCase({ name: "private" }),
		{ ...hiddenCase({ name: "daily" }), query: { cursor: versionCursor } },
	],
	"GET /gui/workflows/{name}/versions/{number}": () => [
		hiddenCase({ name: "private", number: "1" }),
		hiddenCase({ name: "daily", number: "1" }),
	],
	"GET /gui/workflows/{name}/diff": () => [
		{ ...hiddenCase({ name: "private" }), query: { from: "1", to: "draft" } },
		{ ...hiddenCase({ name: "daily" }), query: { from: "1", to: "2" } },
	],
	"POST /gui/workflows/{name}/rollback": () => [hiddenCase({ name: "private" }, { version: 1 })],
	"POST /gui/workflows/{name}/chat-links": () => [hiddenCase({ name: "private" }, { days: 1 })],
	"GET /gui/workflows/{name}/conversations/{id}": () => [
		hiddenCase({ name: "private", id: "0".repeat(24) }),
		hiddenCase({ name: "private", id: "private" }),
	],
	"PUT /gui/workflows/{name}/enabled": () => [hiddenCase({ name: "private" }, { enabled: false })],
	"POST /gui/workflows/{name}/rename": () => [hiddenCase({ name: "private" }, { to: "mine" })],
	"GET /gui/workflows/{name}/draft": () => [hiddenCase({ name: "private" })],
	"PUT /gui/workflows/{name}/draft": () => [hiddenCase({ name: "private" }, DOCUMENT)],
	"DELETE /gui/workflows/{name}/draft": () => [hiddenCase({ name: "private" })],
	"POST /gui/workflows/{name}/draft/run": () => [hiddenCase({ name: "private" }, {})],
	"POST /gui/workflows/{name}/draft/publish": () => [hiddenCase({ name: "private" }, {})],
	"GET /gui/deleted-workflows": ({ deletedCursor }) => [plain, queryCase({ cursor: deletedCursor })],
	"POST /gui/deleted-workflows/{id}/restore": ({ deletedId }) => [hiddenCase({ id: deletedId }, {})],
	"DELETE /gui/deleted-workflows/{id}": ({ deletedId }) => [hiddenCase({ id: deletedId })],
	"GET /gui/executions": ({ executionCursor }) => [
		plain,
		queryCase({ workflow: "failing", verdict: "failed" }),
		queryCase({ cursor: executionCursor }),
		queryCase({ q: "secret" }),
	],
	"GET /gui/executions/{id}": ({ failedId, heldId }) => [
		hiddenCase({ id: failedId }),
		hiddenCase({ id: heldId }),
	],
	"GET /gui/executions/unfinished": ({ executionCursor }) => [plain, queryCase({ cursor: executionCursor })],
	"POST /gui/executions/{id}/cancel": ({ failedId, heldId, unfinishedId }) => [
		hiddenCase({ id: failedId }),
		hiddenCase({ id: heldId }),
		hiddenCase({ id: unfinishedId }),
	],
	"POST /gui/executions/{id}/replay": ({ failedId, heldId, unfinishedId }) => [
		hiddenCase({ id: failedId }, { from: "failed" }),
		hiddenCase({ id: failedId }, { input: {} }),
		hiddenCase({ id: heldId }, { version: "current" }),
		hiddenCase({ id: unfinishedId }, {}),
	],
	"GET /gui/executions/{id}/data": ({ failedId, heldId }) => [
		hiddenCase({ id: failedId }),
		hiddenCase({ id: heldId }),
	],
	"DELETE /gui/executions/{id}/data": ({ failedId }) => [hiddenCase({ id: failedId })],
	"GET /gui/executions/settings": () => [plain],
	"PUT /gui/executions/settings": () => [{ status: 200, body: { keep: "memory" } }],
	"GET /gui/questions": ({ questionCursor }) => [plain, queryCase({ cursor: questionCursor })],
	"POST /gui/questions/{execution_id}/{id}/answer": ({ questionRunId, questionId }) => [
		hiddenCase({ execution_id: questionRunId, id: questionId }, { answer: { approved: true } }),
		hiddenCase({ execution_id: questionRunId, id: questionId }, { answer: {} }),
	],
	"GET /gui/conversations": () => [plain, queryCase({ limit: "100" })],
	"GET /gui/conversations/turns": () => [queryCase(CONVERSATION, 404)],
	"GET /gui/conversations/facts": () => [queryCase(CONVERSATION)],
	"DELETE /gui/conversations": () => [queryCase(CONVERSATION, 404)],
	"GET /gui/files": () => [plain, queryCase({ kept: "true" }), queryCase({ prefix: "a" })],
	"POST /gui/files": () => [queryCase({ name: "mine.txt" }, 201)],
	"GET /gui/files/{id}": ({ fileId }) => [hiddenCase({ id: fileId })],
	"GET /gui/files/{id}/content": ({ fileId }) => [hiddenCase({ id: fileId })],
	"POST /gui/files/{id}/link": ({ fileId }) => [hiddenCase({ id: fileId }, {})],
	"DELETE /gui/files/{id}": ({ fileId }) => [hiddenCase({ id: fileId })],
	"GET /gui/entries": ({ entryCursor }) => [
		plain,
		queryCase({ page_name: "private page" }),
		queryCase({ entry_type: "triplet" }),
		queryCase({ cursor: entryCursor }),
	],
	"POST /gui/entries": () => [
		{ status: 201, body: { entry_type: "note", page_name: "other page", ...ENTRY } },
	],
	"GET /gui/entries/{id}": ({ entryId }) => [hiddenCase({ id: entryId })],
	"PUT /gui/entries/{id}": ({ entryId }) => [hiddenCase({ id: entryId }, ENTRY)],
	"DELETE /gui/entries/{id}": ({ entryId }) => [hiddenCase({ id: entryId })],
	"POST /gui/search": () => [
		{ status: 200, body: { q: "secret plans" } },
		{ status: 200, body: { q: "secret plans", entry_types: ["workflow"] } },
	],
	"GET /gui/graph/neighbors/{name}": () => [{ status: 200, values: NODE }],
	"GET /gui/graph/traverse": () => [queryCase({ ...NODE, includeDeprecated: "true" })],
	"GET /gui/graph/search": () => [queryCase({ q: "Ada knows" })],
	"GET /gui/graph/source/{name}": () => [{ status: 200, values: NODE }],
	"GET /gui/graph/why": () => [queryCase({ subject: "Ada", predicate: "knows", object: "Bob" })],
	"GET /gui/graph/start": () => [plain],
	"GET /gui/components": () => [plain],
	"GET /gui/components/{id}": () => [hiddenCase({ id: INSTALLED.id })],
	"PUT /gui/components/{id}": () => [
		{
			status: 409,
			values: { id: INSTALLED.id },
			body: { version: INSTALLED.version, sha256: "0".repeat(64) },
		},
	],
	"POST /gui/components/{id}/test": () => [
		hiddenCase({ id: INSTALLED.id }, { params: {} }),
		hiddenCase({ id: "private_api.list" }, { params: {} }),
		{ status: 200, values: { id: "set" }, body: { params: { values: { of: "mine" } } } },
	],
	"DELETE /gui/components/{id}": () => [hiddenCase({ id: INSTALLED.id })],
	"GET /gui/recipes": () => [plain],
	"GET /gui/recipes/{id}": () => [hiddenCase({ id: "private_api" })],
	"PUT /gui/recipes/{id}": () => [{ status: 200, values: { id: "shared_api" }, body: RECIPE }],
	"DELETE /gui/recipes/{id}": () => [hiddenCase({ id: "private_api" })],
	"POST /gui/recipes/from-openapi": () => [
		{ status: 200, body: { description: DESCRIPTION } },
		{ status: 200, body: { description: DESCRIPTION, operations: ["list"], id: "shared_api", save: true } },
	],
	"GET /gui/mcp-servers": () => [plain],
	"GET /gui/mcp-servers/{name}": () => [hiddenCase({ name: "private" })],
	"PUT /gui/mcp-servers/{name}": () => [
		{ status: 422, values: { name: "private" }, body: { url: "http://127.0.0.1:1/" } },
	],
	"DELETE /gui/mcp-servers/{name}": () => [hiddenCase({ name: "private" })],
	"POST /gui/mcp-servers/{name}/refresh": () => [hiddenCase({ name: "private" })],
	"POST /gui/mcp-servers/{name}/accept": () => [hiddenCase({ name: "private" }, { hash: "0".repeat(64) })],
	"POST /gui/mcp-servers/{name}/sign-in": () => [hiddenCase({ name: "private" })],
	"GET /gui/registry/components": () => [plain],
	"GET /gui/registry/components/{id}": () => [{ status: 200, values: { id: INSTALLED.id } }],
	"GET /gui/registry/components/{id}/{version}": () => [
		{ status: 200, values: { id: INSTALLED.id, version: INSTALLED.version } },
	],
	"GET /gui/credentials": () => [plain],
	"PUT /gui/credentials/{name}": () => [{ status: 201, values: { name: "signer" }, body: CREDENTIAL }],
	"POST /gui/credentials/{name}/sign-in": () => [hiddenCase({ name: "private" })],
	"POST /gui/credentials/{name}/test": () => [hiddenCase({ name: "private" })],
	"DELETE /gui/credentials/{name}": () => [hiddenCase({ name: "private" })],
	"GET /gui/auth-recipes": () => [plain],
	"GET /gui/tokens": () => [plain],
	"DELETE /gui/tokens/{id}": ({ tokenId }) => [hiddenCase({ id: tokenId })],
	"GET /gui/connect": () => [plain],
	"POST /gui/connect/verify": () => [plain],
};

/** Routes that show the canary to its owner; otherwise not finding it elsewhere would prove nothing. */
export const CANARY_ROUTES = [
	"GET /gui/overview",
	"GET /gui/workflows",
	"GET /gui/workflows/{name}",
	"GET /gui/workflows/{name}/versions/{number}",
	"GET /gui/workflows/{name}/diff",
	"GET /gui/workflows/{name}/draft",
	"GET /gui/deleted-workflows",
	"GET /gui/executions",
	"GET /gui/executions/{id}",
	"GET /gui/executions/unfinished",
	"GET /gui/questions",
	"GET /gui/conversations",
	"GET /gui/conversations/turns",
	"GET /gui/conversations/facts",
	"GET /gui/files",
	"GET /gui/files/{id}",
	"GET /gui/files/{id}/content",
	"GET /gui/entries",
	"GET /gui/entries/{id}",
	"POST /gui/search",
	"GET /gui/graph/neighbors/{name}",
	"GET /gui/graph/traverse",
	"GET /gui/graph/search",
	"GET /gui/graph/source/{name}",
	"GET /gui/graph/why",
	"GET /gui/graph/start",
	"GET /gui/recipes",
	"GET /gui/recipes/{id}",
	"GET /gui/mcp-servers",
	"GET /gui/mcp-servers/{name}",
	"GET /gui/credentials",
	"GET /gui/tokens",
];
