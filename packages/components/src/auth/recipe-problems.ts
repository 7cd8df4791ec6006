import type { WriteAuthRecipe } from "@tripline/contract/recipes";
import { isHeaderName } from "../outbound/headers.ts";
import { isInsecure } from "../outbound/hosts.ts";
import { listFields } from "./credential.ts";

interface Problem {
	readonly path: string;
	readonly message: string;
}

/** Problems that the schema of auth recipes cannot find. */
export function findAuthRecipeProblems(recipe: WriteAuthRecipe): Problem[] {
	const texts = listInjectTexts(recipe);
	return [
		...findDuplicateFields(recipe),
		...[...texts, ...listHostTexts(recipe)].flatMap((text) => findUndeclaredFields(text, recipe)),
		...listHostTexts(recipe).flatMap((text) => findSecretFields(text, recipe)),
		...findLiteralSecrets(texts, recipe),
		...(recipe.type === "header" ? findBadHeaderNames(recipe.inject.headers) : []),
		...findEmptyInject(recipe),
		...("token_url" in recipe.inject
			? findUrlProblems(recipe, "inject.token_url", recipe.inject.token_url)
			: []),
		...(recipe.type === "oauth2_authorization_code" ? findSignInProblems(recipe, texts) : []),
	];
}

interface RecipeText {
	readonly path: string;
	readonly text: string;
}

const listHostTexts = ({ hosts }: WriteAuthRecipe): RecipeText[] =>
	hosts.map((text, index) => ({ path: `hosts.${index}`, text }));

function listInjectTexts({ inject }: WriteAuthRecipe): RecipeText[] {
	const found: RecipeText[] = [];
	for (const [name, value] of Object.entries(inject)) {
		if (typeof value === "string") found.push({ path: `inject.${name}`, text: value });
		else if (typeof value === "object") {
			for (const [inner, text] of Object.entries(value)) {
				found.push({ path: `inject.${name}.${inner}`, text: String(text) });
			}
		}
	}
	return found;
}

const listNames = ({ fields }: WriteAuthRecipe) => fields.map(({ name }) => name);

const findDuplicateFields = (recipe: WriteAuthRecipe): Problem[] =>
	listNames(recipe).flatMap((name, index, names) =>
		names.indexOf(name) === index
			? []
			: [{ path: `fields.${index}.name`, message: `there is already a field "${name}"` }],
	);

const findUndeclaredFields = ({ path, text }: RecipeText, recipe: WriteAuthRecipe): Problem[] =>
	listFields(text)
		.filter((name) => !listNames(recipe).includes(name))
		.map((name) => ({
			path,
			message: `{${name}} is not a field of this recipe, which has ${listNames(recipe).join(", ")}`,
		}));

/** Host names and URLs are visible to others on the network and in messages. */
const findSecretFields = ({ path, text }: RecipeText, { fields }: WriteAuthRecipe): Problem[] =>
	listFields(text)
		.filter((name) => fields.some((field) => field.name === name && field.secret))
		.map((name) => ({ path, message: `{${name}} is secret and cannot be part of a URL` }));

/** The texts of each recipe type that hold a secret. */
const SECRET_TEXTS: Readonly<Record<WriteAuthRecipe["type"], RegExp | null>> = {
	bearer: /^inject\.token$/,
	basic: /^inject\.password$/,
	header: null,
	query: null,
	path: /^inject\.prefix$/,
	oauth2_client_credentials: /^inject\.client_secret$/,
	oauth2_authorization_code: /^inject\.client_secret$/,
	service_account_jwt: /^inject\.private_key$/,
	aws_sigv4: /^inject\.secret_access_key$/,
	database: /^inject\.password$/,
	mail: /^inject\.password$/,
	signature: null,
};

