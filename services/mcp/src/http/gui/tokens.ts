import { Failed } from "@tripline/contract/failures";
import { GuiRevoked, GuiTokenQuery, GuiTokens } from "@tripline/contract/gui";
import { Sha256 } from "@tripline/contract/registry";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import type { McpCaller } from "../../callers.ts";
import type { Tokens } from "../../oauth/tokens.ts";
import { createNotFound, type GuiParts, TAG as tag, toIso } from "./parts.ts";

export const tokenRoutes = ({ tokens }: GuiParts): Route<McpCaller>[] => [
	route({
		method: "GET",
		path: "/gui/tokens",
		tag,
		summary: "The valid access tokens",
		description: "A page may have few or no tokens and still not be the last. Continue with next_cursor.",
		query: GuiTokenQuery,
		responses: { 200: { description: "A page", body: GuiTokens } },
		async handle({ caller, query }) {
			const page = await requireTokens(tokens).list(caller.namespace, query.cursor ?? null);
			return reply(200, {
				tokens: page.tokens.map((token) => ({
					id: token.id,
					client_id: token.client_id,
					client_name: token.client_name,
					issued_at: toIso(token.issued_at),
					expires_at: toIso(token.expires_at),
					current: token.id === caller.tokenId,
				})),
				next_cursor: page.cursor,
			});
		},
	}),

	route({
		method: "DELETE",
		path: "/gui/tokens/{id}",
		tag,
		summary: "Revoke an access token",
		description: "It takes effect within 5 seconds, on Workers within a minute.",
		params: z.object({ id: Sha256 }),
		responses: { 200: { description: "Revoked", body: GuiRevoked } },
		async handle({ caller, params }) {
			if (!(await requireTokens(tokens).revoke(caller.namespace, params.id))) throw createNotFound("token");
			return reply(200, { revoked: true });
		},
	}),
];

function requireTokens(tokens: Tokens | null): Tokens {
	if (tokens !== null) return tokens;
	throw new Failed({
		kind: "unavailable",
		message: "OAUTH_KV is not set: access tokens cannot be stored, and login is disabled",
		retryAfterSeconds: 60,
	});
}
