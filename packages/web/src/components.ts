import * as z from "zod";

/** JSON Schema, as far as zod writes it. */
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

/** Of a schema, what a request may send or what an answer holds: the two differ where there are defaults. */
export type Side = "input" | "output";

interface Definition {
	/** Undefined for one that zod split off only because it is recursive. */
	readonly id: string | undefined;
	readonly schema: JsonSchema;
}
/** By the reference that zod gave it; `#` is the whole schema. */
type Definitions = ReadonlyMap<string, Definition>;

export type Components = ReturnType<typeof createComponents>;

/**
 * Gathers the definitions of many schemas. zod's references start at the schema, those of an OpenAPI document at the
 * document, and there a name may stand for one thing only.
 */
export function createComponents() {
	const schemas: Record<string, JsonSchema> = {};
	const nameByContent = new Map<string, string>();

	return {
		schemas,

		schemaOf(schema: z.ZodType, side: Side): JsonSchema {
			const { root, definitions } = definitionsOf(schema, side);
			const whole = hoisted(root, definitions, side);
			// One that refers to itself as a whole has become a component by now.
			const name = nameByContent.get(contentOf("#", definitions));
			return name === undefined ? whole : { $ref: pointerTo(name) };
		},

		/** The fields of an object schema, each as a schema of its own. */
		fieldsOf(schema: z.ZodType, side: Side) {
			const { root, definitions } = definitionsOf(schema, side);
			const { properties = {}, required = [] } = definitions.get(root.$ref ?? "#")?.schema ?? root;
			return Object.entries(properties).map(([name, field]) => ({
				name,
				isRequired: required.includes(name),
				schema: hoisted(field, definitions, side),
			}));
		},
	};

	function hoisted(schema: JsonSchema, definitions: Definitions, side: Side): JsonSchema {
		const text = withReferences(schema, definitions, (reference, definition) => {
			const content = contentOf(reference, definitions);
			const known = nameByContent.get(content);
			if (known !== undefined) return pointerTo(known);
			const name = freeName(definition.id ?? unnamed(content), side);
			nameByContent.set(content, name);
			// The name is taken before what lies within asks for one.
			schemas[name] = {};
			schemas[name] = hoisted(definition.schema, definitions, side);
			return pointerTo(name);
		});
		return JSON.parse(text) as JsonSchema;
	}

	function freeName(wanted: string, side: Side): string {
		const plain = wanted.replaceAll(/[^\w.-]+/g, "_");
		const sided = `${plain}${side === "input" ? "Input" : "Output"}`;
		let name = plain;
		for (let count = 1; Object.hasOwn(schemas, name); count++)
			name = count === 1 ? sided : `${sided}${count}`;
		return name;
	}
}

function definitionsOf(schema: z.ZodType, side: Side): { root: JsonSchema; definitions: Definitions } {
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

/** A text that two definitions share if they and all they refer to are the same, whatever zod called them. */
function contentOf(reference: string, definitions: Definitions): string {
	const met = [reference];
	const texts: string[] = [];
	// `met` grows while it is read.
	for (const each of met) {
		const { id = "", schema = {} } = definitions.get(each) ?? {};
		const text = withReferences(schema, definitions, (inner) => {
			if (!met.includes(inner)) met.push(inner);
			return String(met.indexOf(inner));
		});
		texts.push(`${id} ${text}`);
	}
	return texts.join("\n");
}

function unnamed(content: string): string {
	const anyJson = contentOf("#", definitionsOf(z.json(), "output").definitions);
	return content === anyJson ? "Json" : "Recursive";
}

/** The schema as JSON text, with its references to definitions replaced. */
const withReferences = (
	schema: JsonSchema,
	definitions: Definitions,
	replace: (reference: string, definition: Definition) => string,
): string =>
	JSON.stringify(schema, (key, value) => {
		const definition = key === "$ref" ? definitions.get(value) : undefined;
		return definition === undefined ? value : replace(value, definition);
	});

const pointerTo = (name: string): string => `#/components/schemas/${name}`;
