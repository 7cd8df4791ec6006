import { listAuthIds } from "@tripline/contract/auth-ids";
import type { Issue } from "@tripline/contract/failures";
import { findUnstorable } from "@tripline/contract/json";
import type { AuthRecipe } from "@tripline/contract/recipes";
import { MAX_MANIFEST_BYTES, type Manifest } from "@tripline/contract/registry";
import { quoteText } from "@tripline/engine/diagnostics";
import { compileParameterSchema, compileSchema } from "@tripline/engine/json-schema";
import type * as z from "zod";
import { findAuthRecipeProblems } from "../auth/recipe-problems.ts";
import { isWithin } from "../outbound/hosts.ts";
import { readBaseUrl } from "../recipes/base-url.ts";
import { findApiRecipeProblems, findExampleProblems } from "../recipes/problems.ts";
import { toCanonicalJson } from "./canonical.ts";

type CodeManifest = Extract<Manifest, { kind: "code" }>;
type RecipeManifest = Extract<Manifest, { kind: "recipe" }>;

const MAX_PROBLEMS = 50;

/** Problems that the manifest's schema cannot find: it must declare exactly what it uses. */
export function findManifestProblems(manifest: Manifest): Issue[] {
	const unfit = findUnstorable(manifest) ?? findSizeProblem(manifest);
	if (unfit !== null) return [{ path: "", message: unfit }];
	const own = manifest.kind === "recipe" ? findRecipeProblems(manifest) : findCodeProblems(manifest);
	return [...findHostProblems(manifest), ...findCredentialProblems(manifest), ...own].slice(0, MAX_PROBLEMS);
}

function findSizeProblem(manifest: Manifest): string | null {
	const bytes = new TextEncoder().encode(toCanonicalJson(manifest)).length;
	return bytes > MAX_MANIFEST_BYTES ? `must be at most ${MAX_MANIFEST_BYTES / 1024} KiB as JSON` : null;
}

function findHostProblems({ hosts, credentials }: Manifest): Issue[] {
	return hosts.flatMap((host, index) => {
		const message = findHostProblem(host, credentials.length > 0, hosts.indexOf(host) < index);
		return message === undefined ? [] : [{ path: `hosts.${index}`, message }];
	});
}

/** A wildcard for all hosts, or for all hosts of a top-level domain, would declare nothing. */
function findHostProblem(host: string, hasCredentials: boolean, isTwice: boolean): string | undefined {
	if (isTwice) return "is listed twice";
	if (/^\*(?:\.(?:[^.]*|\{.*))?$/.test(host.replace(/:\d+$/, "")))
		return "is too wide: name at least a domain, such as *.example.com";
	if (host.includes("{") && !hasCredentials)
		return "refers to a field of a credential, but no credentials are declared";
	return undefined;
}

function findCredentialProblems({ credentials, auth_recipes = {}, hosts }: Manifest): Issue[] {
	const problems: Issue[] = [];
	if (credentials.length > 0 && hosts.length === 0)
		problems.push({ path: "credentials", message: "have no use without hosts to send them to" });
	if (new Set(credentials).size < credentials.length)
		problems.push({ path: "credentials", message: "names an auth recipe twice" });
	for (const [name, recipe] of Object.entries(auth_recipes)) {
		const path = `auth_recipes.${name}`;
		if (!credentials.includes(name)) problems.push({ path, message: "is not listed in credentials" });
		if (recipe.id !== undefined && recipe.id !== name)
			problems.push({ path: `${path}.id`, message: `must be ${quoteText(name)}, or left out` });
		for (const host of recipe.hosts)
			if (!hosts.includes(host))
				problems.push({ path: `${path}.hosts`, message: `${host} is not one of the component's hosts` });
		for (const problem of findAuthRecipeProblems({ ...recipe, id: name }))
			problems.push({ path: joinPath(path, problem.path), message: problem.message });
	}
	return problems;
}

function findRecipeProblems(manifest: RecipeManifest): Issue[] {
	const { id, title, description, recipe, hosts, credentials, auth_recipes = {} } = manifest;
	const problems: Issue[] = [];
	if (recipe.id !== undefined && recipe.id !== id)
		problems.push({ path: "recipe.id", message: `must be ${quoteText(id)}, or left out` });
	if (hosts.length === 0) problems.push({ path: "hosts", message: "must include the recipe's host" });
	else if (!isDeclared(recipe.base_url, hosts))
		problems.push({ path: "recipe.base_url", message: "is at a host that is not in hosts" });
	const declared = listAuthIds(recipe.auth);
	if (toCanonicalJson(credentials) !== toCanonicalJson([...declared])) {
		const message =
			recipe.auth === null ? "must be empty: recipe.auth is null" : `must be ${JSON.stringify(declared)}`;
		problems.push({ path: "credentials", message });
	}
	const brought = declared
		.filter((auth) => Object.hasOwn(auth_recipes, auth))
		.map((auth) => ({ ...auth_recipes[auth], id: auth }) as AuthRecipe);
	for (const problem of findApiRecipeProblems({ ...recipe, id, title, description }, brought))
		problems.push({ path: joinPath("recipe", problem.path), message: problem.message });
	return problems;
}

/** A host that comes from a credential can be checked only when the credential is known. */
function isDeclared(base_url: string, hosts: readonly string[]): boolean {
	const base = readBaseUrl(base_url);
	if ("problem" in base) return true;
	return base.host === null
		? hosts.some((host) => /[{*]/.test(host))
		: isWithin(new URL(base.text.replaceAll(/\{\{[^}]*\}\}/g, "x")), hosts);
}

function findCodeProblems(manifest: CodeManifest): Issue[] {
	const params = compileParameterSchema(manifest.params);
	const output = compileSchema(manifest.output);
	const problems: Issue[] = [];
	if ("problem" in output) problems.push({ path: "output", message: output.problem });
	if ("problem" in params) problems.push({ path: "params", message: params.problem });
	else problems.push(...findExampleProblems(params, manifest.examples, ""));
	for (const [index, example] of manifest.examples.entries()) {
		const message = findExampleProblem(example, manifest, "problem" in output ? null : output);
		if (message !== undefined) problems.push({ path: `examples.${index}`, message });
	}
	return problems;
}

function findExampleProblem(
	{ output, error, http = [] }: CodeManifest["examples"][number],
	{ hosts }: CodeManifest,
	type: z.ZodType | null,
): string | undefined {
	if ((output === undefined) === (error === undefined)) return "must have either output or error";
	if (output !== undefined && type?.safeParse(output).success === false)
		return "has an output that the output schema does not allow";
	for (const { request } of http) {
		if (!URL.canParse(request.url)) return `calls ${quoteText(request.url)}, which is not a URL`;
		if (!isWithin(new URL(request.url), hosts))
			return `calls ${quoteText(request.url)}, which is not in hosts`;
	}
	return undefined;
}

const joinPath = (path: string, below: string): string => (below === "" ? path : `${path}.${below}`);
