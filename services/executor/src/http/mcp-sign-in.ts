import { SignInLink } from "@tripline/contract/credentials";
import { invalid, notFound } from "@tripline/contract/failures";
import { McpServerName } from "@tripline/contract/mcp-servers";
import { McpSignIn } from "@tripline/contract/mcp-sign-in";
import { RecipeId } from "@tripline/contract/recipes";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { Caller } from "../domain/callers.ts";
import { readUrl } from "../mcp-servers/servers.ts";
import { describeClient } from "../mcp-sign-in/register.ts";
import { buildDocumentUrl, type McpSignIns } from "../mcp-sign-in/sign-ins.ts";
import { buildRedirectUrl } from "../sign-in/base-url.ts";
import type { CreateSignInLink } from "../sign-in/links.ts";

const tag = "MCP servers";
const described = { 200: { description: "The document", content: { "application/json": z.unknown() } } };

/** Signing in at MCP servers, whose authorization server is found and registered with by itself. */
export function mcpSignInRoutes(deps: {
	readonly signIns: McpSignIns;
	readonly createLink: CreateSignInLink;
	findBaseUrl(): string | null;
	/** The address of a server that was added; null if there is none of that name. */
	findServerUrl(namespace: string, name: string): Promise<string | null>;
}): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/mcp-servers/{name}/sign-in",
			tag,
			summary: "Get a link with which the owner signs in at an MCP server",
			description:
				"Finds the server's authorization server, registers there if needed, and makes the auth recipe and the credential `mcp_<name>`. After the sign-in the server uses that credential; one that is new is added. Again: for more rights, or after the sign-in has ended. 502 if the server does not say how to sign in, or says what cannot be trusted; 409 if it needs a client that the owner has registered.",
			params: z.object({ name: z.string() }),
			body: McpSignIn.optional(),
			responses: { 201: { description: "The link", body: SignInLink } },
			async handle({ caller: { namespace }, params: { name }, body = {} }) {
				const { client_id: id, client_secret: secret = null, scope = null } = body;
				const url = body.url ?? (await deps.findServerUrl(namespace, name));
				if (url === null) throw notFound("there is no such MCP server: add url to the body to add it");
				const { error } = McpServerName.safeParse(name);
				if (error !== undefined)
					throw invalid(error.issues.map(({ message }) => ({ path: "name", message })));
				const client = id === undefined ? null : { id, secret };
				const server = { name, url: new URL(readUrl(url)) };
				const credential = await deps.signIns.prepare(namespace, server, { client, scope });
				return reply(201, await deps.createLink(namespace, credential));
			},
		}),
		route({
			method: "GET",
			path: "/oauth/client/{auth_recipe}",
			tag,
			open: true,
			summary: "Who this service is, for authorization servers",
			description:
				"A client ID metadata document. Its address is the client id at authorization servers that take such documents.",
			params: z.object({ auth_recipe: RecipeId }),
			responses: described,
			handle: async ({ params: { auth_recipe } }) => describe(auth_recipe, null),
		}),
		route({
			method: "GET",
			path: "/oauth/client/{auth_recipe}/{namespace}",
			tag,
			open: true,
			summary: "Who this service is, for authorization servers, in multi-tenant mode",
			params: z.object({ auth_recipe: RecipeId, namespace: z.string().max(256) }),
			responses: described,
			handle: async ({ params: { auth_recipe, namespace } }) => describe(auth_recipe, namespace),
		}),
	];

	/** The same for names that do not exist, which it therefore does not reveal. */
	function describe(authRecipe: string, namespace: string | null) {
		const base = deps.findBaseUrl();
		if (base === null) throw notFound();
		const redirectUrl = buildRedirectUrl(base, authRecipe, namespace);
		const document = {
			client_id: buildDocumentUrl(redirectUrl),
			...describeClient(base, redirectUrl),
			token_endpoint_auth_method: "none",
		};
		return {
			status: 200,
			text: JSON.stringify(document),
			headers: { "content-type": "application/json", "cache-control": "public, max-age=3600" },
		};
	}
}
