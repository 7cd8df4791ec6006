import type { KvNamespace } from "@tripline/platform/kv.workers";
import worker from "../src/cloudflare.ts";

type Env = Parameters<typeof worker.fetch>[1];
type Binding = Env["STORE"];

const calls: string[] = [];

/**
 * The MCP server's own worker, which also returns at `/counted` its calls since the last request there.
 * @public
 */
export default {
	async fetch(request: Request, env: Env): Promise<Response> {
		if (new URL(request.url).pathname === "/counted") return Response.json({ calls: calls.splice(0) });
		return worker.fetch(request, {
			...env,
			STORE: countCalls("STORE", env.STORE),
			EXECUTOR: countCalls("EXECUTOR", env.EXECUTOR),
			REGISTRY: countCalls("REGISTRY", env.REGISTRY),
			...(env.OAUTH_KV !== undefined && { OAUTH_KV: countKvCalls(env.OAUTH_KV) }),
		});
	},
};

const fetchOutside = globalThis.fetch;
globalThis.fetch = (input, init) => {
	calls.push(`OUTSIDE ${new URL(String(input)).host}`);
	return fetchOutside(input, init);
};

const countCalls = (label: string, binding: Binding): Binding => ({
	fetch(request, init) {
		const path = new URL(request.url).pathname.replace(/[0-9a-f-]{36}$/, "{id}");
		calls.push(`${label} ${request.method} ${path}`);
		return binding.fetch(request, init);
	},
});

/** Keys start with their purpose. */
const countKvCalls = (kv: KvNamespace): KvNamespace => ({
	getWithMetadata: (key) => countCall("get", key, kv.getWithMetadata(key)),
	put: (key, value, options) => countCall("put", key, kv.put(key, value, options)),
	delete: (key) => countCall("delete", key, kv.delete(key)),
	list: (options) => countCall("list", options.prefix, kv.list(options)),
});

function countCall<Result>(method: string, key: string, result: Result): Result {
	calls.push(`KV ${method} ${key.split(":")[0]}`);
	return result;
}
