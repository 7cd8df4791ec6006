import * as z from "zod";

/** The part of JSON Schema that zod generates. */
export interface JsonSchema {
	readonly $ref?: string;
	readonly description?: string;
	readonly type?: string | readonly string[];
	readonly format?: string;
	readonly const?: unknown;
	readonly enum?: readonly unknown[];
	readonly default?: unknown;
	readonly examples?: readonly unknown[];
	readonly anyOf?: readonly JsonSchema[];
	readonly oneOf?: readonly JsonSchema[];
	readonly allOf?: readonly JsonSchema[];
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly required?: readonly string[];
	readonly additionalProperties?: JsonSchema | boolean;
	readonly propertyNames?: JsonSchema;
	readonly items?: JsonSchema;
	readonly prefixItems?: readonly JsonSchema[];
	readonly pattern?: string;
	readonly minimum?: number;
	readonly maximum?: number;
	readonly exclusiveMinimum?: number;
	readonly exclusiveMaximum?: number;
	readonly multipleOf?: number;
	readonly minLength?: number;
	readonly maxLength?: number;
	readonly minItems?: number;
	readonly maxItems?: number;
	readonly minProperties?: number;
	readonly maxProperties?: number;
}

/** The request's or the response's side of a schema: they differ if it has defaults. */
export type Side = "input" | "output";

interface Definition {
	/** Undefined if zod extracted the definition only because it is recursive. */
	readonly id: string | undefined;
	readonly schema: JsonSchema;
}
/** Keyed by zod's reference; `#` is the whole schema. */
type Definitions = ReadonlyMap<string, Definition>;

export type Components = ReturnType<typeof createComponents>;

/**
 * Collects the definitions of many schemas. zod's references are relative to the schema, those of OpenAPI to the
 * document, where names must be unique.
 */
export function createComponents() {
	const schemas: Record<string, JsonSchema> = {};
	const nameByContent = new Map<string, string>();

	return {
		schemas,

		buildSchema(schema: z.ZodType, side: Side): JsonSchema {
			const { root, definitions } = collectDefinitions(schema, side);
			const whole = hoist(root, definitions, side);
			// A schema that refers to itself as a whole has become a component by now.
			const name = nameByContent.get(buildContentKey("#", definitions));
			return name === undefined ? whole : { $ref: toPointer(name) };
		},

		/** The fields of an object schema, each with its own schema. */
		buildFields(schema: z.ZodType, side: Side) {
			const { root, definitions } = collectDefinitions(schema, side);
			const { properties = {}, required = [] } = definitions.get(root.$ref ?? "#")?.schema ?? root;
			return Object.entries(properties).map(([name, field]) => ({
				name,
				isRequired: required.includes(name),
				schema: hoist(field, definitions, side),
			}));
		},
	};

	function hoist(schema: JsonSchema, definitions: Definitions, side: Side): JsonSchema {
		const text = replaceReferences(schema, definitions, (reference, definition) => {
			const content = buildContentKey(reference, definitions);
			const known = nameByContent.get(content);
			if (known !== undefined) return toPointer(known);
			const name = findFreeName(definition.id ?? pickName(content), side);
			nameByContent.set(content, name);
			// Reserve the name before nested definitions are named.
			schemas[name] = {};
			schemas[name] = hoist(definition.schema, definitions, side);
			return toPointer(name);
		});
		return JSON.parse(text) as JsonSchema;
	}

	function findFreeName(wanted: string, side: Side): string {
		const plain = wanted.replaceAll(/[^\w.-]+/g, "_");
		const sided = `${plain}${side === "input" ? "Input" : "Output"}`;
		let name = plain;
		for (let count = 1; Object.hasOwn(schemas, name); count++)
			name = count === 1 ? sided : `${sided}${count}`;
		return name;
	}
}

function collectDefinitions(schema: z.ZodType, side: Side): { root: JsonSchema; definitions: Definitions } {
	const options = { io: side, unrepresentable: "any", reused: "inline" } as const;
	const { $schema: _, $defs = {}, ...rest } = z.toJSONSchema(schema, options);
	const root = rest as JsonSchema;
	const definitions = new Map<string, Definition>([["#", { id: undefined, schema: root }]]);
	for (const [name, definition] of Object.entries($defs)) {
		const pointer = name.replaceAll("~", "~0").replaceAll("/", "~1");
		const id = /^__schema\d+$/.test(name) ? undefined : name;
		definitions.set(`#/$defs/${pointer}`, { id, schema: definition as JsonSchema });
	}
	return { root, definitions };
}

/** A text that is equal for two definitions if they and all their references are equal, regardless of zod's names. */
function buildContentKey(reference: string, definitions: Definitions): string {
	const met = [reference];
	const texts: string[] = [];
	// `met` grows during the iteration.
	for (const each of met) {
		const { id = "", schema = {} } = definitions.get(each) ?? {};
		const text = replaceReferences(schema, definitions, (inner) => {
			if (!met.includes(inner)) met.push(inner);
			return String(met.indexOf(inner));
		});
		texts.push(`${id} ${text}`);
	}
	return texts.join("\n");
}

function pickName(content: string): string {
	const anyJson = buildContentKey("#", collectDefinitions(z.json(), "output").definitions);
	return content === anyJson ? "Json" : "Recursive";
}

/** The schema as JSON text, with its references to definitions replaced. */
const replaceReferences = (
	schema: JsonSchema,
	definitions: Definitions,
	replace: (reference: string, definition: Definition) => string,
): string =>
	JSON.stringify(schema, (key, value) => {
		const definition = key === "$ref" ? definitions.get(value) : undefined;
		return definition === undefined ? value : replace(value, definition);
	});

const toPointer = (name: string): string => `#/components/schemas/${name}`;
