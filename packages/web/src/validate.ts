import { Failed, type Issue, invalid } from "@tripline/contract/failures";
import type * as z from "zod";

/** A body can contain hundreds of thousands of mistakes; the response lists at most this many per kind. */
const MAX_ISSUES = 50;

/** Returns the schema's output, or throws a 422 that lists all problems. */
export function validate(schema: z.ZodType, value: unknown): unknown {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw invalid(result.error.issues.slice(0, MAX_ISSUES).flatMap((issue) => toIssues(issue, [])));
}

/** Parses a query string into an object; a repeated name becomes a list. */
export function parseQuery(search: string): Record<string, string | string[]> {
	const query: Record<string, string | string[]> = {};
	if (search === "") return query;
	for (const part of search.split("&")) {
		if (part === "") continue;
		const equals = part.indexOf("=");
		const name = decode(equals === -1 ? part : part.slice(0, equals));
		const value = equals === -1 ? "" : decode(part.slice(equals + 1));
		const known = Object.hasOwn(query, name) ? query[name] : undefined;
		if (Array.isArray(known)) known.push(value);
		else setOwn(query, name, known === undefined ? value : [known, value]);
	}
	return query;
}

/** Only `__proto__` needs care; an object without a prototype would be slower to read. */
function setOwn(query: Record<string, string | string[]>, name: string, value: string | string[]): void {
	if (name !== "__proto__") query[name] = value;
	else Object.defineProperty(query, name, { value, enumerable: true, configurable: true });
}

function decode(text: string): string {
	if (!text.includes("%") && !text.includes("+")) return text;
	try {
		return decodeURIComponent(text.replaceAll("+", " "));
	} catch {
		throw new Failed({ kind: "bad_request", message: "the query is not valid percent-encoded UTF-8" });
	}
}

type ZodIssue = z.core.$ZodIssue;

function toIssues(issue: ZodIssue, above: readonly PropertyKey[]): Issue[] {
	const path = [...above, ...issue.path];
	if (issue.code === "unrecognized_keys") {
		return issue.keys
			.slice(0, MAX_ISSUES)
			.map((key) => ({ path: [...path, key].join("."), message: "unknown field" }));
	}
	if (issue.code === "invalid_union" && issue.errors.length > 0) {
		return pickNearestBranch(issue.errors)
			.slice(0, MAX_ISSUES)
			.flatMap((nested) => toIssues(nested, path));
	}
	return [{ path: path.join("."), message: issue.message }];
}

/** Picks the union branch whose issues are deepest: it is most likely the intended one. */
function pickNearestBranch(branches: readonly (readonly ZodIssue[])[]): readonly ZodIssue[] {
	const depth = (issues: readonly ZodIssue[]) =>
		issues.reduce((deepest, issue) => Math.max(deepest, issue.path.length), 0);
	return branches.reduce((best, branch) =>
		depth(branch) > depth(best) || (depth(branch) === depth(best) && branch.length < best.length)
			? branch
			: best,
	);
}
