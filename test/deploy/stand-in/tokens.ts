import { randomBytes } from "node:crypto";
import { createEnvelope, createRefusal } from "./answer.ts";

export const PERMISSION_GROUPS = [
	"Workers Scripts",
	"Workers KV Storage",
	"D1",
	"Vectorize",
	"Workers R2 Storage",
	"Account Settings",
] as const;

export type Permission = `${(typeof PERMISSION_GROUPS)[number]} ${"Read" | "Write"}`;

export interface Token {
	readonly id: string;
	readonly permissions: readonly string[];
	/** A token of an account is verified at the account's endpoint, one of a user is not. */
	readonly owner: "user" | "account";
	readonly status: "active" | "disabled" | "expired";
}

export interface Tokens {
	add(token: Omit<Token, "id">): string;
	/** The token of a request, or the provider's refusal. */
	of(request: Request): Token | Response;
	verify(request: Request, owner: Token["owner"]): Response;
}

export function createTokens(): Tokens {
	const tokens = new Map<string, Token>();
	return {
		add(token) {
			const value = randomBytes(30).toString("base64url");
			tokens.set(value, { ...token, id: randomBytes(16).toString("hex") });
			return value;
		},
		of(request) {
			const token = readToken(request);
			if (token instanceof Response) return token;
			const known = tokens.get(token);
			if (known?.status !== "active")
				return createRefusal(401, [{ code: 10000, message: "Authentication error" }]);
			return known;
		},
		verify(request, owner) {
			const token = readToken(request);
			if (token instanceof Response) return token;
			const known = tokens.get(token);
			if (known?.owner !== owner) return createRefusal(401, [{ code: 1000, message: "Invalid API Token" }]);
			const message = `This API Token is ${known.status === "active" ? "valid and active" : known.status}`;
			return createEnvelope({
				result: { id: known.id, status: known.status },
				messages: [{ code: 10000, message, type: null }],
			});
		},
	};
}

function readToken(request: Request): string | Response {
	const header = request.headers.get("authorization");
	if (header === null) {
		const message = "Missing X-Auth-Key, X-Auth-Email or Authorization headers";
		return createRefusal(400, [{ code: 9106, message }]);
	}
	const token = /^Bearer ([A-Za-z0-9_-]{40,64})$/.exec(header)?.[1];
	if (token !== undefined) return token;
	const error_chain = [{ code: 6111, message: "Invalid format for Authorization header" }];
	return createRefusal(400, [{ code: 6003, message: "Invalid request headers", error_chain }]);
}

/** Permission to write includes reading. */
export function isAllowed({ permissions }: Token, permission: Permission): boolean {
	return permissions.includes(permission) || permissions.includes(permission.replace(/Read$/, "Write"));
}
