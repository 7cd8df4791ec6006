import { isSignInRecipe, type SignInRecipe } from "@tripline/components/auth/authorization-code";
import { findAuthRecipeProblems } from "@tripline/components/auth/recipe-problems";
import { parseChallenge } from "@tripline/components/mcp/challenge";
import { Failed, invalid } from "@tripline/contract/failures";
import { RecipeId, WriteAuthRecipe } from "@tripline/contract/recipes";
import type { Clock } from "@tripline/platform/clock";
import type { OutboundHttp } from "@tripline/platform/http";
import type { Catalogues } from "../catalogue/catalogues.ts";
import { findCredentialProblems } from "../domain/credential-problems.ts";
import { buildRedirectUrl } from "../sign-in/base-url.ts";
import type { OwnedComponentStorage } from "../storage/owned-components.ts";
import type { Revealed, Vault } from "../vault/vault.ts";
import { type Discovered, discover, splitScopes } from "./discover.ts";
import { documents, refuse } from "./documents.ts";
import { type Client, chooseClient, type GivenClient } from "./register.ts";

/** For everything before the browser is needed. */
const PREPARE_TIMEOUT_MS = 60_000;
const PREFIX = "mcp_";

/** The id of the server's auth recipe, and the name of its credential. */
const buildSignInId = (server: string): string => PREFIX + server;

export interface SignInServer {
	readonly name: string;
	readonly url: URL;
}

export type McpSignIns = ReturnType<typeof mcpSignIns>;

/** Signing in at MCP servers: each gets an auth recipe and a credential of its own, and is then signed in to like others. */
export function mcpSignIns(deps: {
	readonly send: OutboundHttp["send"];
	readonly vault: Pick<Vault, "put" | "reveal" | "delete">;
	readonly catalogues: Pick<Catalogues, "catalogue" | "forget">;
	readonly storage: Pick<OwnedComponentStorage, "put" | "delete">;
	readonly clock: Clock;
	readonly isMultiTenant: boolean;
	/** The service's public address; throws `Failed` if it is not known. */
	requireBaseUrl(): string;
	/** The header WWW-Authenticate with which the server answers a caller without credentials, or null. */
	findChallenge(server: SignInServer, signal: AbortSignal): Promise<string | null>;
}) {
	const { vault, catalogues, storage, clock } = deps;

	return {
		/** Makes the credential that the owner signs in with, and returns its name. Changes nothing if it is as it must be. */
		async prepare(
			namespace: string,
			server: SignInServer,
			wishes: { readonly client: GivenClient | null; readonly scope: string | null },
		): Promise<string> {
			const id = buildSignInId(server.name);
			if (!RecipeId.safeParse(id).success)
				throw invalid([{ path: "name", message: "must have at most 60 characters to sign in" }]);
			const base = deps.requireBaseUrl();
			const before = await findBefore(namespace, id);
			const signal = AbortSignal.timeout(PREPARE_TIMEOUT_MS);
			const docs = documents(deps.send, server.url, signal);
			const challenge = parseChallenge(await deps.findChallenge(server, signal));
			const found = await discover(server.url, challenge, docs);
			const redirectUrl = buildRedirectUrl(base, id, deps.isMultiTenant ? namespace : null);
			const own = { base, redirectUrl, documentUrl: buildDocumentUrl(redirectUrl), given: wishes.client };
			const known = wishes.client === null ? findClient(before, server, found, own.redirectUrl) : null;
			const client = known ?? (await chooseClient(found, own, docs));
			const recipe = buildRecipe(server, found, client, chooseScope(found, before, wishes.scope));
			if (known === null) {
				const fields = buildFields(server, client);
				const problems = findCredentialProblems({ ...recipe, id }, fields);
				if (problems.length > 0)
					throw refuse(`${found.issuer} gave a client that cannot be used: ${problems[0]?.message}`);
				// Before the recipe: tokens of another authorization server must never meet the new token endpoint.
				await vault.put(namespace, id, { auth_recipe: id, fields });
			}
			await storage.put(namespace, "auth_recipe", id, recipe);
			catalogues.forget(namespace);
			return id;
		},

		/** The server that a credential was made for by `prepare`, or null. */
		async findServer(namespace: string, credential: string): Promise<SignInServer | null> {
			const revealed = await vault.reveal(namespace, credential, { isFresh: true });
			const url = URL.parse(revealed?.fields.server_url ?? "");
			const isOwn = revealed?.auth_recipe === credential && credential.startsWith(PREFIX);
			return isOwn && url !== null ? { name: credential.slice(PREFIX.length), url } : null;
		},

		/** With a server goes what was made to sign in there. Whether there was something. */
		async remove(namespace: string, server: string): Promise<boolean> {
			const id = buildSignInId(server);
			const revealed = await vault.reveal(namespace, id, { isFresh: true });
			if (revealed?.auth_recipe !== id || revealed.fields.server_url === undefined) return false;
			await vault.delete(namespace, id);
			await storage.delete(namespace, "auth_recipe", id);
			catalogues.forget(namespace);
			return true;
		},
	};

	async function findBefore(namespace: string, id: string): Promise<Before> {
		const revealed = await vault.reveal(namespace, id, { isFresh: true });
		if (revealed !== null && (revealed.auth_recipe !== id || revealed.fields.server_url === undefined))
			throw new Failed({
				kind: "conflict",
				message: `there is another credential with the name ${id}: delete it, or use another name for the server`,
			});
		const recipe = (await catalogues.catalogue(namespace)).findAuthRecipe(id);
		return { revealed, recipe: recipe !== null && isSignInRecipe(recipe) ? recipe : null };
	}

	/** A client is known only at the authorization server where it was registered. */
	function findClient(
		{ revealed, recipe }: Before,
		server: SignInServer,
		found: Discovered,
		redirectUrl: string,
	): Client | null {
		if (revealed === null || recipe === null) return null;
		const { client_id: id = "", client_secret: secret = null, ...more } = revealed.fields;
		const { redirect_url: registered = null, client_expires_at: end, server_url } = more;
		const isHere = recipe.inject.issuer === found.issuer && server_url === server.url.href;
		if (registered === null && !isHere)
			throw new Failed({
				kind: "conflict",
				message: `${server.name} now signs in at ${found.issuer}: give the client_id that is registered there`,
			});
		const expiresAt = end === undefined ? null : Date.parse(end);
		const isValid = expiresAt === null || clock.now() < expiresAt;
		if (!isHere || !isValid || (registered !== null && registered !== redirectUrl)) return null;
		return { id, secret, by: recipe.inject.client_auth, redirectUrl: registered, expiresAt };
	}
}

