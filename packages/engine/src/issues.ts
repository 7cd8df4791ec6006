import * as z from "zod";
import { type Hint, type Path, type Report, shown } from "./diagnostics.ts";
import { didYouMean } from "./nearest.ts";

/** A violation of a schema. */
export interface SchemaIssue {
	readonly kind: "unknown" | "missing" | "wrong";
	readonly path: Path;
	readonly message: string;
	readonly hint?: Hint;
}

type ZodIssue = z.core.$ZodIssue;

export function schemaIssues(schema: z.ZodType, value: unknown, issues: readonly ZodIssue[]): SchemaIssue[] {
	return issues.flatMap((issue) => described(schema, value, issue, []));
}

/** Reports issues with a field of the document; `at` maps a path into the value to a path in the source. */
export function reportFields(issues: readonly SchemaIssue[], at: (path: Path) => Path, report: Report): void {
	for (const { kind, path, message, hint } of issues) {
		const place = at(path);
		const unknown = kind === "unknown";
		const text = unknown ? `unknown field ${shown(String(place.at(-1)))}` : `${place.at(-1)} ${message}`;
		report.error(unknown ? "unknown_field" : "bad_field", text, { path: place, key: unknown }, hint);
	}
}

function described(schema: z.ZodType, value: unknown, issue: ZodIssue, above: Path): SchemaIssue[] {
	const path: Path = [...above, ...issue.path.map(pathPart)];
	if (issue.code === "unrecognized_keys") {
		const known = knownTo(issue) ?? keysAt(schema, path);
		return issue.keys.map((key) => ({
			kind: "unknown",
			path: [...path, key],
			message: "is not known here",
			hint: () => didYouMean(key, known) ?? (known.length > 0 ? `Known: ${known.join(", ")}` : undefined),
		}));
	}
	if (issue.code === "invalid_union" && issue.errors.length > 0) {
		return unionIssues(schema, value, issue.errors, path);
	}
	if (valueAt(value, path) === undefined) return [{ kind: "missing", path, message: "is required" }];
	return [{ kind: "wrong", path, message: describe(issue, valueAt(value, path)) }];
}

/** If every branch rejects the type of the value itself, lists the types. Otherwise assumes the deepest branch was meant. */
function unionIssues(
	schema: z.ZodType,
	value: unknown,
	branches: readonly (readonly ZodIssue[])[],
	path: Path,
): SchemaIssue[] {
	const types = branches.flatMap((branch) =>
		branch.flatMap((issue) =>
			issue.code === "invalid_type" && issue.path.length === 0 ? [typeName(issue.expected)] : [],
		),
	);
	const given = valueAt(value, path);
	if (types.length === branches.length && given !== undefined) {
		const message = `must be ${[...new Set(types)].join(" or ")}, but is ${typeOf(given)}`;
		return [{ kind: "wrong", path, message }];
	}
	const depth = (branch: readonly ZodIssue[]) => Math.max(0, ...branch.map(({ path }) => path.length));
	const meant = branches.reduce((best, branch) => (depth(branch) > depth(best) ? branch : best));
	return meant.flatMap((issue) => described(schema, value, issue, path));
}

function describe(issue: ZodIssue, value: unknown): string {
	switch (issue.code) {
		case "invalid_type":
			if (issue.expected === "int") return "must be a whole number";
			return `must be ${typeName(issue.expected)}, but is ${typeOf(value)}`;
		case "invalid_value":
			return `must be ${issue.values.map((allowed) => JSON.stringify(allowed)).join(" or ")}`;
		case "too_small":
			return bound(issue.origin, "at least", issue.minimum);
		case "too_big":
			return bound(issue.origin, "at most", issue.maximum);
		default:
			return issue.message;
	}
}

const UNITS: Readonly<Record<string, string>> = {
	string: " characters long",
	array: " elements long",
	set: " elements long",
};

const bound = (origin: string, direction: string, limit: number | bigint): string =>
	`must be ${direction} ${limit}${UNITS[origin] ?? ""}`;

const TYPE_NAMES: Readonly<Record<string, string>> = {
	string: "text",
	number: "a number",
	int: "a whole number",
	boolean: "true or false",
	array: "a list",
	object: "an object",
	record: "an object",
	null: "null",
};

export const typeName = (expected: string): string => TYPE_NAMES[expected] ?? expected;

export function typeOf(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "a list";
	return typeof value === "boolean" ? String(value) : typeName(typeof value);
}

function valueAt(value: unknown, path: Path): unknown {
	let found = value;
	for (const part of path) {
		if (typeof found !== "object" || found === null || !Object.hasOwn(found, part)) return undefined;
		found = (found as Record<string | number, unknown>)[part];
	}
	return found;
}

const pathPart = (part: PropertyKey): string | number => (typeof part === "symbol" ? String(part) : part);

/** Checks of a JSON Schema add the known names to the issue. */
const knownTo = (issue: ZodIssue & { readonly known?: readonly string[] }) => issue.known;

/** The names that the object at this path may have. */
function keysAt(schema: z.core.$ZodType, path: Path): string[] {
	const inner = unwrapped(schema);
	const [part, ...rest] = path;
	if (inner instanceof z.ZodUnion) return inner.options.flatMap((option) => keysAt(option, path));
	if (inner instanceof z.ZodObject) {
		const shape: Readonly<Record<string, z.core.$ZodType>> = inner.shape;
		if (part === undefined) return Object.keys(shape);
		const below = Object.hasOwn(shape, part) ? shape[part] : undefined;
		return below === undefined ? [] : keysAt(below, rest);
	}
	if (part !== undefined && inner instanceof z.ZodArray) return keysAt(inner.element, rest);
	if (part !== undefined && inner instanceof z.ZodRecord) return keysAt(inner.valueType, rest);
	return [];
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
	if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
		return unwrapped(schema.unwrap());
	}
	if (schema instanceof z.ZodPipe) return unwrapped(schema.in);
	return schema;
}
