/** The subset of JSON Schema that the pages show. */
export interface Schema {
	readonly type?: string | readonly string[];
	readonly description?: string;
	readonly default?: unknown;
	readonly enum?: readonly unknown[];
	readonly minimum?: number;
	readonly maximum?: number;
	readonly items?: Schema;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly anyOf?: readonly Schema[];
}

export function parameterTable(schema: Schema): string {
	const rows = rowsOf(schema, "").map(
		({ name, type, need, description }) =>
			`| \`${name}\` | ${cell(type)} | ${cell(need)} | ${cell(description)} |`,
	);
	if (rows.length === 0) return "It takes no parameters.";
	return `| Parameter | Type | | Meaning |\n|---|---|---|---|\n${rows.join("\n")}`;
}

export function outputText(schema: Schema): string {
	const { description = "" } = schema;
	const sentence = `Output: ${typeText(schema)}. ${description === "" ? "" : `${description}.`}`.trim();
	const rows = rowsOf(schema, "").map(
		({ name, type, description: said }) => `| \`${name}\` | ${cell(type)} | ${cell(said)} |`,
	);
	if (rows.length === 0) return sentence;
	return `${sentence}\n\n| Field | Type | Meaning |\n|---|---|---|\n${rows.join("\n")}`;
}

interface Row {
	readonly name: string;
	readonly type: string;
	readonly need: string;
	readonly description: string;
}

/** The fields of an object, each followed by its nested fields. */
function rowsOf(given: Schema, above: string): Row[] {
	const { properties, items, required = [] } = withoutNull(given);
	if (properties === undefined) return items === undefined ? [] : rowsOf(items, `${above}[]`);
	return Object.entries(properties).flatMap(([key, property]) => {
		const name = above === "" || above.endsWith(".") ? `${above}${key}` : `${above}.${key}`;
		const { description = "" } = property;
		const row = {
			name,
			type: typeText(property),
			need: needText(property, required.includes(key)),
			description,
		};
		return [row, ...rowsOf(property, name)];
	});
}

const withoutNull = (schema: Schema): Schema => schema.anyOf?.find(({ type }) => type !== "null") ?? schema;

function needText(schema: Schema, isRequired: boolean): string {
	if (schema.default !== undefined) return `default \`${JSON.stringify(schema.default)}\``;
	return isRequired ? "required" : "";
}

const WORDS: Record<string, string> = {
	string: "text",
	boolean: "true or false",
	null: "null",
	object: "object",
};

function typeText(schema: Schema): string {
	if (schema.anyOf !== undefined) return schema.anyOf.map(typeText).join(" or ");
	if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(", ");
	const { type = "", items } = schema;
	if (typeof type !== "string") return type.map((one) => typeText({ type: one })).join(" or ");
	if (type === "integer") return `whole number${rangeText(schema)}`;
	if (type === "number") return `number${rangeText(schema)}`;
	if (type === "array")
		return items === undefined || items.type === undefined ? "list" : `list of ${typeText(items)}`;
	return WORDS[type] ?? "any value";
}

function rangeText({ minimum, maximum }: Schema): string {
	if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
	return minimum === undefined ? "" : `, at least ${minimum}`;
}

export function cell(text: string): string {
	return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
