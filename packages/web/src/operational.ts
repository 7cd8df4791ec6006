import { Failed } from "@tripline/contract/failures";
import * as z from "zod";
import { renderDocsPage } from "./docs/page.ts";
import { buildOpenApiDocument, type Credentials } from "./openapi.ts";
import { type Route, type RouteDescription, reply, route } from "./route.ts";

export const OPERATIONAL_PATHS = ["/healthz", "/readyz", "/openapi.json", "/docs"] as const;

const Status = z.object({ status: z.string() });

/** Health checks and API description: the same on every port; they reveal nothing about its data. */
export function createOperationalRoutes<Caller>(deps: {
	readonly title: string;
	readonly version: string;
	/** The routes to describe, besides these. */
	readonly describes: readonly RouteDescription[];
	ready(): Promise<boolean>;
	readonly credentials?: Credentials;
}): Route<Caller>[] {
	const tag = "Operations";
	const own: Route<Caller>[] = [
		route({
			method: "GET",
			path: "/healthz",
			tag,
			open: true,
			summary: "Check that the process is alive",
			responses: { 200: { description: "Alive", body: Status } },
			handle: () => reply(200, { status: "ok" }),
		}),
		route({
			method: "GET",
			path: "/readyz",
			tag,
			open: true,
			summary: "Check that requests can be served",
			responses: { 200: { description: "Ready", body: Status } },
			async handle() {
				if (await isReady(deps.ready)) return reply(200, { status: "ready" });
				throw new Failed({ kind: "unavailable", message: "not ready", retryAfterSeconds: 1 });
			},
		}),
		route({
			method: "GET",
			path: "/openapi.json",
			tag,
			open: true,
			summary: "API description (OpenAPI 3.1)",
			responses: { 200: { description: "The document", body: z.looseObject({}) } },
			handle: () => reply(200, document()),
		}),
		route({
			method: "GET",
			path: "/docs",
			tag,
			open: true,
			summary: "API description as a web page",
			responses: { 200: { description: "A page", content: { "text/html": z.string() } } },
			handle: () => renderDocsPage(document()),
		}),
	];
	let made: ReturnType<typeof buildOpenApiDocument> | undefined;
	const document = () => {
		made ??= buildOpenApiDocument({ ...deps, routes: [...deps.describes, ...own] });
		return made;
	};
	return own;
}

async function isReady(ready: () => Promise<boolean>): Promise<boolean> {
	try {
		return await ready();
	} catch {
		return false;
	}
}
