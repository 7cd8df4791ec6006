import { hostsFor } from "@tripline/components/outbound/hosts";
import type { Issue } from "@tripline/contract/failures";
import type { AuthRecipe } from "@tripline/contract/recipes";

/**
 * What the fields of a credential lack, or have too much, for the recipe that it names. Nothing that was sent is in it:
 * a secret may have got into the wrong place.
 */
export function credentialProblems(
	recipe: AuthRecipe | null,
	fields: Readonly<Record<string, string>>,
): Issue[] {
	if (recipe === null)
		return [{ path: "auth_recipe", message: "is not known: GET /auth-recipes lists those that are" }];
	const known = recipe.fields.map(({ name }) => name);
	const missing = recipe.fields.filter(({ name, optional }) => !optional && !Object.hasOwn(fields, name));
	const short = recipe.fields.filter(({ name, secret }) => secret && isShort(recipe, fields[name]));
	const hosts = hostsFor(recipe.hosts, { name: "", key: "", recipe, fields });
	const isUnusable = missing.length === 0 && recipe.hosts.length > 0 && hosts.length === 0;
	const hasUnknown = Object.keys(fields).some((name) => !known.includes(name));
	return [
		...missing.map(({ name, help }) => ({ path: `fields.${name}`, message: `is missing: ${help}` })),
		...short.map(({ name }) => ({
			path: `fields.${name}`,
			message: `must have at least ${LEAST_SECRET} characters: less could not be told from other text in an answer`,
		})),
		...(isUnusable ? [{ path: "fields", message: NO_HOST }] : []),
		...(hasUnknown ? [{ path: "fields", message: `must have no others than ${known.join(", ")}` }] : []),
	];
}

const NO_HOST =
	"do not name a host that the credential may go to: write one such as api.example.com, without https:// and path";

/** What a service echoes is taken out of its answer, which a few letters would be everywhere. */
const LEAST_SECRET = 4;

const isShort = ({ type }: AuthRecipe, value: string | undefined): boolean =>
	type !== "signature" && value !== undefined && value.length < LEAST_SECRET;
