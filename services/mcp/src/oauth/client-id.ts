import { fromBase64, toBase64Url } from "@tripline/contract/bytes";
import { randomToken } from "@tripline/contract/ids";
import { parseObject } from "./json-object.ts";

/** The client metadata given at registration. */
export interface Registration {
	readonly name: string | null;
	readonly redirectUris: readonly string[];
}

const PREFIX = "tlc_";
const MAX_NAME_LENGTH = 100;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/**
 * Registrations are not stored: the client id contains them. It needs no signature, because forging one gains no more
 * than registering. A signature with a key derived from the owner secret would even do harm: anyone can register, and
 * could then guess the secret offline.
 */
export function createClientId({ name, redirectUris }: Registration): string {
	const carried = JSON.stringify({ key: randomToken(9), name, redirect_uris: redirectUris });
	return PREFIX + toBase64Url(new TextEncoder().encode(carried));
}

/** The registration in a client id; null: this server did not issue the id. */
export function decodeClientId(clientId: string): Registration | null {
	const bytes = clientId.startsWith(PREFIX) ? fromBase64(clientId.slice(PREFIX.length)) : null;
	const carried = bytes === null ? null : parseObject(bytes);
	if (carried === null) return null;
	const { redirect_uris } = carried;
	return isStringArray(redirect_uris)
		? { name: cleanClientName(carried.name), redirectUris: redirect_uris }
		: null;
}

/** The name as it may be displayed and stored: one short line without invisible characters. */
export function cleanClientName(given: unknown): string | null {
	if (typeof given !== "string") return null;
	const seen = given
		.slice(0, 10 * MAX_NAME_LENGTH)
		.toWellFormed()
		.replaceAll(INVISIBLE, " ")
		.trim();
	return seen === "" ? null : [...seen].slice(0, MAX_NAME_LENGTH).join("");
}

export const isStringArray = (value: unknown): value is string[] =>
	Array.isArray(value) && value.every((each) => typeof each === "string");
