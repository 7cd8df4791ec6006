import { type Schema, typeOf, valuesOf } from "./schema.ts";

interface How {
	/** Flow style: everything stays on one line. */
	readonly isCompact: boolean;
	/** Expressions have no quotes or braces. */
	readonly isExpression: boolean;
}

/** An editor snippet for a key with a value of its type; `#{…}` marks the fields to fill in. */
export function snippetOf(name: string, schema: Schema, how: How): string {
	const value = valueFor(name, schema, how);
	return value.startsWith("\n") ? `${keyOf(name)}:${value}` : `${keyOf(name)}: ${value}`;
}

function valueFor(name: string, schema: Schema, { isCompact, isExpression }: How): string {
	if (schema.snippet !== undefined && !isCompact) return schema.snippet;
	const [first] = valuesOf(schema);
	if (isScalar(schema.default)) return field(String(schema.default));
	if (first !== undefined) return field(first);
	const type = typeOf(schema);
	if (isExpression && type !== "object") return field("");
	if (name === "code" && !isCompact) return `|\n\t${field("return input;")}`;
	if (type === "integer" || type === "number") return field(String(Math.max(schema.minimum ?? 1, 1)));
	if (type === "string") return `"${field("")}"`;
	if (type === "array") return schema.items === undefined ? `"{{${field("input")}}}"` : `[${field("")}]`;
	if (type === "object")
		return isCompact ? `\\{ ${field("")} \\}` : `\n\t${field("name")}: ${field("value")}`;
	return field("");
}

/**
 * Escapes braces, which would end the field, and gives numbers an index, because a bare number would be read as the
 * field's index.
 */
const field = (text: string): string =>
	/^\d+$/.test(text) ? `#{1:${text}}` : `#{${text.replaceAll(/[{}]/g, "\\$&")}}`;
const isScalar = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);

/** Quotes a key that YAML would not read as a plain string. */
export const keyOf = (name: string): string =>
	/^[\p{L}_][\p{L}\p{N} _.-]*$/u.test(name) && !name.endsWith(" ") ? name : JSON.stringify(name);
