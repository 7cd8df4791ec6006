import { fromBase64 } from "@tripline/contract/bytes";
import { DEFAULT_AUTH_HEADER } from "@tripline/contract/calling/facts";
import { Failed } from "@tripline/contract/failures";
import { AUTH_FIELDS, type Auth, type AuthScheme } from "@tripline/contract/webhook-trigger";
import type { IncomingHeaders } from "@tripline/web/http-message";
import { isSameText } from "./constant-time.ts";

interface AuthCheck {
	readonly auth: Auth;
	readonly headers: IncomingHeaders;
	/** Null if the namespace has no such credential. */
	revealCredential(name: string): Promise<{ readonly fields: Readonly<Record<string, string>> } | null>;
}

/** The header WWW-Authenticate; there is none for a header of one's own. */
const CHALLENGES: Readonly<Record<AuthScheme, string>> = {
	bearer: 'Bearer realm="tripline"',
	basic: 'Basic realm="tripline", charset="UTF-8"',
	header: "",
};

/** Throws unless the call carries the credential. Reads only headers, so it can run before the body is read. */
export async function checkAuth({ auth, headers, revealCredential }: AuthCheck): Promise<void> {
	const { scheme } = auth;
	const given = readers[scheme](headers, auth);
	if (given === null) throw unauthorized(scheme, describeMissing(auth));
	const expected = findExpected(scheme, await revealCredential(auth.credential));
	if (expected === null) throw unauthorized(scheme, describeUnusable(scheme));
	if (!(await isSameText(given, expected))) throw unauthorized(scheme, "the credential does not match");
}

/** What the caller sent; null if there is nothing of this scheme. */
const readers: Readonly<Record<AuthScheme, (headers: IncomingHeaders, auth: Auth) => string | null>> = {
	bearer: (headers) => /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null,
	basic(headers) {
		const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(headers.get("authorization") ?? "") ?? [];
		const bytes = encoded === undefined ? null : fromBase64(encoded);
		return bytes === null ? null : decoder.decode(bytes);
	},
	header: (headers, { header = DEFAULT_AUTH_HEADER }) => headers.get(header.toLowerCase()) || null,
};

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Null if the credential does not exist or has not the fields of the scheme. */
function findExpected(
	scheme: AuthScheme,
	credential: { readonly fields: Readonly<Record<string, string>> } | null,
): string | null {
	for (const names of AUTH_FIELDS[scheme]) {
		const values = names.map((name) => credential?.fields[name] ?? "");
		if (values.includes("")) continue;
		// A colon in the user name would move the border to the password.
		if (scheme === "basic" && values[0]?.includes(":")) continue;
		return values.join(":");
	}
	return null;
}

function describeMissing({ scheme, header = DEFAULT_AUTH_HEADER }: Auth): string {
	if (scheme === "header") return `header ${header} is missing`;
	return `header Authorization must be ${scheme === "bearer" ? "Bearer <token>" : "Basic <base64 of user:password>"}`;
}

function describeUnusable(scheme: AuthScheme): string {
	const fields = AUTH_FIELDS[scheme].map((names) => names.join(" and ")).join(" or ");
	return `the workflow's credential does not exist or has no field ${fields}`;
}

const unauthorized = (scheme: AuthScheme, reason: string): Failed =>
	new Failed({
		kind: "unauthorized",
		message: `not authenticated: ${reason}`,
		challenge: CHALLENGES[scheme],
	});
