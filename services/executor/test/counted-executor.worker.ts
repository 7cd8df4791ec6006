// Imported first, before anything can create an instance.
import "./counted-instances.ts";
import worker, { Internal as OwnInternal, Runs as OwnRuns } from "../src/cloudflare.ts";
import { countInstances } from "./counted-instances.ts";

type Env = Parameters<typeof worker.fetch>[1];
type Database = NonNullable<Env["EXECUTOR_DB"]>;

const calls: string[] = [];

/**
 * The executor's worker, which also reports at `/counted` its calls since the last report, and at `/instances` how often
 * it has instantiated WebAssembly.
 * @public
 */
export default {
	async fetch(request: Request, env: Env): Promise<Response> {
		const { pathname } = new URL(request.url);
		if (pathname === "/counted") return Response.json({ calls: calls.splice(0) });
		if (pathname === "/instances") return Response.json({ instances: countInstances() });
		return worker.fetch(request, countCalls(env));
	},
	scheduled: (event: unknown, env: Env) => worker.scheduled(event, countCalls(env)),
};

/** @public Called by the tick. */
export class Runs extends OwnRuns {
	constructor(context: unknown, env: Env) {
		super(context, countCalls(env));
	}
}

/** @public Called by the MCP server. */
export class Internal extends OwnInternal {
	constructor(context: unknown, env: Env) {
		super(context, countCalls(env));
	}
}

const fetchOutside = globalThis.fetch;
globalThis.fetch = (input, init) => {
	calls.push(`OUTSIDE ${init?.method} ${new URL(String(input)).host}`);
	return fetchOutside(input, init);
};

const countCalls = (env: Env): Env => ({
	...env,
	STORE: {
		fetch(request, init) {
			calls.push(`STORE ${request.method} ${new URL(request.url).pathname}`);
			return env.STORE.fetch(request, init);
		},
	},
	REGISTRY: {
		fetch(request) {
			calls.push(`REGISTRY ${request.method} ${new URL(request.url).pathname}`);
			return env.REGISTRY.fetch(request);
		},
	},
	WORKFLOWS_KV: countBinding("KV", env.WORKFLOWS_KV),
	RUNS: countBinding("RUNS", env.RUNS),
	...(env.EXECUTOR_DB !== undefined && { EXECUTOR_DB: countStatements(env.EXECUTOR_DB) }),
});

/** Each batch, and each statement outside of one, is a call. */
const countStatements = (database: Database): Database => ({
	prepare(text) {
		const statement = database.prepare(text);
		return {
			bind: (...values) => {
				const bound = statement.bind(...values);
				const all = bound.all.bind(bound);
				bound.all = () => {
					calls.push("D1 all");
					return all();
				};
				return bound;
			},
			all: () => statement.all(),
		};
	},
	batch(statements) {
		calls.push("D1 batch");
		return database.batch(statements);
	},
});

function countBinding<Binding extends object>(label: string, binding: Binding): Binding {
	return new Proxy(binding, {
		get(target, method) {
			return (...values: unknown[]) => {
				calls.push(`${label} ${String(method)}`);
				return (target as Record<string | symbol, (...values: unknown[]) => unknown>)[method]?.(...values);
			};
		},
	});
}
