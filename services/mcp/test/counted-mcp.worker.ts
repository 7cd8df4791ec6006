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
			STORE: counting("STORE", env.STORE),
			EXECUTOR: counting("EXECUTOR", env.EXECUTOR),
			REGISTRY: counting("REGISTRY", env.REGISTRY),
			...(env.OAUTH_KV !== undefined && { OAUTH_KV: countingKv(env.OAUTH_KV) }),
		});
	},
};

const fetchOutside = globalThis.fetch;
globalThis.fetch = (input, init) => {
	calls.push(`OUTSIDE ${new URL(String(input)).host}`);
	return fetchOutside(input, init);
};

const counting = (label: string, binding: Binding): Binding => ({
	fetch(request, init) {
		const path = new URL(request.url).pathname.replace(/[0-9a-f-]{36}$/, "{id}");
		calls.push(`${label} ${request.method} ${path}`);
		return binding.fetch(request, init);
	},
});

/** Keys start with their purpose. */
const countingKv = (kv: KvNamespace): KvNamespace => ({
	getWithMetadata: (key) => counted("get", key, kv.getWithMetadata(key)),
	put: (key, value, options) => counted("put", key, kv.put(key, value, options)),
	delete: (key) => counted("delete", key, kv.delete(key)),
	list: (options) => counted("list", options.prefix, kv.list(options)),
});

function counted<Result>(method: string, key: string, result: Result): Result {
	calls.push(`KV ${method} ${key.split(":")[0]}`);
	return result;
}
