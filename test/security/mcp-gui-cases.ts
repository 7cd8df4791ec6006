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
const NODE = { name: "Ada" };

/** Every console route, by method and path. */
export const GUI_CASES: Readonly<Record<string, (names: Names) => readonly GuiCase[]>> = {
	"GET /gui/session": () => [plain],
	"GET /gui/overview": () => [plain, queryCase({ hours: "48" })],
	"GET /gui/workflows": () => [plain],
	"POST /gui/validate": () => [{ status: 200, body: DOCUMENT }],
	"GET /gui/workflows/{name}": () => [hiddenCase({ name: "private" }), hiddenCase({ name: "daily" })],
	"PUT /gui/workflows/{name}": () => [{ status: 201, values: { name: "failing" }, body: DOCUMENT }],
	"DELETE /gui/workflows/{name}": () => [hiddenCase({ name: "private" }), hiddenCase({ name: "daily" })],
	"POST /gui/workflows/{name}/run": () => [
		hiddenCase({ name: "private" }, {}),
		hiddenCase({ name: "daily" }, {}),
	],
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
	"DELETE /gui/components/{id}": () => [hiddenCase({ id: INSTALLED.id })],
	"GET /gui/registry/components": () => [plain],
	"GET /gui/registry/components/{id}": () => [{ status: 200, values: { id: INSTALLED.id } }],
	"GET /gui/registry/components/{id}/{version}": () => [
		{ status: 200, values: { id: INSTALLED.id, version: INSTALLED.version } },
	],
	"GET /gui/credentials": () => [plain],
	"PUT /gui/credentials/{name}": () => [{ status: 201, values: { name: "signer" }, body: CREDENTIAL }],
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
	"GET /gui/executions",
	"GET /gui/executions/{id}",
	"GET /gui/entries",
	"GET /gui/entries/{id}",
	"POST /gui/search",
	"GET /gui/graph/neighbors/{name}",
	"GET /gui/graph/traverse",
	"GET /gui/graph/search",
	"GET /gui/graph/source/{name}",
	"GET /gui/graph/why",
	"GET /gui/graph/start",
	"GET /gui/credentials",
	"GET /gui/tokens",
];
