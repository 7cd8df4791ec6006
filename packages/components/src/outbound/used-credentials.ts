import { describeAdding } from "@tripline/engine/add-credential";
import { TerminalError } from "@tripline/engine/terminal-error";
import { hasSignInRecipe } from "../auth/authorization-code.ts";
import { type Credential, getFieldValue, listSecrets } from "../auth/credential.ts";
import { describeMissingSignIn } from "../auth/sign-in.ts";
import type { Placeholder } from "./placeholders.ts";
import { type Redactor, redactor } from "./redact.ts";

export type LoadCredential = (name: string) => Promise<Omit<Credential, "name"> | null>;

/** The credentials of one call, each loaded once, and their secrets to redact. */
export class UsedCredentials {
	readonly #load: LoadCredential;
	readonly #authRecipes: readonly string[] | undefined;
	readonly #credentials = new Map<string, Credential>();
	readonly #secrets = new Set<string>();
	#redactor: Redactor | null = null;

	constructor(load: LoadCredential, authRecipes: readonly string[] | undefined) {
		this.#load = load;
		this.#authRecipes = authRecipes;
	}

	async load(name: string): Promise<Credential> {
		const known = this.#credentials.get(name);
		if (known !== undefined) return known;
		const loaded = await this.#load(name);
		if (loaded === null) {
			const path = `/credentials/${encodeURIComponent(name.toWellFormed())}`;
			const how = describeAdding(this.#authRecipes ?? []);
			throw new TerminalError(
				`there is no credential ${JSON.stringify(name)}: add it ${how} (or with PUT ${path})`,
			);
		}
		const credential = { name, ...loaded };
		this.addSecrets(listSecrets(credential));
		this.#checkRecipe(credential);
		this.#credentials.set(name, credential);
		return credential;
	}

	all(): Iterable<Credential> {
		return this.#credentials.values();
	}

	/** The value of a placeholder; its credential must be loaded. */
	value({ name, field }: Placeholder): { value: string; isSecret: boolean } {
		const credential = this.#credentials.get(name);
		if (credential === undefined) throw new TerminalError(`credential ${JSON.stringify(name)} is not loaded`);
		const found = field === "" ? findOnlyField(credential) : findField(credential, field);
		const value = getFieldValue(credential, found.name);
		if (value !== "") return { value, isSecret: found.secret };
		if (hasSignInRecipe(credential) && credential.session === undefined)
			throw new TerminalError(describeMissingSignIn(name));
		throw new TerminalError(`credential ${JSON.stringify(name)} has no value for its field "${found.name}"`);
	}

	addSecrets(values: readonly string[]): void {
		for (const value of values) this.#secrets.add(value);
		this.#redactor = null;
	}

	/** Null if there is nothing to redact. */
	redactor(): Redactor | null {
		if (this.#secrets.size === 0) return null;
		this.#redactor ??= redactor([...this.#secrets]);
		return this.#redactor;
	}

	#checkRecipe({ name, recipe }: Credential): void {
		const allowed = this.#authRecipes;
		if (allowed === undefined || allowed.includes(recipe.id)) return;
		throw new TerminalError(
			`credential ${JSON.stringify(name)} has the auth recipe "${recipe.id}", but ${allowed.join(" or ")} is required here`,
		);
	}
}

function findOnlyField({ name, recipe: { fields } }: Credential) {
	const secrets = fields.filter(({ secret }) => secret);
	const [only] = fields.length === 1 ? fields : secrets.length === 1 ? secrets : [];
	if (only !== undefined) return only;
	throw new TerminalError(
		`credential ${JSON.stringify(name)} has several fields: choose one of ${joinNames(fields)}`,
	);
}

function findField({ name, recipe: { fields } }: Credential, field: string) {
	const found = fields.find((one) => one.name === field);
	if (found !== undefined) return found;
	throw new TerminalError(
		`credential ${JSON.stringify(name)} has no field ${JSON.stringify(field)}: it has ${joinNames(fields)}`,
	);
}

const joinNames = (fields: readonly { name: string }[]) => fields.map(({ name }) => name).join(", ");
