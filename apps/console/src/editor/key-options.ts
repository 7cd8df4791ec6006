import { type Completion, snippetCompletion } from "@codemirror/autocomplete";
import type { Asked, Offered } from "./completion-request.ts";
import { documentSchema, nodeSchema } from "./document-schema.ts";
import type { Path, Place } from "./place.ts";
import { listReferenceOptions } from "./reference-options.ts";
import { describeType, listProperties, listValues, type Property, type Schema } from "./schema.ts";
import { buildSnippet, formatKey } from "./snippet.ts";

/** Where the document names a credential outside its nodes. */
const CREDENTIAL = /^(?:options\.signature|trigger\.(?:signature|auth|handshake))\.credential$/;
const WORD = /^[\p{L}\p{N}_ .*-]*$/u;

/** Completes keys of the document, names of nodes, and the settings and component parameters of a node. */
export async function listKeyOptions(place: Place & { kind: "key" }, asked: Asked): Promise<Offered> {
	const { outline, text, after } = asked;
	const hasColon = /^\s*:/.test(after);
	if (place.path.length === 1 && place.path[0] === "config") {
		const nodes = outline.nodes.filter((name) => outline.configured.get(name) === undefined);
		const options = nodes.map((name) =>
			hasColon
				? { label: name, detail: text.node }
				: snippetCompletion(`${formatKey(name)}:\n\tcomponent: #{}`, {
						label: name,
						detail: text.node,
						type: "key",
					}),
		);
		return { from: place.from, options, validFor: WORD };
	}
	const { schema, path, expressions } = await resolveScope(place.path, asked);
	const properties = listProperties(schema, path).filter(({ name }) => !place.siblings.includes(name));
	const options = properties.map((property, index): Completion => {
		const shown = { ...toCompletion(property, text.required), boost: -Math.min(index, 99) };
		if (hasColon) return { ...shown, apply: property.name };
		const isExpression = Object.hasOwn(expressions, property.name);
		return snippetCompletion(
			buildSnippet(property.name, property.schema, { isCompact: place.isCompact, isExpression }),
			{ ...shown, type: "key" },
		);
	});
	return { from: place.from, options, validFor: WORD };
}

export async function listValueOptions(
	place: Place & { kind: "value" },
	asked: Asked,
): Promise<Offered | null> {
	const { path, from } = place;
	const isNode = path[0] === "config" && path.length === 3;
	if (isNode && path[2] === "component")
		return {
			from,
			options: asked.sources.components().map(({ id, title, description, source }) => ({
				label: id,
				detail: title,
				info: getFirstParagraph(description),
				// Recipes rank lower: there are many, and most belong to services the user does not use.
				boost: source === "recipe" ? -1 : 0,
			})),
			validFor: WORD,
		};
	if ((isNode && path[2] === "credential") || CREDENTIAL.test(path.join(".")))
		return {
			from,
			options: (await asked.sources.credentials()).map((name) => ({ label: name })),
			validFor: WORD,
		};
	const scope = await resolveScope(path, asked);
	if (path[0] === "config" && isExpression(scope))
		return await listReferenceOptions(asked.written, from, asked);
	const options = listValues(scope.schema, scope.path).map((value) => ({ label: value }));
	return { from, options, validFor: WORD };
}

interface Scope {
	readonly schema: Schema;
	/** Path within the schema. */
	readonly path: Path;
	readonly expressions: Readonly<Record<string, string>>;
}

/** Whether the path leads to an expression: a parameter itself, a value by name, or the condition of a case. */
function isExpression({ path, expressions }: Scope): boolean {
	const [top = ""] = path;
	switch (Object.hasOwn(expressions, top) ? expressions[top] : undefined) {
		case undefined:
			return false;
		case "aggregates":
		case "values":
			return path.length === 2;
		case "cases":
			return path.at(-1) === "when";
		default:
			return path.length === 1;
	}
}

async function resolveScope(path: Path, { outline, sources, text }: Asked): Promise<Scope> {
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

function toCompletion({ name, schema, isRequired }: Property, required: string): Completion {
	const detail = isRequired ? `${describeType(schema)} · ${required}` : describeType(schema);
	return {
		label: name,
		detail,
		...(schema.description !== undefined && { info: schema.description }),
	};
}

const getFirstParagraph = (description: string): string => description.split("\n\n")[0] ?? description;
