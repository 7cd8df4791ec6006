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

export function renderParameters(schema: Schema): string {
	const rows = listRows(schema, "").map(
		({ name, type, need, description }) =>
			`| \`${name}\` | ${escapeCell(type)} | ${escapeCell(need)} | ${escapeCell(description)} |`,
	);
	if (rows.length === 0) return "It takes no parameters.";
	return `| Parameter | Type | | Meaning |\n|---|---|---|---|\n${rows.join("\n")}`;
}

export function renderOutput(schema: Schema): string {
	const { description = "" } = schema;
	const sentence = `Output: ${describeType(schema)}. ${description === "" ? "" : `${description}.`}`.trim();
	const rows = listRows(schema, "").map(
		({ name, type, description: said }) => `| \`${name}\` | ${escapeCell(type)} | ${escapeCell(said)} |`,
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
function listRows(given: Schema, above: string): Row[] {
	const { properties, items, required = [] } = dropNull(given);
	if (properties === undefined) return items === undefined ? [] : listRows(items, `${above}[]`);
	return Object.entries(properties).flatMap(([key, property]) => {
		const name = above === "" || above.endsWith(".") ? `${above}${key}` : `${above}.${key}`;
		const { description = "" } = property;
		const row = {
			name,
			type: describeType(property),
			need: describeNeed(property, required.includes(key)),
			description,
		};
		return [row, ...listRows(property, name)];
	});
}

const dropNull = (schema: Schema): Schema => schema.anyOf?.find(({ type }) => type !== "null") ?? schema;

function describeNeed(schema: Schema, isRequired: boolean): string {
	if (schema.default !== undefined) return `default \`${JSON.stringify(schema.default)}\``;
	return isRequired ? "required" : "";
}

const WORDS: Record<string, string> = {
	string: "text",
	boolean: "true or false",
	null: "null",
	object: "object",
};

function describeType(schema: Schema): string {
	if (schema.anyOf !== undefined) return schema.anyOf.map(describeType).join(" or ");
	if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(", ");
	const { type = "", items } = schema;
	if (typeof type !== "string") return type.map((one) => describeType({ type: one })).join(" or ");
	if (type === "integer") return `whole number${describeRange(schema)}`;
	if (type === "number") return `number${describeRange(schema)}`;
	if (type === "array")
		return items === undefined || items.type === undefined ? "list" : `list of ${describeType(items)}`;
	return WORDS[type] ?? "any value";
}

function describeRange({ minimum, maximum }: Schema): string {
	if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
	return minimum === undefined ? "" : `, at least ${minimum}`;
}

export function escapeCell(text: string): string {
	return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