/** A secret written into a recipe would be visible to everyone who may read the recipe. */
function findLiteralSecrets(texts: readonly RecipeText[], recipe: WriteAuthRecipe): Problem[] {
	const secret = SECRET_TEXTS[recipe.type];
	if (secret !== null) {
		return texts
			.filter(({ path, text }) => secret.test(path) && listFields(text).length === 0 && text !== "")
			.map(({ path }) => ({ path, message: "must contain a field such as {token}, not the secret itself" }));
	}
	const hasField = texts.some(({ text }) => listFields(text).length > 0);
	return hasField || texts.length === 0
		? []
		: [{ path: "inject", message: "must contain a field such as {token}" }];
}

function findBadHeaderNames(headers: Readonly<Record<string, string>>): Problem[] {
	const names = Object.keys(headers);
	const problem = (name: string, index: number): string | null => {
		if (!isHeaderName(name)) return "is not a header that a recipe can set";
		const isDouble = names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) !== index;
		return isDouble ? "is set twice" : null;
	};
	return names.flatMap((name, index) => {
		const message = problem(name, index);
		return message === null ? [] : [{ path: `inject.headers.${name}`, message }];
	});
}

function findEmptyInject(recipe: WriteAuthRecipe): Problem[] {
	if (recipe.type !== "header" && recipe.type !== "query") return [];
	const [name, values] =
		recipe.type === "header" ? ["headers", recipe.inject.headers] : ["query", recipe.inject.query];
	return Object.keys(values).length === 0 ? [{ path: `inject.${name}`, message: "must not be empty" }] : [];
}

/** One field may be the whole URL; each credential then sets it. */
function findUrlProblems(recipe: WriteAuthRecipe, path: string, text: string): Problem[] {
	const secrets = findSecretFields({ path, text }, recipe);
	if (secrets.length > 0 || /^\{[a-z_][a-z0-9_]*\}$/.test(text)) return secrets;
	const url = URL.parse(text.replace(/\{[a-z_][a-z0-9_]*\}/g, "field"));
	const isAddress =
		url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
	return isAddress && !isInsecure(url)
		? []
		: [{ path, message: "must be an https:// URL such as https://auth.example.com/oauth/token" }];
}

/** Parameters of the authorization request that only the service itself sets. */
const RESERVED_PARAMS = new Set([
	"response_type",
	"client_id",
	"redirect_uri",
	"scope",
	"state",
	"nonce",
	"request",
	"request_uri",
	"response_mode",
	"code_challenge",
	"code_challenge_method",
]);

function findSignInProblems(
	recipe: Extract<WriteAuthRecipe, { type: "oauth2_authorization_code" }>,
	texts: readonly RecipeText[],
): Problem[] {
	const { authorize_url, client_secret, client_auth, authorize_params = {}, fields = {} } = recipe.inject;
	const problems = findUrlProblems(recipe, "inject.authorize_url", authorize_url);
	for (const text of texts) {
		// All other texts go to the browser as a part of the authorization URL.
		if (/^inject\.(?:client_id|scope|issuer|authorize_params\..*)$/.test(text.path))
			problems.push(...findSecretFields(text, recipe));
	}
	if (client_auth === "none" && client_secret !== undefined)
		problems.push({ path: "inject.client_secret", message: "must be omitted: client_auth is none" });
	if (client_auth !== "none" && client_secret === undefined)
		problems.push({ path: "inject.client_secret", message: "is required unless client_auth is none" });
	if (recipe.inject.issuer_required === true && recipe.inject.issuer === undefined)
		problems.push({ path: "inject.issuer", message: "is required to compare iss with it" });
	for (const name of Object.keys(authorize_params))
		if (RESERVED_PARAMS.has(name) || (name === "resource" && recipe.inject.resource !== undefined))
			problems.push({ path: `inject.authorize_params.${name}`, message: "is set by the service itself" });
	for (const name of Object.keys(fields)) {
		const path = `inject.fields.${name}`;
		const field = recipe.fields.find((one) => one.name === name);
		if (field === undefined || field.secret || field.optional !== true)
			problems.push({ path, message: "must be a field of this recipe that is optional and not secret" });
		if (recipe.hosts.some((host) => listFields(host).includes(name)))
			problems.push({ path, message: "must not be used in hosts, because hosts limit its value" });
	}
	return problems;
}
