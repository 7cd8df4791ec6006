import { isWithin } from "@tripline/components/outbound/hosts";
import type { AuthRecipe, WriteApiRecipe, WriteAuthRecipe } from "@tripline/contract/recipes";

type ProposedRecipe = WriteAuthRecipe & { readonly id: string };

/** Types that send a token as `Authorization: Bearer`. */
const TOKENS: readonly string[] = [
	"bearer",
	"oauth2_authorization_code",
	"oauth2_client_credentials",
	"service_account_jwt",
];

/**
 * Whether credentials of a known auth recipe can be used instead of the proposed one: they may be sent to the same host, in
 * the same way. A known one whose hosts do not cover the server is never used: its credentials would be sent elsewhere.
 */
export function canReplace(
	known: AuthRecipe,
	proposed: WriteAuthRecipe,
	{ base_url }: WriteApiRecipe,
): boolean {
	return sendsAlike(known, proposed) && coversServer(known, proposed, base_url);
}

function sendsAlike(known: AuthRecipe, proposed: WriteAuthRecipe): boolean {
	if (TOKENS.includes(proposed.type)) return TOKENS.includes(known.type);
	if (known.type !== proposed.type) return false;
	return listPlaces(known) === listPlaces(proposed);
}

/** The names of the headers or query parameters that it sets. */
function listPlaces(recipe: WriteAuthRecipe): string {
	if (recipe.type === "header") return Object.keys(recipe.inject.headers).map(toLower).sort().join();
	return recipe.type === "query" ? Object.keys(recipe.inject.query).sort().join() : "";
}

const toLower = (name: string): string => name.toLowerCase();

function coversServer({ hosts, fields }: AuthRecipe, proposed: WriteAuthRecipe, baseUrl: string): boolean {
	const own = proposed.fields.filter(({ name }) => baseUrl.includes(`{{credential.${name}}}`));
	if (own.length > 0) {
		const hasFields = own.every(({ name }) => fields.some((one) => one.name === name && !one.secret));
		return hasFields && proposed.hosts.every((host) => hosts.includes(host));
	}
	const fixed = hosts.filter((host) => !host.includes("{"));
	const url = URL.parse(baseUrl);
	return url !== null && isWithin(url, fixed);
}

/** The first of `id`, `id_2`, `id_3` and so on that is not taken. */
export function findFreeId(id: string, isTaken: (id: string) => boolean): string {
	for (let number = 1; ; number++) {
		const suffix = number === 1 ? "" : `_${number}`;
		const next = id.slice(0, 64 - suffix.length) + suffix;
		if (!isTaken(next)) return next;
	}
}

/** The proposed auth recipe with an id that no other has, so that it changes nothing for stored credentials. */
export const withFreeId = (proposed: ProposedRecipe, isTaken: (id: string) => boolean): ProposedRecipe => ({
	...proposed,
	id: findFreeId(proposed.id, isTaken),
});
