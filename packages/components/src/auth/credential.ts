import type { AuthRecipe } from "@tripline/contract/recipes";
import { TerminalError } from "@tripline/engine/terminal-error";

/** A tenant's credential, decrypted for one call. */
export interface Credential {
	readonly name: string;
	readonly recipe: AuthRecipe;
	readonly fields: Readonly<Record<string, string>>;
	/** Unique per tenant, name and value, so it can key a cache of what was derived from the credential. */
	readonly key: string;
	/** Only if its recipe signs in as a person, and the owner has done so. */
	readonly session?: SignInSession;
}

/** The account that the owner signed in with. */
export interface SignInSession {
	/** A valid access token; throws if the owner must sign in. */
	getToken(signal: AbortSignal): Promise<{
		readonly value: string;
		/** Only if another token can be got: reports that a service rejected this one. */
		readonly reject?: () => void;
	}>;
}

const FIELD = /\{([a-z_][a-z0-9_]*)\}/g;

/** Lists the names of the fields in a recipe's text. */
export const listFields = (text: string): string[] =>
	Array.from(text.matchAll(FIELD), ([, name = ""]) => name);

/** Fills the credential's values into a recipe's text. An optional field without a value becomes empty. */
export const fillFields = (
	text: string,
	credential: Credential,
	encode: (value: string) => string = (value) => value,
): string => text.replace(FIELD, (_, name: string) => encode(getFieldValue(credential, name)));

/** Fills in a text that the request requires; throws if it is empty. */
export function fillRequired(what: string, text: string, credential: Credential): string {
	const value = fillFields(text, credential);
	if (value === "") {
		const fields = listFields(text).join(" or ");
		throw new TerminalError(`credential "${credential.name}" has no ${what}: set its field ${fields}`);
	}
	return value;
}

export const getFieldValue = ({ fields }: Credential, name: string): string =>
	Object.hasOwn(fields, name) ? (fields[name] ?? "") : "";

/** Includes fields that the recipe does not know, because they may be secret. */
export function listSecrets({ recipe, fields }: Credential): string[] {
	const open = new Set(recipe.fields.filter(({ secret }) => !secret).map(({ name }) => name));
	return Object.keys(fields)
		.filter((name) => !open.has(name))
		.map((name) => fields[name] ?? "");
}
