import * as z from "zod";
import { type Hint, type Path, quoteText, type Report } from "./diagnostics.ts";
import { didYouMean } from "./nearest.ts";

/** A violation of a schema. */
export interface SchemaIssue {
	readonly kind: "unknown" | "missing" | "wrong";
	readonly path: Path;
	readonly message: string;
	readonly hint?: Hint;
}

type ZodIssue = z.core.$ZodIssue;

export function toSchemaIssues(
	schema: z.ZodType,
	value: unknown,
	issues: readonly ZodIssue[],
): SchemaIssue[] {
	return issues.flatMap((issue) => toIssues(schema, value, issue, []));
}

/** Reports issues with a field of the document; `at` maps a path into the value to a path in the source. */
export function reportFields(issues: readonly SchemaIssue[], at: (path: Path) => Path, report: Report): void {
	for (const { kind, path, message, hint } of issues) {
		const place = at(path);
		const unknown = kind === "unknown";
		const text = unknown ? `unknown field ${quoteText(String(place.at(-1)))}` : `${place.at(-1)} ${message}`;
		report.error(unknown ? "unknown_field" : "bad_field", text, { path: place, key: unknown }, hint);
	}
}

function toIssues(schema: z.ZodType, value: unknown, issue: ZodIssue, above: Path): SchemaIssue[] {
	const path: Path = [...above, ...issue.path.map(toPathPart)];
	if (issue.code === "unrecognized_keys") {
		const known = getKnownKeys(issue) ?? listKeysAt(schema, path);
		return issue.keys.map((key) => ({
			kind: "unknown",
			path: [...path, key],
			message: "is not known here",
			hint: () => didYouMean(key, known) ?? (known.length > 0 ? `Known: ${known.join(", ")}` : undefined),
		}));
	}
	if (issue.code === "invalid_union" && issue.errors.length > 0) {
		return toUnionIssues(schema, value, issue.errors, path);
	}
	if (getValueAt(value, path) === undefined) return [{ kind: "missing", path, message: "is required" }];
	return [{ kind: "wrong", path, message: describeIssue(issue, getValueAt(value, path)) }];
}

/** If every branch rejects the type of the value itself, lists the types. Otherwise assumes the deepest branch was meant. */
function toUnionIssues(
	schema: z.ZodType,
	value: unknown,
	branches: readonly (readonly ZodIssue[])[],
	path: Path,
): SchemaIssue[] {
	const types = branches.flatMap((branch) =>
		branch.flatMap((issue) =>
			issue.code === "invalid_type" && issue.path.length === 0 ? [toTypeName(issue.expected)] : [],
		),
	);
	const given = getValueAt(value, path);
	if (types.length === branches.length && given !== undefined) {
		const message = `must be ${[...new Set(types)].join(" or ")}, but is ${describeType(given)}`;
		return [{ kind: "wrong", path, message }];
	}
	const depth = (branch: readonly ZodIssue[]) => Math.max(0, ...branch.map(({ path }) => path.length));
	const meant = branches.reduce((best, branch) => (depth(branch) > depth(best) ? branch : best));
	return meant.flatMap((issue) => toIssues(schema, value, issue, path));
}

function describeIssue(issue: ZodIssue, value: unknown): string {
	switch (issue.code) {
		case "invalid_type":
			if (issue.expected === "int") return "must be a whole number";
			return `must be ${toTypeName(issue.expected)}, but is ${describeType(value)}`;
		case "invalid_value":
			return `must be ${issue.values.map((allowed) => JSON.stringify(allowed)).join(" or ")}`;
		case "too_small":
			return describeBound(issue.origin, "at least", issue.minimum);
		case "too_big":
			return describeBound(issue.origin, "at most", issue.maximum);
		default:
			return issue.message;
	}
}

const UNITS: Readonly<Record<string, string>> = {
	string: " characters long",
	array: " elements long",
	set: " elements long",
};

const describeBound = (origin: string, direction: string, limit: number | bigint): string =>
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

export const toTypeName = (expected: string): string => TYPE_NAMES[expected] ?? expected;

export function describeType(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "a list";
	return typeof value === "boolean" ? String(value) : toTypeName(typeof value);
}

export function getValueAt(value: unknown, path: Path): unknown {
	let found = value;
	for (const part of path) {
		if (typeof found !== "object" || found === null || !Object.hasOwn(found, part)) return undefined;
		found = (found as Record<string | number, unknown>)[part];
	}
	return found;
}

export const toPathPart = (part: PropertyKey): string | number =>
	typeof part === "symbol" ? String(part) : part;

/** Checks of a JSON Schema add the known names to the issue. */
const getKnownKeys = (issue: ZodIssue & { readonly known?: readonly string[] }) => issue.known;

/** The names that the object at this path may have. */
function listKeysAt(schema: z.core.$ZodType, path: Path): string[] {
	const inner = unwrapSchema(schema);
	const [part, ...rest] = path;
	if (inner instanceof z.ZodUnion) return inner.options.flatMap((option) => listKeysAt(option, path));
	if (inner instanceof z.ZodObject) {
		const shape: Readonly<Record<string, z.core.$ZodType>> = inner.shape;
		if (part === undefined) return Object.keys(shape);
		const below = Object.hasOwn(shape, part) ? shape[part] : undefined;
		return below === undefined ? [] : listKeysAt(below, rest);
	}
	if (part !== undefined && inner instanceof z.ZodArray) return listKeysAt(inner.element, rest);
	if (part !== undefined && inner instanceof z.ZodRecord) return listKeysAt(inner.valueType, rest);
	return [];
}

function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
	if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
		return unwrapSchema(schema.unwrap());
	}
	if (schema instanceof z.ZodPipe) return unwrapSchema(schema.in);
	return schema;
}
