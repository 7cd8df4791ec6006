import { describeType, listSchemaValues, type Schema } from "./schema.ts";

interface How {
	/** Flow style: everything stays on one line. */
	readonly isCompact: boolean;
	/** Expressions have no quotes or braces. */
	readonly isExpression: boolean;
}

/** An editor snippet for a key with a value of its type; `#{…}` marks the fields to fill in. */
export function buildSnippet(name: string, schema: Schema, how: How): string {
	const value = buildValue(name, schema, how);
	return value.startsWith("\n") ? `${formatKey(name)}:${value}` : `${formatKey(name)}: ${value}`;
}

function buildValue(name: string, schema: Schema, { isCompact, isExpression }: How): string {
	if (schema.snippet !== undefined && !isCompact) return schema.snippet;
	const [first] = listSchemaValues(schema);
	if (isScalar(schema.default)) return buildField(String(schema.default));
	if (first !== undefined) return buildField(first);
	const type = describeType(schema);
	if (isExpression && type !== "object") return buildField("");
	if (name === "code" && !isCompact) return `|\n\t${buildField("return input;")}`;
	if (type === "integer" || type === "number") return buildField(String(Math.max(schema.minimum ?? 1, 1)));
	if (type === "string") return `"${buildField("")}"`;
	if (type === "array")
		return schema.items === undefined ? `"{{${buildField("input")}}}"` : `[${buildField("")}]`;
	if (type === "object")
		return isCompact ? `\\{ ${buildField("")} \\}` : `\n\t${buildField("name")}: ${buildField("value")}`;
	return buildField("");
}

/**
 * Escapes braces, which would end the field, and gives numbers an index, because a bare number would be read as the
 * field's index.
 */
const buildField = (text: string): string =>
	/^\d+$/.test(text) ? `#{1:${text}}` : `#{${text.replaceAll(/[{}]/g, "\\$&")}}`;
const isScalar = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);

/** Quotes a key that YAML would not read as a plain string. */
export const formatKey = (name: string): string =>
	/^[\p{L}_][\p{L}\p{N} _.-]*$/u.test(name) && !name.endsWith(" ") ? name : JSON.stringify(name);
