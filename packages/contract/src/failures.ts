import type { Diagnostic } from "./workflows.ts";

/** A problem with a request, at a dotted path into it. */
export interface Issue {
	readonly path: string;
	readonly message: string;
}

/** Every failure a caller can expect. A new kind does not compile until `toFailureStatus` maps it. */
export type Failure =
	| { readonly kind: "bad_request"; readonly message: string }
	| {
			readonly kind: "unauthorized";
			readonly message: string;
			/** The header WWW-Authenticate; default `Bearer`. Empty: none. */
			readonly challenge?: string;
	  }
	| { readonly kind: "forbidden"; readonly message: string }
	| { readonly kind: "not_found"; readonly message: string }
	| { readonly kind: "method_not_allowed"; readonly message: string; readonly allow: string }
	| { readonly kind: "conflict"; readonly message: string; readonly retryAfterSeconds?: number }
	/** The condition of `If-Match` or `If-None-Match` does not hold. */
	| {
			readonly kind: "precondition_failed";
			readonly message: string;
			/** The number of the current version; null if there is none. */
			readonly currentVersion: number | null;
	  }
	| { readonly kind: "too_large"; readonly message: string }
	| { readonly kind: "unsupported_media_type"; readonly message: string }
	| { readonly kind: "invalid"; readonly message: string; readonly issues: readonly Issue[] }
	/** A workflow that does not compile. */
	| { readonly kind: "uncompilable"; readonly message: string; readonly diagnostics: readonly Diagnostic[] }
	/** A workflow whose only problem is unknown components. */
	| {
			readonly kind: "missing_components";
			readonly message: string;
			readonly missing: readonly string[];
			readonly components: readonly string[];
	  }
	| { readonly kind: "too_many"; readonly message: string; readonly retryAfterSeconds: number }
	/** Stored data is unusable. */
	| { readonly kind: "corrupt"; readonly message: string }
	| { readonly kind: "bad_gateway"; readonly message: string }
	| { readonly kind: "unavailable"; readonly message: string; readonly retryAfterSeconds: number };

/** Thrown by handlers and the code below them; the app converts it to a response. */
export class Failed extends Error {
	readonly failure: Failure;
	/** Headers of the response, in addition to those of the failure. */
	headers?: Readonly<Record<string, string>>;

	constructor(failure: Failure) {
		super(failure.message);
		this.name = "Failed";
		this.failure = failure;
	}
}

export function toFailureStatus(failure: Failure): number {
	switch (failure.kind) {
		case "bad_request":
			return 400;
		case "unauthorized":
			return 401;
		case "forbidden":
			return 403;
		case "not_found":
			return 404;
		case "method_not_allowed":
			return 405;
		case "conflict":
			return 409;
		case "precondition_failed":
			return 412;
		case "too_large":
			return 413;
		case "unsupported_media_type":
			return 415;
		case "invalid":
		case "missing_components":
			return 422;
		case "uncompilable":
			return 400;
		case "too_many":
			return 429;
		case "corrupt":
			return 500;
		case "bad_gateway":
			return 502;
		case "unavailable":
			return 503;
	}
}

export const invalid = (issues: readonly Issue[]): Failed =>
	new Failed({ kind: "invalid", message: "invalid request", issues });

/** `current`: null if there is no such workflow. */
export const staleVersion = (expected: number | "any" | "none", current: number | null): Failed =>
	new Failed({
		kind: "precondition_failed",
		message: describeStale(expected, current),
		currentVersion: current,
	});

function describeStale(expected: number | "any" | "none", current: number | null): string {
	if (current === null) return "the workflow does not exist: omit If-Match to create it";
	if (expected === "none") return `the workflow exists: its current version is ${current}`;
	return `the workflow has changed: its current version is ${current}, not ${expected}; read it and apply your change to it`;
}

export const notFound = (message = "not found"): Failed => new Failed({ kind: "not_found", message });
