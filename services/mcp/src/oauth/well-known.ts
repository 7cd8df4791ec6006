import type { Incoming } from "@tripline/web/http-message";
import { type Route, reply, route } from "@tripline/web/route";
import type * as z from "zod";
import { resolveOrigin } from "../addresses.ts";
import type { McpSettings } from "../settings.ts";
import { tag } from "./descriptions.ts";
import {
	AuthorizationServer,
	authorizationServer,
	ProtectedResource,
	protectedResource,
} from "./metadata.ts";

/** Both documents, each at the root and with the resource's path as a suffix: clients look in either place. */
export const metadataRoutes = (settings: McpSettings): Route<unknown>[] =>
	["", "/mcp"].flatMap((suffix) => [
		documentRoute(`/.well-known/oauth-protected-resource${suffix}`, {
			summary: "Protected resource metadata (RFC 9728)",
			body: ProtectedResource,
			of: (request) => protectedResource(resolveOrigin(settings, request)),
		}),
		documentRoute(`/.well-known/oauth-authorization-server${suffix}`, {
			summary: "Authorization server metadata (RFC 8414)",
			body: AuthorizationServer,
			of: (request) => authorizationServer(resolveOrigin(settings, request)),
		}),
	]);

const documentRoute = (
	path: string,
	{ summary, body, of }: { summary: string; body: z.ZodType; of: (request: Incoming) => object },
): Route<unknown> =>
	route({
		method: "GET",
		path,
		tag,
		open: true,
		summary,
		responses: { 200: { description: "The document", body } },
		handle: ({ request }) => reply(200, of(request)),
	});
