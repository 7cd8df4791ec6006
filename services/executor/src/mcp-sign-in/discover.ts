import type { Challenge } from "@tripline/components/mcp/challenge";
import * as z from "zod";
import { type Documents, refuse } from "./documents.ts";

/** How to sign in at an MCP server. */
export interface Discovered {
	/** Identifies the server at the authorization server (RFC 8707). */
	readonly resource: string;
	readonly issuer: string;
	readonly authorizeUrl: URL;
	readonly tokenUrl: URL;
	readonly registrationUrl: URL | null;
	readonly takesClientDocuments: boolean;
	readonly sendsIssuer: boolean;
	/** Null if the authorization server does not say. */
	readonly authMethods: readonly string[] | null;
	readonly scopes: readonly string[];
}

const Texts = z.array(z.string().max(500)).max(1_000);
const ResourceMetadata = z.object({
	resource: z.string().max(2_000),
	authorization_servers: z.array(z.string().max(2_000)).min(1).max(20),
	scopes_supported: Texts.optional().catch(undefined),
});
const ServerMetadata = z.object({
	issuer: z.string().max(500),
	authorization_endpoint: z.string(),
	token_endpoint: z.string(),
	registration_endpoint: z.string().optional().catch(undefined),
	code_challenge_methods_supported: Texts.optional().catch(undefined),
	token_endpoint_auth_methods_supported: Texts.optional().catch(undefined),
	scopes_supported: Texts.optional().catch(undefined),
	client_id_metadata_document_supported: z.boolean().optional().catch(undefined),
	authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
});
type ServerMetadata = z.output<typeof ServerMetadata>;

/** From the server's challenge to the endpoints of its authorization server. */
export async function discover(
	server: URL,
	challenge: Challenge | null,
	docs: Documents,
): Promise<Discovered> {
	const described = await findResource(server, challenge, docs);
	const issuer = described?.authorization_servers[0] ?? server.origin;
	const found = await findServerMetadata(issuer, server, docs);
	if (!found.code_challenge_methods_supported?.includes("S256"))
		throw refuse(`${found.issuer} does not say that it supports PKCE with S256, which signing in needs`);
	const { registration_endpoint: registration } = found;
	return {
		resource: described?.resource ?? stripSlash(server.href),
		issuer: found.issuer,
		authorizeUrl: docs.parseAddress(found.authorization_endpoint, "authorization endpoint"),
		tokenUrl: docs.parseAddress(found.token_endpoint, "token endpoint"),
		registrationUrl:
			registration === undefined ? null : docs.parseAddress(registration, "registration endpoint"),
		takesClientDocuments: found.client_id_metadata_document_supported === true,
		sendsIssuer: found.authorization_response_iss_parameter_supported === true,
		authMethods: found.token_endpoint_auth_methods_supported ?? null,
		scopes: chooseScopes(challenge, described?.scopes_supported ?? [], found.scopes_supported ?? []),
	};
}

/** RFC 9728. Null if the server has no such document, as before MCP 2025-06-18. */
async function findResource(server: URL, challenge: Challenge | null, docs: Documents) {
	const named = challenge?.resourceMetadata ?? null;
	const places = [
		...(named === null ? [] : [docs.parseAddress(named, "resource metadata")]),
		...listPlaces(server, "oauth-protected-resource"),
	];
	for (const place of places) {
		const document = await docs.read(place);
		if (document === null) continue;
		const { data } = ResourceMetadata.safeParse(document);
		if (data === undefined) throw refuse(`${place.host} describes the resource in an invalid document`);
		if (!covers(data.resource, server))
			throw refuse(`${place.host} describes another resource than ${server.origin}${server.pathname}`);
		return data;
	}
	return null;
}

/** RFC 8414 and OpenID Connect Discovery. The document must be that of the issuer that it was read for. */
async function findServerMetadata(named: string, server: URL, docs: Documents): Promise<ServerMetadata> {
	const issuer = docs.parseAddress(named, "authorization server");
	const inPath = new URL(issuer);
	inPath.pathname = `${issuer.pathname.replace(/\/$/, "")}/.well-known/openid-configuration`;
	const [own, ...root] = listPlaces(issuer, "oauth-authorization-server");
	const hasPath = root.length > 0;
	const places = [
		own as URL,
		listPlaces(issuer, "openid-configuration")[0] as URL,
		...(hasPath ? [inPath] : []),
	];
	for (const place of places) {
		const document = await docs.read(place);
		if (document === null) continue;
		const { data } = ServerMetadata.safeParse(document);
		if (data === undefined) throw refuse(`${place.host} describes its sign-in in an invalid document`);
		if (!isSameIssuer(data.issuer, issuer))
			throw refuse(`the metadata of the authorization server ${issuer.host} names another issuer`);
		return data;
	}
	throw refuse(
		`${server.host} does not say how to sign in: neither it nor ${issuer.host} has the metadata that MCP requires`,
	);
}

/** Between host and path, then without the path. */
function listPlaces(of: URL, name: string): URL[] {
	const build = (path: string) => new URL(`/.well-known/${name}${path}`, of.origin);
	const path = of.pathname === "/" ? "" : stripSlash(of.pathname);
	return path === "" ? [build("")] : [build(`${path}${of.search}`), build("")];
}

/** Whether the resource is the server's address, or a part of its path. */
function covers(resource: string, server: URL): boolean {
	const url = URL.parse(resource);
	if (url === null || url.origin !== server.origin || url.username !== "" || url.hash !== "") return false;
	const path = stripSlash(url.pathname);
	return server.pathname === path || server.pathname.startsWith(`${path}/`);
}

/** A host alone may be written with a slash or without. */
const isSameIssuer = (named: string, issuer: URL): boolean =>
	named === issuer.href || named === stripSlash(issuer.href);

const stripSlash = (text: string): string => text.replace(/\/$/, "");

/** RFC 6749, without braces, which would be places for fields of the credential. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7a|~]{1,200}$/;
const MAX_SCOPES = 100;

export const splitScopes = (text: string): string[] =>
	[...new Set(text.split(" "))].filter((scope) => SCOPE.test(scope)).slice(0, MAX_SCOPES);

/** What the server asks for, else all that it knows; and a refresh token, where that is a scope. */
function chooseScopes(
	challenge: Challenge | null,
	known: readonly string[],
	issuable: readonly string[],
): readonly string[] {
	const asked = challenge?.scope ?? null;
	const scopes = splitScopes(asked ?? known.join(" "));
	const isOffline = scopes.length > 0 && issuable.includes("offline_access");
	return isOffline && !scopes.includes("offline_access") ? [...scopes, "offline_access"] : scopes;
}
