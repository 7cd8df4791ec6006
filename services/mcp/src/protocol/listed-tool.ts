import type { Tool } from "../tools/tool.ts";

/** A tool as clients list it, which costs a model these characters in every conversation. */
export const toListed = ({ name, title, description, hints, inputSchema, outputSchema }: Tool) => ({
	name,
	title,
	description,
	inputSchema,
	outputSchema: toOutline(outputSchema),
	annotations: {
		readOnlyHint: hints.readOnly,
		destructiveHint: hints.destructive,
		idempotentHint: hints.idempotent,
		openWorldHint: hints.openWorld,
	},
});

type Schema = Readonly<Record<string, unknown>>;

/**
 * The fields of an output with their types; nested objects are a line that names their fields. The fields are always
 * there and there are no others, so `required` and `additionalProperties` tell a model nothing.
 */
function toOutline({ type, properties, $defs, definitions }: Schema): Schema {
	const fields = listFields({ properties }).map(([name, field]) => [name, outlineField(field)]);
	const outline = { type, ...(properties !== undefined && { properties: Object.fromEntries(fields) }) };
	// Clients refuse a schema whose references lead nowhere.
	return JSON.stringify(outline).includes('"$ref"') ? { ...outline, $defs, definitions } : outline;
}

function outlineField(field: Schema): Schema {
	const names = renderFields(field);
	if (names === null) return field;
	const { type, description } = field;
	return {
		...(type !== undefined && { type }),
		description: typeof description === "string" ? `${description}: ${names}` : names,
	};
}

/** For example `[{ id, log? }]`; null if the value has no fields. */
function renderFields(schema: Schema): string | null {
	const { items, anyOf, required } = schema;
	if (items !== undefined) {
		const names = renderFields(items as Schema);
		return names === null ? null : `[${names}]`;
	}
	if (anyOf !== undefined) {
		const names = (anyOf as Schema[]).map(renderFields).find((each) => each !== null);
		return names === undefined ? null : `${names} or null`;
	}
	const fields = listFields(schema).map(([name, field]) => {
		const names = renderFields(field);
		const isRequired = (required as string[] | undefined)?.includes(name) === true;
		return `${name}${isRequired ? "" : "?"}${names === null ? "" : `: ${names}`}`;
	});
	return fields.length === 0 ? null : `{ ${fields.join(", ")} }`;
}

const listFields = ({ properties = {} }: Schema): [string, Schema][] =>
	Object.entries(properties as Record<string, Schema>);
