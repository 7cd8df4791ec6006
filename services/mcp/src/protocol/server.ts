import type { McpServerFactory, ServerOptions } from "@modelcontextprotocol/server";
import type { Log } from "@tripline/platform/log";
import { completionMethods } from "./completion.ts";
import type { MethodContext } from "./methods.ts";
import { CANCELLED, RequestProblem, toErrorDescription } from "./problems.ts";
import { promptMethods } from "./prompts.ts";
import { type ContextDeps, createToolContext, readMcpRequest } from "./request.ts";
import { resourceMethods } from "./resources.ts";
import type { Surface } from "./surface.ts";
import { toolMethods } from "./tools.ts";

/** Changes only with a release. */
const FIXED_CACHE = { ttlMs: 5 * 60_000, cacheScope: "private" } as const;
/** Changes when the tenant saves something; clients are not notified. */
const CHANGING_CACHE = { ttlMs: 5_000, cacheScope: "private" } as const;

export type Sdk = typeof import("./sdk.ts");

export interface ServerDeps extends ContextDeps {
	readonly surface: Surface;
	readonly version: string;
	readonly log: Log;
}

/** Creates an SDK server per request. Everything that does not depend on the request is created once. */
export function serverFactory({ Server }: Pick<Sdk, "Server">, deps: ServerDeps): McpServerFactory {
	const { surface, version, log } = deps;
	const info = { name: "tripline", title: "Tripline", version };
	const options: ServerOptions = {
		capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
		instructions: surface.instructions,
		cacheHints: {
			"server/discover": FIXED_CACHE,
			"tools/list": CHANGING_CACHE,
			"resources/list": CHANGING_CACHE,
			"resources/templates/list": FIXED_CACHE,
			"resources/read": { ttlMs: 0, cacheScope: "private" },
			"prompts/list": FIXED_CACHE,
		},
	};
	const methods = new Map([
		...toolMethods(surface),
		...resourceMethods(surface.resources),
		...promptMethods(surface.prompts),
		...completionMethods(surface),
	]);

	return ({ authInfo, era }) => {
		const asked = readMcpRequest(authInfo);
		const server = new Server(info, options);
		const method = asked.method === undefined ? undefined : methods.get(asked.method);
		// Registers only the requested method: registering all of them costs more than answering the request.
		if (asked.method === undefined || method === undefined) return server;
		server.setRequestHandler(asked.method, { params: method.params }, async (params, context) => {
			const told = (error: unknown) =>
				// Errors of a cancelled call are not logged as failures, and nobody waits for the answer.
				context.mcpReq.signal.aborted
					? CANCELLED
					: toErrorDescription(error, { log, requestId: asked.requestId });
			const served: MethodContext = {
				context: createToolContext(deps, asked, context),
				isModern: era === "modern",
				describeError: told,
			};
			try {
				return await method.handle(params as never, served);
			} catch (error) {
				if (error instanceof RequestProblem) throw error;
				const { code, message } = told(error);
				throw new RequestProblem(code, message);
			}
		});
		return server;
	};
}
