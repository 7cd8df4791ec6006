declare module "cloudflare:workers" {
	/** Extends the life of the request being handled. */
	export function waitUntil(work: Promise<unknown>): void;

	/** Named entrypoints are called through service bindings only. */
	export class WorkerEntrypoint<Env> {
		constructor(context: unknown, env: Env);
		protected readonly env: Env;
	}
}
