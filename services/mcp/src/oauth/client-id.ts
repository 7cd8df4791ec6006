import { fromBase64, toBase64Url } from "@tripline/contract/bytes";
import { randomToken } from "@tripline/contract/ids";
import { objectIn } from "./json-object.ts";

/** What a client said of itself when it registered. */
export interface Registration {
	readonly name: string | null;
	readonly redirectUris: readonly string[];
}

const PREFIX = "tlc_";
const MOST_NAME_CHARACTERS = 100;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/**
 * Registrations are not stored: the id carries what was registered. It needs no seal, because whoever makes one up gets
 * no more than by registering. A seal with a key made from the owner secret would even do harm: anyone can register,
 * and could then guess the secret without asking the server.
 */
export function newClientId({ name, redirectUris }: Registration): string {
	const carried = JSON.stringify({ key: randomToken(9), name, redirect_uris: redirectUris });
	return PREFIX + toBase64Url(new TextEncoder().encode(carried));
}

/** What the id carries; null: it is not one of ours. */
export function registrationIn(clientId: string): Registration | null {
	const bytes = clientId.startsWith(PREFIX) ? fromBase64(clientId.slice(PREFIX.length)) : null;
	const carried = bytes === null ? null : objectIn(bytes);
	if (carried === null) return null;
	const { redirect_uris } = carried;
	return isTexts(redirect_uris) ? { name: clientName(carried.name), redirectUris: redirect_uris } : null;
}

/** A name as it may be shown and kept: on one line, not long, nothing in it that cannot be seen. */
export function clientName(given: unknown): string | null {
	if (typeof given !== "string") return null;
	const seen = given
		.slice(0, 10 * MOST_NAME_CHARACTERS)
		.toWellFormed()
		.replaceAll(UNSEEN, " ")
		.trim();
	return seen === "" ? null : [...seen].slice(0, MOST_NAME_CHARACTERS).join("");
}

export const isTexts = (value: unknown): value is string[] =>
	Array.isArray(value) && value.every((each) => typeof each === "string");
