import { ITEM, type Path } from "./place.ts";

/** The part of JSON Schema that completion uses. */
export interface Schema {
	readonly type?: string | readonly string[];
	readonly description?: string;
	readonly enum?: readonly unknown[];
	readonly const?: unknown;
	readonly default?: unknown;
	readonly minimum?: number;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly items?: Schema;
	readonly oneOf?: readonly Schema[];
	readonly anyOf?: readonly Schema[];
	readonly $ref?: string;
	readonly $defs?: Readonly<Record<string, Schema>>;
	/** Not part of JSON Schema: the text to insert after the key, if the type is not enough. */
	readonly snippet?: string;
}

export interface Property {
	readonly name: string;
	readonly schema: Schema;
	readonly isRequired: boolean;
}

/** All schemas at a path; oneOf and anyOf yield several. */
function findSchemas(root: Schema, path: Path): readonly Schema[] {
	return path.reduce<readonly Schema[]>(
		(found, step) =>
			found.flatMap((schema) => {
				const next = step === ITEM ? schema.items : getOwnProperty(schema, step);
				return next === undefined ? [] : listAlternatives(root, next);
			}),
		listAlternatives(root, root),
	);
}

/** The properties at a path. The first alternative that has a property defines it and whether it is required. */
export function listProperties(root: Schema, path: Path): readonly Property[] {
	const found = new Map<string, Property>();
	for (const schema of findSchemas(root, path))
		for (const [name, inner] of Object.entries(schema.properties ?? {}))
			if (!found.has(name))
				found.set(name, { name, schema: inner, isRequired: schema.required?.includes(name) === true });
	return [...found.values()].sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

/** The possible values at a path, if they are a closed list. */
export function listValues(root: Schema, path: Path): readonly string[] {
	return [...new Set(findSchemas(root, path).flatMap(listSchemaValues))];
}

export function listSchemaValues(schema: Schema): string[] {
	if (schema.const !== undefined) return [String(schema.const)];
	if (schema.enum !== undefined) return schema.enum.map(String);
	return schema.type === "boolean" ? ["true", "false"] : [];
}

export const describeType = (schema: Schema): string => {
	if (schema.type !== undefined)
		return typeof schema.type === "string" ? schema.type : schema.type.join(" | ");
	if (schema.enum !== undefined || schema.const !== undefined) return "string";
	const types = new Set((schema.oneOf ?? schema.anyOf ?? []).map(describeType));
	return types.size === 0 ? "any" : [...types].join(" | ");
};

const MAX_REFERENCES = 8;

function listAlternatives(root: Schema, schema: Schema, depth = 0): readonly Schema[] {
	if (depth > MAX_REFERENCES) return [];
	if (schema.$ref !== undefined) {
		const target = root.$defs?.[schema.$ref.replace(/^#\/\$defs\//, "")];
		return target === undefined ? [] : listAlternatives(root, target, depth + 1);
	}
	const more = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
	return [schema, ...more.flatMap((each) => listAlternatives(root, each, depth + 1))];
}

const getOwnProperty = ({ properties }: Schema, name: string): Schema | undefined =>
	properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
