import type { Json } from "@tripline/contract/json";
import { TerminalError } from "@tripline/engine/terminal-error";

/** The server wants a credential, or another one. */
export class McpUnauthorized extends TerminalError {
	readonly status: number;
	/** The header WWW-Authenticate, or null. */
	readonly challenge: string | null;

	constructor(message: string, status: number, challenge: string | null) {
		super(message);
		this.status = status;
		this.challenge = challenge;
	}
}

/** The server has forgotten the session: it must be opened again. */
export class McpSessionLost extends Error {}

/** The server answered with an error of the protocol, or with the status of one. */
export class McpRefused extends Error {
	/** 0 if there is only a status. */
	readonly code: number;
	readonly status: number;
	/** What else the server says of it. */
	readonly data: Json;

	constructor(message: string, code: number, status: number, data: Json = null) {
		super(message);
		this.code = code;
		this.status = status;
		this.data = data;
	}
}

/** The request itself is wrong. */
const PERMANENT_CODES = new Set([-32600, -32601, -32602]);

/** The error for a node: a refusal is not tried again unless it may be passing. */
export function toNodeError(error: unknown): unknown {
	if (!(error instanceof McpRefused)) return error;
	const { code, status, message } = error;
	const isPassing = status === 429 || status >= 500;
	const isPermanent = PERMANENT_CODES.has(code) || (status >= 400 && !isPassing);
	return isPermanent ? new TerminalError(message) : error;
}

const MAX_SHOWN_CHARACTERS = 1_000;

/** Text of a server for a message: one line, bounded, without control characters. */
export function quoteServerText(text: string, maxCharacters = MAX_SHOWN_CHARACTERS): string {
	const start = text
		.slice(0, maxCharacters * 2)
		.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
		.trim();
	return text.length > maxCharacters
		? `${start.slice(0, maxCharacters).toWellFormed()}…`
		: start.toWellFormed();
}
