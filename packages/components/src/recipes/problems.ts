import { listAuthIds } from "@tripline/contract/auth-ids";
import type { Issue } from "@tripline/contract/failures";
import type { ApiOperation, ApiRecipe, AuthRecipe } from "@tripline/contract/recipes";
import type { JsonObject } from "@tripline/contract/workflows";
import { quoteText } from "@tripline/engine/diagnostics";
import { toSchemaIssues } from "@tripline/engine/issues";
import { compileParameterSchema, compileSchema } from "@tripline/engine/json-schema";
import { MAX_DOCUMENT_UNITS, Meter, TooMuchWork } from "@tripline/engine/meter";
import { assertHeaderValue } from "../outbound/headers.ts";
import { isObject } from "../schemas.ts";
import { compileOperation, listPathParameters } from "./operation.ts";
import { addPaginateParameter, findPaginateProblems } from "./paginate.ts";

const MAX_OPERATIONS = 50;
const MAX_BYTES = 256 * 1024;
const MAX_PROBLEMS = 50;

/** Problems that the recipe's schema cannot find. With the auth recipes, also those of the credential's fields. */
export function findApiRecipeProblems(recipe: ApiRecipe, auths: readonly AuthRecipe[] = []): Issue[] {
	const bytes = new TextEncoder().encode(JSON.stringify(recipe)).length;
	if (bytes > MAX_BYTES) return [{ path: "", message: `must be at most ${MAX_BYTES / 1024} KiB as JSON` }];
	const names = Object.keys(recipe.operations);
	if (names.length === 0 || names.length > MAX_OPERATIONS)
		return [{ path: "operations", message: `must be 1 to ${MAX_OPERATIONS}` }];
	const problems: Issue[] = [];
	if (recipe.docs_url !== undefined && !/^https?:\/\/[^\s]+$/.test(recipe.docs_url))
		problems.push({ path: "docs_url", message: "must be a URL that starts with https://" });
	const authIds = listAuthIds(recipe.auth);
	if (new Set(authIds).size < authIds.length) problems.push({ path: "auth", message: "names an id twice" });
	const meter = new Meter(MAX_DOCUMENT_UNITS);
	try {
		for (const name of names) {
			compileOperation(recipe, name, auths, problems, meter);
			const operation = recipe.operations[name] as ApiOperation;
			problems.push(...findOperationProblems(operation, `operations.${name}`));
			problems.push(...findPaginateProblems(operation, `operations.${name}`, auths));
		}
	} catch (error) {
		if (!(error instanceof TooMuchWork)) throw error;
		problems.push({ path: "operations", message: "take too long to compile: use fewer templates" });
	}
	return removeDuplicates(problems).slice(0, MAX_PROBLEMS);
}

function findOperationProblems(operation: ApiOperation, at: string): Issue[] {
	const problems = listPathParameters(operation).flatMap((name) =>
		findPathParameterProblems(operation.params, name, at),
	);
	const { body, output, response, filename, content, method } = operation;
	if (response !== "file" && content !== undefined)
		problems.push({ path: `${at}.content`, message: "has no use unless response is file" });
	if (response === "file" && method === "HEAD")
		problems.push({
			path: `${at}.response`,
			message: "cannot be file with HEAD, whose response has no body",
		});
	if (response !== "file" && filename !== undefined)
		problems.push({ path: `${at}.filename`, message: "has no use unless response is file" });
	for (const [index, { content_type = "" }] of (body?.kind === "multipart" ? body.parts : []).entries())
		if (!isHeaderValue(content_type))
			problems.push({
				path: `${at}.body.parts.${index}.content_type`,
				message: "must be one line such as text/csv",
			});
	if (body?.kind === "text" && body.content_type !== undefined && !isHeaderValue(body.content_type))
		problems.push({ path: `${at}.body.content_type`, message: "must be one line such as text/csv" });
	const schema = compileSchema(output.schema);
	if ("problem" in schema) problems.push({ path: `${at}.output.schema`, message: schema.problem });
	const params = compileParameterSchema(addPaginateParameter(operation));
	if ("problem" in params) return [...problems, { path: `${at}.params`, message: params.problem }];
	return [...problems, ...findExampleProblems(params, operation.examples ?? [], at)];
}

/** People and assistants copy the examples, so each of them must work. */
export function findExampleProblems(
	params: Exclude<ReturnType<typeof compileParameterSchema>, { problem: string }>,
	examples: readonly { readonly params: JsonObject }[],
	at: string,
): Issue[] {
	return examples.flatMap((example, index) => {
		const read = params.safeParse(example.params);
		if (read.success) return [];
		return toSchemaIssues(params, example.params, read.error.issues).map(({ path, message }) => ({
			path: [at, "examples", index, "params", ...path].filter((part) => part !== "").join("."),
			message,
		}));
	});
}

const IN_PATH: readonly unknown[] = ["string", "integer", "number"];

function findPathParameterProblems(params: JsonObject, name: string, at: string): Issue[] {
	const path = `${at}.path`;
	const { properties, required } = params;
	if (!isObject(properties) || !Object.hasOwn(properties, name))
		return [{ path, message: `uses ${quoteText(name)}, which is not a parameter of this operation` }];
	const property = properties[name];
	if (!isObject(property))
		return [{ path, message: `uses ${quoteText(name)}, which must be text or a number` }];
	const isRequired = Array.isArray(required) && required.includes(name);
	if (!isRequired && property.default === undefined)
		return [{ path, message: `uses ${quoteText(name)}, which must be required or have a default` }];
	const types = Array.isArray(property.type) ? property.type : [property.type];
	const isFit =
		property.type === undefined ? isListed(property) : types.every((type) => IN_PATH.includes(type));
	return isFit ? [] : [{ path, message: `uses ${quoteText(name)}, which must be text or a number` }];
}

const isListed = ({ enum: values, const: value, anyOf }: JsonObject): boolean => {
	if (Array.isArray(anyOf)) return anyOf.every((one) => isObject(one) && IN_PATH.includes(one.type));
	const listed = value === undefined ? values : [value];
	return Array.isArray(listed) && listed.every((one) => typeof one === "string" || typeof one === "number");
};

function isHeaderValue(text: string): boolean {
	try {
		assertHeaderValue("content-type", text);
		return true;
	} catch {
		return false;
	}
}

function removeDuplicates(problems: readonly Issue[]): Issue[] {
	return [...new Map(problems.map((problem) => [`${problem.path}\n${problem.message}`, problem])).values()];
}
