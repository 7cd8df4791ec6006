declare module "cloudflare:workers" {
	/** Extends the life of the request being handled. */
	export function waitUntil(work: Promise<unknown>): void;
}
