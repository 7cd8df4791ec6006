import type { OpenApi } from "../openapi.ts";
import type { JsonSchema } from "../schema-components.ts";
import { html, joinPieces, type Piece, renderJson } from "./html.ts";

/** Maximum depth for following references: schemas may be recursive. */
export const MAX_DEPTH = 8;

const JSON_TYPES = ["string", "number", "boolean", "null", "array", "object"];

/** Merges the schema with its reference and its `allOf`. */
export function resolve(schema: JsonSchema, document: OpenApi, depth = 0): JsonSchema {
	const { $ref, allOf = [], ...own } = schema;
	if (depth > MAX_DEPTH) return {};
	if ($ref === undefined && allOf.length === 0) return own;
	const bases = [...findReferenced($ref, document), ...allOf].map((each) =>
		resolve(each, document, depth + 1),
	);
	const all = [...bases, own];
	const properties = Object.assign({}, ...all.map((each) => each.properties));
	const required = all.flatMap((each) => each.required ?? []);
	return Object.assign({}, ...all, isFilled(properties) ? { properties, required } : {});
}

function findReferenced($ref: string | undefined, { components }: OpenApi): JsonSchema[] {
	if ($ref === undefined) return [];
	const found = components.schemas[readName($ref)];
	return found === undefined ? [] : [found];
}

const readName = ($ref: string): string => $ref.slice($ref.lastIndexOf("/") + 1);

/** A short label of the type. */
export function describeType(schema: JsonSchema, document: OpenApi): string {
	const core = resolve(schema, document);
	const options = listOptions(core);
	if (isAnyJson(options, document)) return "any JSON";
	if (schema.$ref !== undefined) return readName(schema.$ref);
	if ("const" in core) return JSON.stringify(core.const);
	if (options.length > 0) return joinOptions(options.map((each) => describeType(each, document)));
	const types = core.type ?? (isFilled(core.properties) ? "object" : "any");
	return joinOptions([types].flat().map((type) => describeBasicType(type, core, document)));
}

function describeBasicType(type: string, core: JsonSchema, document: OpenApi): string {
	const ofEach = (each: JsonSchema) => describeType(each, document).replace(/^.* or .*$/, "($&)");
	const values = getMapValues(core);
	if (type === "array" && core.prefixItems !== undefined) {
		return `list [${core.prefixItems.map((each) => describeType(each, document)).join(", ")}]`;
	}
	if (type === "array") return `list of ${ofEach(core.items ?? {})}`;
	if (type === "object" && values !== undefined) return `map of ${ofEach(values)}`;
	return type === "string" && core.format ? `string (${core.format})` : type;
}

const joinOptions = (labels: readonly string[]): string => [...new Set(labels)].join(" or ");

export const listOptions = (core: JsonSchema): readonly JsonSchema[] => core.anyOf ?? core.oneOf ?? [];

/** The options other than null, which is already in the label. */
export const listChoices = (core: JsonSchema): readonly JsonSchema[] =>
	listOptions(core).filter((each) => each.type !== "null");

/** The schema of the values of an object with arbitrary field names. */
export function getMapValues({ properties, additionalProperties }: JsonSchema): JsonSchema | undefined {
	if (isFilled(properties) || typeof additionalProperties !== "object") return undefined;
	return isFilled(additionalProperties) ? additionalProperties : undefined;
}

export function isAnyJson(options: readonly JsonSchema[], document: OpenApi): boolean {
	const types = options.map((each) => resolve(each, document).type);
	return JSON_TYPES.every((type) => types.includes(type));
}

const isFilled = (value: object | undefined): boolean => value !== undefined && Object.keys(value).length > 0;

/** The constraints on a value besides its type; those of elements in a list or map start with "each". */
export function describeLimits(
	schema: JsonSchema,
	document: OpenApi,
	isRequest: boolean,
	depth = 0,
): Piece[] {
	const core = resolve(schema, document);
	const own = describeOwnLimits(core, isRequest);
	const [choice, ...otherChoices] = listChoices(core);
	if (depth > MAX_DEPTH || otherChoices.length > 0) return own;
	if (choice !== undefined) return [...own, ...describeLimits(choice, document, isRequest, depth + 1)];
	const element = getMapValues(core) ?? core.items;
	if (element === undefined) return own;
	return [...own, ...describeLimits(element, document, isRequest, depth + 1).map((note) => ["each ", note])];
}

function describeOwnLimits(core: JsonSchema, isRequest: boolean): Piece[] {
	const notes = [
		core.enum !== undefined && html`one of ${joinPieces(core.enum.map(renderJson), ", ")}`,
		describeRange(core.minimum, core.maximum, ""),
		core.exclusiveMinimum !== undefined && `more than ${core.exclusiveMinimum}`,
		core.exclusiveMaximum !== undefined && `less than ${core.exclusiveMaximum}`,
		core.multipleOf !== undefined && `a multiple of ${core.multipleOf}`,
		describeRange(core.minLength, core.maxLength, " characters"),
		describeRange(core.minItems, core.maxItems, " items"),
		describeRange(core.minProperties, core.maxProperties, " fields"),
		// The pattern of a format is long and adds nothing.
		core.pattern !== undefined && !core.format && html`matches <code>${core.pattern}</code>`,
		"default" in core && html`default ${renderJson(core.default)}`,
		// Relevant only for requests.
		isRequest && core.additionalProperties === false && "accepts no other fields",
	];
	return notes.filter((note) => note !== false);
}

/** Bounds that only mean "a safe integer" are omitted. */
function describeRange(low: number | undefined, high: number | undefined, unit: string): string | false {
	const from = low === Number.MIN_SAFE_INTEGER ? undefined : low;
	const to = high === Number.MAX_SAFE_INTEGER ? undefined : high;
	const units = (to ?? from) === 1 ? unit.replace(/s$/, "") : unit;
	if (from === undefined) return to !== undefined && `at most ${to}${units}`;
	if (to === undefined) return `at least ${from}${units}`;
	return from === to ? `exactly ${to}${units}` : `${from} to ${to}${units}`;
}