interface Before {
	readonly revealed: Revealed | null;
	readonly recipe: SignInRecipe | null;
}

/** Beside the redirect URL: each client has its own, so that no server can answer for another one. */
export const buildDocumentUrl = (redirectUrl: string): string =>
	redirectUrl.replace("/oauth/callback/", "/oauth/client/");

/** More rights than before are added to those that were granted. */
function chooseScope(found: Discovered, { recipe }: Before, asked: string | null): string {
	if (asked === null) return found.scopes.join(" ");
	return splitScopes([recipe?.inject.scope ?? found.scopes.join(" "), asked].join(" ")).join(" ");
}

function buildFields({ url }: SignInServer, client: Client): Record<string, string> {
	const { id, secret, redirectUrl, expiresAt } = client;
	return {
		server_url: url.href,
		client_id: id,
		...(secret !== null && { client_secret: secret }),
		...(redirectUrl !== null && { redirect_url: redirectUrl }),
		...(expiresAt !== null && { client_expires_at: new Date(expiresAt).toISOString() }),
	};
}

const MAX_TITLE_LENGTH = 120;

function buildRecipe(
	{ url }: SignInServer,
	found: Discovered,
	client: Client,
	scope: string,
): WriteAuthRecipe {
	const field = (name: string, help: string, more: object = {}) => ({ name, secret: false, help, ...more });
	const { success, data } = WriteAuthRecipe.safeParse({
		title: `MCP server ${url.host}`.slice(0, MAX_TITLE_LENGTH),
		type: "oauth2_authorization_code",
		fields: [
			field("server_url", "The address of the MCP server"),
			field("client_id", "The id of this service at the authorization server"),
			field("client_secret", "The secret of this service there", { secret: true, optional: true }),
			field("redirect_url", "What it was registered with", { optional: true }),
			field("client_expires_at", "When the secret expires", { optional: true }),
		],
		hosts: [url.host],
		inject: {
			authorize_url: found.authorizeUrl.href,
			token_url: found.tokenUrl.href,
			...(client.secret !== null && { client_secret: "{client_secret}" }),
			client_auth: client.by,
			...(scope !== "" && { scope }),
			resource: found.resource,
			issuer: found.issuer,
			...(found.sendsIssuer && { issuer_required: true }),
		},
	});
	if (!success || findAuthRecipeProblems(data).length > 0)
		throw refuse(`${url.host} describes its sign-in in a way that cannot be used`);
	return data;
}
