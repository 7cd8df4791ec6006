import type { WriteAuthRecipe } from "@tripline/contract/recipes";
import { isHeaderName } from "../outbound/headers.ts";
import { isReadableByOthers } from "../outbound/hosts.ts";
import { fieldsIn } from "./credential.ts";

interface Problem {
	readonly path: string;
	readonly message: string;
}

/** Problems that the schema of auth recipes cannot find. */
export function authRecipeProblems(recipe: WriteAuthRecipe): Problem[] {
	const texts = injectTexts(recipe);
	return [
		...doubleFields(recipe),
		...[...texts, ...hostTexts(recipe)].flatMap((text) => undeclared(text, recipe)),
		...hostTexts(recipe).flatMap((text) => secretsIn(text, recipe)),
		...unusedSecrets(texts, recipe),
		...(recipe.type === "header" ? badHeaderNames(recipe.inject.headers) : []),
		...emptyInject(recipe),
		...("token_url" in recipe.inject ? tokenUrlProblems(recipe, recipe.inject.token_url) : []),
	];
}

interface RecipeText {
	readonly path: string;
	readonly text: string;
}

const hostTexts = ({ hosts }: WriteAuthRecipe): RecipeText[] =>
	hosts.map((text, index) => ({ path: `hosts.${index}`, text }));

function injectTexts({ inject }: WriteAuthRecipe): RecipeText[] {
	const found: RecipeText[] = [];
	for (const [name, value] of Object.entries(inject)) {
		if (typeof value === "string") found.push({ path: `inject.${name}`, text: value });
		else {
			for (const [inner, text] of Object.entries(value ?? {})) {
				found.push({ path: `inject.${name}.${inner}`, text: String(text) });
			}
		}
	}
	return found;
}

const namesOf = ({ fields }: WriteAuthRecipe) => fields.map(({ name }) => name);

const doubleFields = (recipe: WriteAuthRecipe): Problem[] =>
	namesOf(recipe).flatMap((name, index, names) =>
		names.indexOf(name) === index
			? []
			: [{ path: `fields.${index}.name`, message: `there is already a field "${name}"` }],
	);

const undeclared = ({ path, text }: RecipeText, recipe: WriteAuthRecipe): Problem[] =>
	fieldsIn(text)
		.filter((name) => !namesOf(recipe).includes(name))
		.map((name) => ({
			path,
			message: `{${name}} is not a field of this recipe, which has ${namesOf(recipe).join(", ")}`,
		}));

/** Host names and URLs are visible to others on the network and in messages. */
const secretsIn = ({ path, text }: RecipeText, { fields }: WriteAuthRecipe): Problem[] =>
	fieldsIn(text)
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
	service_account_jwt: /^inject\.private_key$/,
	aws_sigv4: /^inject\.secret_access_key$/,
	signature: null,
};

/** A secret written into a recipe would be visible to everyone who may read the recipe. */
function unusedSecrets(texts: readonly RecipeText[], recipe: WriteAuthRecipe): Problem[] {
	const secret = SECRET_TEXTS[recipe.type];
	if (secret !== null) {
		return texts
			.filter(({ path, text }) => secret.test(path) && fieldsIn(text).length === 0 && text !== "")
			.map(({ path }) => ({ path, message: "must contain a field such as {token}, not the secret itself" }));
	}
	const hasField = texts.some(({ text }) => fieldsIn(text).length > 0);
	return hasField || texts.length === 0
		? []
		: [{ path: "inject", message: "must contain a field such as {token}" }];
}

function badHeaderNames(headers: Readonly<Record<string, string>>): Problem[] {
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

function emptyInject(recipe: WriteAuthRecipe): Problem[] {
	if (recipe.type !== "header" && recipe.type !== "query") return [];
	const [name, values] =
		recipe.type === "header" ? ["headers", recipe.inject.headers] : ["query", recipe.inject.query];
	return Object.keys(values).length === 0 ? [{ path: `inject.${name}`, message: "must not be empty" }] : [];
}

/** One field may be the whole URL; each credential then sets it. */
function tokenUrlProblems(recipe: WriteAuthRecipe, text: string): Problem[] {
	const path = "inject.token_url";
	const secrets = secretsIn({ path, text }, recipe);
	if (secrets.length > 0 || /^\{[a-z_][a-z0-9_]*\}$/.test(text)) return secrets;
	const url = URL.parse(text.replace(/\{[a-z_][a-z0-9_]*\}/g, "field"));
	const isAddress =
		url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
	return isAddress && !isReadableByOthers(url)
		? []
		: [{ path, message: "must be an https:// URL such as https://auth.example.com/oauth/token" }];
}
