import { resolveHosts } from "@tripline/components/outbound/hosts";
import type { Issue } from "@tripline/contract/failures";
import type { AuthRecipe } from "@tripline/contract/recipes";

/**
 * Lists missing and unexpected fields of a credential. The messages contain nothing that was sent, because a secret may
 * have been put into the wrong field.
 */
export function findCredentialProblems(
	recipe: AuthRecipe | null,
	fields: Readonly<Record<string, string>>,
): Issue[] {
	if (recipe === null)
		return [{ path: "auth_recipe", message: "is unknown; GET /auth-recipes lists the known ones" }];
	const known = recipe.fields.map(({ name }) => name);
	const missing = recipe.fields.filter(({ name, optional }) => !optional && !Object.hasOwn(fields, name));
	const short = recipe.fields.filter(({ name, secret }) => secret && isShort(recipe, fields[name]));
	const hosts = resolveHosts(recipe.hosts, { name: "", key: "", recipe, fields });
	const isUnusable = missing.length === 0 && recipe.hosts.length > 0 && hosts.length === 0;
	const hasUnknown = Object.keys(fields).some((name) => !known.includes(name));
	return [
		...missing.map(({ name, help }) => ({ path: `fields.${name}`, message: `is missing: ${help}` })),
		...short.map(({ name }) => ({
			path: `fields.${name}`,
			message: `must have at least ${MIN_SECRET_LENGTH} characters, or it could not be redacted from responses`,
		})),
		...(isUnusable ? [{ path: "fields", message: NO_HOST }] : []),
		...(hasUnknown ? [{ path: "fields", message: `must contain only ${known.join(", ")}` }] : []),
	];
}

const NO_HOST = "contain no allowed host: enter one such as api.example.com, without https:// and path";

/** Secrets are redacted from responses; a very short secret would match everywhere. */
const MIN_SECRET_LENGTH = 4;

const isShort = ({ type }: AuthRecipe, value: string | undefined): boolean =>
	type !== "signature" && value !== undefined && value.length < MIN_SECRET_LENGTH;
