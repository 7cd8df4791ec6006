/** Scenarios that do not apply to a deployment of four workers, each with its reason. */
export const NOT_APPLICABLE: Readonly<Record<string, string>> = {
	"the executor's OpenAPI document lists every route and which ones need the tenant header":
		"each worker describes its own routes: the registry's are in the registry's document",
	"every endpoint of the console and /mcp are in the OpenAPI document, with the required bearer":
		"each worker describes its own routes: these are in the MCP server's document",
	"the OpenAPI document lists the request and response content types of the console's endpoints and /mcp":
		"each worker describes its own routes: these are in the MCP server's document",
	"the knowledge store's own address is rejected even if all local addresses are allowed":
		"the store has no address: workers reach it by their bindings",
	"workflows of every tenant start in one tick, each in its own namespace":
		"a cron starts at most 28 runs and the scenario needs 42; the rest is due a minute later",
	"the executor works without an internal token and sends none":
		"a worker has its store bound, STORE_BASE_URL is for processes; and init always creates the token",
	"the executor reads and writes everything at STORE_BASE_URL, with the internal token in every request":
		"a worker has its store bound, STORE_BASE_URL is for processes",
	"the namespace of a self-hosted project is NAMESPACE in its .env file":
		"a worker has no file to read settings from",
	"empty settings count as unset, and an empty owner secret is not a secret":
		"a deployed store without an internal token has no internal callers, because it may have a public address",
	"OpenAI's client talks to a workflow, streamed and as a whole, with the tokens that it used":
		"init sets an access token, which is then the key of /v1; a scenario with that setting covers it",
	"OpenAI's client sends pictures and files, and a workflow without a model answers":
		"init sets an access token, which is then the key of /v1; a scenario with that setting covers it",
	"OpenAI's client gets refusals as it expects them":
		"init sets an access token, which is then the key of /v1; a scenario with that setting covers it",
	"OpenAI's client is told that a run waits, and does not repeat the call":
		"init sets an access token, which is then the key of /v1; a scenario with that setting covers it",
	"a public chat takes ten messages a minute, and as many tokens a day as it says":
		"init sets an access token, which is then the key of /v1; a scenario with that setting covers it",
};
