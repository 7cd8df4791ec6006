import type { JsonObject } from "../../api/types.ts";

/** A parameter as shown in the table. */
export interface Parameter {
	readonly name: string;
	readonly type: string;
	readonly description: string;
	readonly isRequired: boolean;
	readonly default: string | null;
	readonly choices: readonly string[];
}

type Schema = Readonly<Record<string, unknown>>;
const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** The properties of a JSON Schema, required ones first. */
export function listParameters(schema: JsonObject): Parameter[] {
	const properties = isSchema(schema.properties) ? schema.properties : {};
	const required = new Set(Array.isArray(schema.required) ? schema.required : []);
	const rows = Object.entries(properties).map(([name, of]) =>
		toParameter(name, isSchema(of) ? of : {}, required.has(name)),
	);
	return [...rows.filter(({ isRequired }) => isRequired), ...rows.filter(({ isRequired }) => !isRequired)];
}

function toParameter(name: string, schema: Schema, isRequired: boolean): Parameter {
	return {
		name,
		type: describeType(schema),
		description: typeof schema.description === "string" ? schema.description : "",
		isRequired: isRequired && !("default" in schema),
		default: "default" in schema ? JSON.stringify(schema.default) : null,
		choices: Array.isArray(schema.enum) ? schema.enum.map(String) : [],
	};
}

function describeType(schema: Schema): string {
	if (typeof schema.type === "string") {
		const items = isSchema(schema.items) ? describeType(schema.items) : "";
		return schema.type === "array" && items !== "" && items !== "any" ? `array of ${items}` : schema.type;
	}
	if (Array.isArray(schema.type)) return schema.type.join(" | ");
	const choices = schema.anyOf ?? schema.oneOf;
	if (Array.isArray(choices)) return [...new Set(choices.filter(isSchema).map(describeType))].join(" | ");
	return "const" in schema ? JSON.stringify(schema.const) : "any";
}

/** The node's settings as YAML: required parameters with placeholders to fill in. */
export function renderSettings(component: string, schema: JsonObject): string {
	const lines = listParameters(schema)
		.filter(({ isRequired }) => isRequired)
		.map(({ name, type, choices }) => `    ${name}: ${choices[0] ?? PLACEHOLDERS[type] ?? '""'}`);
	return [`    component: ${component}`, ...lines].join("\n");
}

const PLACEHOLDERS: Readonly<Record<string, string>> = {
	integer: "0",
	number: "0",
	boolean: "false",
	object: "{}",
};
