import type { ApiOperation, ApiRecipe, AuthRecipe } from "@tripline/contract/recipes";
import { didYouMean } from "@tripline/engine/nearest";
import { isObject } from "../schemas.ts";
import type { Scope } from "./template.ts";

/** The values that the templates of an operation's request may read. The auth recipes are not always known. */
export function createRequestScope(
	{ auth }: ApiRecipe,
	{ params }: ApiOperation,
	known: readonly AuthRecipe[],
): Scope {
	const declared = isObject(params.properties) ? Object.keys(params.properties) : [];
	return {
		roots: ["params"],
		credentials: true,
		check([root, name, ...more]) {
			if (root?.key === "credential") {
				if (auth === null) return "there is no credential to read: auth is null";
				if (more.length > 0) return "a field of the credential is written {{credential.field}}";
				for (const recipe of known) {
					const problem = findFieldProblem(String(name?.key), recipe);
					if (problem !== undefined) return problem;
				}
				return undefined;
			}
			if (name === undefined) return undefined;
			if (typeof name.key === "string" && declared.includes(name.key)) return undefined;
			const hint = didYouMean(String(name.key), declared);
			return `the operation has no parameter "${name.key}"${hint === undefined ? "" : `. ${hint}`}`;
		},
	};
}

function findFieldProblem(name: string, { id, fields }: AuthRecipe): string | undefined {
	const field = fields.find((one) => one.name === name);
	if (field === undefined) return `a credential of ${id} has no field "${name}"`;
	return field.secret
		? `"${name}" is a secret, which only the auth recipe ${id} puts into a request`
		: undefined;
}

/** The values that an operation's output may read. */
export const ANSWER: Scope = {
	roots: ["data", "status", "headers"],
	credentials: false,
	check: () => undefined,
};
