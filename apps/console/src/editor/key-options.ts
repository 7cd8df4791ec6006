import { type Completion, snippetCompletion } from "@codemirror/autocomplete";
import type { Asked, Offered } from "./asked.ts";
import { documentSchema, nodeSchema } from "./document-schema.ts";
import type { Path, Place } from "./place.ts";
import { referenceOptions } from "./reference-options.ts";
import { type Property, propertiesAt, type Schema, typeOf, valuesAt } from "./schema.ts";
import { keyOf, snippetOf } from "./snippet.ts";

const WORD = /^[\p{L}\p{N}_ .*-]*$/u;

/** Completes keys of the document, names of nodes, and the settings and component parameters of a node. */
export async function keyOptions(place: Place & { kind: "key" }, asked: Asked): Promise<Offered> {
	const { outline, text, after } = asked;
	const hasColon = /^\s*:/.test(after);
	if (place.path.length === 1 && place.path[0] === "config") {
		const nodes = outline.nodes.filter((name) => outline.configured.get(name) === undefined);
		const options = nodes.map((name) =>
			hasColon
				? { label: name, detail: text.node }
				: snippetCompletion(`${keyOf(name)}:\n\tcomponent: #{}`, {
						label: name,
						detail: text.node,
						type: "key",
					}),
		);
		return { from: place.from, options, validFor: WORD };
	}
	const { schema, path, expressions } = await scopeOf(place.path, asked);
	const properties = propertiesAt(schema, path).filter(({ name }) => !place.siblings.includes(name));
	const options = properties.map((property, index): Completion => {
		const shown = { ...shownAs(property, text.required), boost: -Math.min(index, 99) };
		if (hasColon) return { ...shown, apply: property.name };
		const isExpression = Object.hasOwn(expressions, property.name);
		return snippetCompletion(
			snippetOf(property.name, property.schema, { isCompact: place.isCompact, isExpression }),
			{ ...shown, type: "key" },
		);
	});
	return { from: place.from, options, validFor: WORD };
}

export async function valueOptions(place: Place & { kind: "value" }, asked: Asked): Promise<Offered | null> {
	const { path, from } = place;
	const isNode = path[0] === "config" && path.length === 3;
	if (isNode && path[2] === "component")
		return {
			from,
			options: asked.sources.components().map(({ id, title, description, source }) => ({
				label: id,
				detail: title,
				info: firstOf(description),
				// Recipes rank lower: there are many, and most belong to services the user does not use.
				boost: source === "recipe" ? -1 : 0,
			})),
			validFor: WORD,
		};
	if ((isNode && path[2] === "credential") || path.join(".") === "options.signature.credential")
		return {
			from,
			options: (await asked.sources.credentials()).map((name) => ({ label: name })),
			validFor: WORD,
		};
	const scope = await scopeOf(path, asked);
	const [top] = scope.path;
	if (isNode && top !== undefined && Object.hasOwn(scope.expressions, top))
		return await referenceOptions(asked.written, from, asked);
	const options = valuesAt(scope.schema, scope.path).map((value) => ({ label: value }));
	return { from, options, validFor: WORD };
}

interface Scope {
	readonly schema: Schema;
	/** Path within the schema. */
	readonly path: Path;
	readonly expressions: Readonly<Record<string, string>>;
}

async function scopeOf(path: Path, { outline, sources, text }: Asked): Promise<Scope> {
	const [top, node, ...inner] = path;
	if (top !== "config" || node === undefined)
		return { schema: documentSchema(text.fields), path, expressions: {} };
	const id = outline.configured.get(node) ?? node;
	const detail = await sources.component(id);
	const own = (detail?.params ?? {}) as Schema;
	const settings = nodeSchema(text.fields);
	const { component, ...others } = settings.properties ?? {};
	return {
		schema: {
			...own,
			...(outline.configured.get(node) == null && { required: ["component", ...(own.required ?? [])] }),
			properties: { ...(component && { component }), ...own.properties, ...others },
		},
		path: inner,
		expressions: detail?.expressions ?? {},
	};
}

function shownAs({ name, schema, isRequired }: Property, required: string): Completion {
	const detail = isRequired ? `${typeOf(schema)} · ${required}` : typeOf(schema);
	return {
		label: name,
		detail,
		...(schema.description !== undefined && { info: schema.description }),
	};
}

const firstOf = (description: string): string => description.split("\n\n")[0] ?? description;
