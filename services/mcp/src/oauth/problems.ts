import { Failed } from "@tripline/contract/failures";
import { type Log, toErrorFields } from "@tripline/platform/log";
import { PlatformUnavailable } from "@tripline/platform/unavailable";
import { ServiceUnavailable } from "@tripline/web/service-call";

/** Every expected failure. A new kind does not compile until `describeProblem` handles it. */
type OAuthProblem =
	| { readonly kind: "unset"; readonly setting: "OAUTH_KV" | "MCP_OWNER_SECRET" }
	| { readonly kind: "unavailable" }
	| { readonly kind: "unexpected" }
	| { readonly kind: "too_large"; readonly message: string }
	| { readonly kind: "malformed"; readonly message: string }
	| { readonly kind: "bad_metadata"; readonly message: string }
	| { readonly kind: "bad_redirect"; readonly message: string; readonly hint: string | null }
	| { readonly kind: "bad_client"; readonly message: string }
	| { readonly kind: "bad_response_type" }
	| { readonly kind: "foreign_resource"; readonly resource: string }
	| { readonly kind: "bad_grant_type" }
	| { readonly kind: "bad_grant"; readonly message: string }
	| { readonly kind: "foreign_origin" }
	| { readonly kind: "too_many"; readonly retryAfterSeconds: number };

/** Thrown by handlers; the routes turn it into JSON or a page. */
export class OAuthFailed extends Error {
	override readonly name = "OAuthFailed";
	readonly problem: OAuthProblem;

	constructor(problem: OAuthProblem) {
		super(problem.kind);
		this.problem = problem;
	}
}

/** A problem for clients, as an error code of RFC 6749, 7591 or 8707, and for people, as a title and a hint. */
export interface ProblemDescription {
	readonly status: number;
	readonly error: string;
	readonly title: string;
	readonly message: string;
	readonly hint: string | null;
	readonly retryAfterSeconds?: number;
}

const BAD_LINK = "This login link is not valid";
const START_AGAIN = "Go back to the application and start the login again.";

/** Messages must not contain secrets. */
export function describeProblem(problem: OAuthProblem): ProblemDescription {
	switch (problem.kind) {
		case "unset":
			return {
				status: 503,
				error: "temporarily_unavailable",
				title: "Login is not configured",
				message:
					problem.setting === "OAUTH_KV"
						? "Logins cannot be stored: OAUTH_KV is not set."
						: "There is no owner secret: MCP_OWNER_SECRET is not set.",
				hint:
					problem.setting === "OAUTH_KV"
						? "Bind a key-value namespace as OAUTH_KV, or remove OAUTH_KV=off, and restart the server."
						: "Set MCP_OWNER_SECRET to at least 16 characters and restart the server.",
			};
		case "unavailable":
			return {
				status: 503,
				error: "temporarily_unavailable",
				title: "Temporarily unavailable",
				message: "The server cannot reach its storage.",
				hint: "Try again in a moment.",
				retryAfterSeconds: 2,
			};
		case "unexpected":
			return {
				status: 500,
				error: "server_error",
				title: "Something went wrong",
				message: "Internal error. See the server's log for details.",
				hint: START_AGAIN,
			};
		case "too_large":
			return {
				status: 413,
				error: "invalid_request",
				title: "Request too large",
				message: problem.message,
				hint: null,
			};
		case "malformed":
			return describeInvalid("invalid_request", BAD_LINK, problem.message, START_AGAIN);
		case "bad_metadata":
			return describeInvalid("invalid_client_metadata", BAD_LINK, problem.message, null);
		case "bad_redirect":
			return describeInvalid("invalid_redirect_uri", BAD_LINK, problem.message, problem.hint);
		case "bad_client":
			return describeInvalid(
				"invalid_client",
				"This application cannot be verified",
				problem.message,
				START_AGAIN,
			);
		case "bad_response_type":
			return describeInvalid("unsupported_response_type", BAD_LINK, "response_type must be code", null);
		case "foreign_resource":
			return describeInvalid(
				"invalid_target",
				BAD_LINK,
				`resource must be ${problem.resource} or omitted`,
				null,
			);
		case "bad_grant_type":
			return describeInvalid(
				"unsupported_grant_type",
				BAD_LINK,
				"grant_type must be authorization_code",
				null,
			);
		case "bad_grant":
			return describeInvalid("invalid_grant", BAD_LINK, problem.message, START_AGAIN);
		case "foreign_origin":
			return {
				status: 403,
				error: "access_denied",
				title: "Form sent from another site",
				message: "The form was sent from a page of another origin.",
				hint: "If you reach this server through a proxy or tunnel, set MCP_URL to its public address.",
			};
		case "too_many":
			return {
				status: 429,
				error: "temporarily_unavailable",
				title: "Too many attempts",
				message: "The owner secret was wrong too often. Attempts from your address are blocked for now.",
				hint: `Try again in ${describeWait(problem.retryAfterSeconds)}.`,
				retryAfterSeconds: problem.retryAfterSeconds,
			};
	}
}

const describeInvalid = (
	error: string,
	title: string,
	message: string,
	hint: string | null,
): ProblemDescription => ({
	status: 400,
	error,
	title,
	message,
	hint,
});

function describeWait(seconds: number): string {
	const minutes = Math.ceil(seconds / 60);
	return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

/** Classifies an error and logs it if it was not expected. */
export function toProblem(error: unknown, log: Log): OAuthProblem {
	if (error instanceof OAuthFailed) return error.problem;
	if (error instanceof Failed) {
		const { kind, message } = error.failure;
		return { kind: kind === "too_large" ? "too_large" : "malformed", message };
	}
	log("error", "login request failed", toErrorFields(error));
	const isPassing = error instanceof ServiceUnavailable || error instanceof PlatformUnavailable;
	return { kind: isPassing ? "unavailable" : "unexpected" };
}

export const malformed = (message: string): OAuthFailed => new OAuthFailed({ kind: "malformed", message });
export const badGrant = (message: string): OAuthFailed => new OAuthFailed({ kind: "bad_grant", message });
