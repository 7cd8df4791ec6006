import { Failed } from "@tripline/contract/failures";
import * as z from "zod";
import type { Discovered } from "./discover.ts";
import { type Documents, parseObject, refuse } from "./documents.ts";

/** Who the service is at an authorization server. */
export interface Client {
	readonly id: string;
	readonly secret: string | null;
	readonly by: "basic" | "body" | "none";
	/** Set if it was registered: another redirect URL needs another registration. */
	readonly redirectUrl: string | null;
	/** When the secret expires; null if it does not. */
	readonly expiresAt: number | null;
}

export interface GivenClient {
	readonly id: string;
	readonly secret: string | null;
}

const METHODS = { client_secret_basic: "basic", client_secret_post: "body", none: "none" } as const;
type Method = keyof typeof METHODS;

/** Dates end some thousand years later. */
const MAX_UNIX_SECONDS = 1e12;

const Registered = z.object({
	client_id: z.string().regex(/^[\x20-\x7e]{1,2000}$/),
	client_secret: z
		.string()
		.regex(/^[\x20-\x7e]{1,4096}$/)
		.nullish(),
	token_endpoint_auth_method: z.string().nullish(),
	/** Seconds, 0 for never. */
	client_secret_expires_at: z.int().min(0).max(MAX_UNIX_SECONDS).nullish().catch(null),
});

/** What registration and the document of the client say alike. */
export const describeClient = (base: string, redirectUrl: string) => ({
	client_name: "Tripline",
	client_uri: base,
	redirect_uris: [redirectUrl],
	grant_types: ["authorization_code", "refresh_token"],
	response_types: ["code"],
	// Loopback addresses are allowed for native applications only (RFC 8252).
	application_type: base.startsWith("https:") ? "web" : "native",
});

/** A client that the owner registered; else our document; else one that is registered now (RFC 7591). */
export async function chooseClient(
	found: Discovered,
	own: {
		readonly base: string;
		readonly redirectUrl: string;
		/** The address of our document. */
		readonly documentUrl: string;
		readonly given: GivenClient | null;
	},
	docs: Documents,
): Promise<Client> {
	const { given, redirectUrl } = own;
	if (given !== null) {
		const by = given.secret === null ? "none" : METHODS[chooseMethod(found, SECRET_METHODS)];
		return { ...given, by, redirectUrl: null, expiresAt: null };
	}
	if (found.takesClientDocuments && own.documentUrl.startsWith("https:"))
		return { id: own.documentUrl, secret: null, by: "none", redirectUrl, expiresAt: null };
	if (found.registrationUrl === null)
		throw new Failed({
			kind: "conflict",
			message: `${found.issuer} registers no clients by itself: register one there with the redirect URL ${redirectUrl}, and sign in with its client_id and client_secret`,
		});
	return register(found, found.registrationUrl, own, docs);
}

async function register(
	found: Discovered,
	url: URL,
	{ base, redirectUrl }: { readonly base: string; readonly redirectUrl: string },
	docs: Documents,
): Promise<Client> {
	const asked = chooseMethod(found, ALL_METHODS);
	const scope = found.scopes.join(" ");
	const answer = await docs.post(url, {
		...describeClient(base, redirectUrl),
		token_endpoint_auth_method: asked,
		...(scope !== "" && { scope }),
	});
	if (answer.status !== 201 && answer.status !== 200)
		throw refuse(`${url.host} refused to register a client: it answered ${describeRefusal(answer)}`);
	const { data } = Registered.safeParse(parseObject(answer.body));
	if (data === undefined) throw refuse(`${url.host} registered a client, but its answer is invalid`);
	const { client_secret: secret = null, client_secret_expires_at: expires } = data;
	const method = data.token_endpoint_auth_method ?? asked;
	if (!isMethod(method) || (method !== "none" && secret === null && data.token_endpoint_auth_method != null))
		throw refuse(`${url.host} registered a client with a method of authentication that is not supported`);
	return {
		id: data.client_id,
		secret: method === "none" ? null : secret,
		by: secret === null ? "none" : METHODS[method],
		redirectUrl,
		expiresAt: expires ? expires * 1000 : null,
	};
}

const SECRET_METHODS = ["client_secret_basic", "client_secret_post"] as const;
const ALL_METHODS = [...SECRET_METHODS, "none"] as const;

const isMethod = (text: string): text is Method => Object.hasOwn(METHODS, text);

/** RFC 8414: a server that does not say so accepts client_secret_basic. */
function chooseMethod({ authMethods, issuer }: Discovered, usable: readonly Method[]): Method {
	const supported = authMethods ?? ["client_secret_basic"];
	const method = usable.find((one) => supported.includes(one));
	if (method === undefined) throw refuse(`${issuer} supports no way to authenticate that this service has`);
	return method;
}

function describeRefusal({ status, body }: { readonly status: number; readonly body: Uint8Array }): string {
	const code = parseObject(body)?.error;
	return typeof code === "string" && /^[\w.-]{1,64}$/.test(code) ? `${status} (${code})` : `${status}`;
}
