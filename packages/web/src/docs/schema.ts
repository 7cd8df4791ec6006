import type { JsonSchema } from "../components.ts";
import type { OpenApi } from "../openapi.ts";
import { html, joined, jsonCode, type Piece } from "./html.ts";

/** Maximum depth for following references: schemas may be recursive. */
export const MAX_DEPTH = 8;

const JSON_TYPES = ["string", "number", "boolean", "null", "array", "object"];

/** Merges the schema with its reference and its `allOf`. */
export function resolve(schema: JsonSchema, document: OpenApi, depth = 0): JsonSchema {
	const { $ref, allOf = [], ...own } = schema;
	if (depth > MAX_DEPTH) return {};
	if ($ref === undefined && allOf.length === 0) return own;
	const bases = [...referenced($ref, document), ...allOf].map((each) => resolve(each, document, depth + 1));
	const all = [...bases, own];
	const properties = Object.assign({}, ...all.map((each) => each.properties));
	const required = all.flatMap((each) => each.required ?? []);
	return Object.assign({}, ...all, isFilled(properties) ? { properties, required } : {});
}

function referenced($ref: string | undefined, { components }: OpenApi): JsonSchema[] {
	if ($ref === undefined) return [];
	const found = components.schemas[nameIn($ref)];
	return found === undefined ? [] : [found];
}

const nameIn = ($ref: string): string => $ref.slice($ref.lastIndexOf("/") + 1);

/** A short label of the type. */
export function label(schema: JsonSchema, document: OpenApi): string {
	const core = resolve(schema, document);
	const options = optionsOf(core);
	if (isAnyJson(options, document)) return "any JSON";
	if (schema.$ref !== undefined) return nameIn(schema.$ref);
	if ("const" in core) return JSON.stringify(core.const);
	if (options.length > 0) return oneOf(options.map((each) => label(each, document)));
	const types = core.type ?? (isFilled(core.properties) ? "object" : "any");
	return oneOf([types].flat().map((type) => typeLabel(type, core, document)));
}

function typeLabel(type: string, core: JsonSchema, document: OpenApi): string {
	const ofEach = (each: JsonSchema) => label(each, document).replace(/^.* or .*$/, "($&)");
	const values = mapValues(core);
	if (type === "array" && core.prefixItems !== undefined) {
		return `list [${core.prefixItems.map((each) => label(each, document)).join(", ")}]`;
	}
	if (type === "array") return `list of ${ofEach(core.items ?? {})}`;
	if (type === "object" && values !== undefined) return `map of ${ofEach(values)}`;
	return type === "string" && core.format ? `string (${core.format})` : type;
}

const oneOf = (labels: readonly string[]): string => [...new Set(labels)].join(" or ");

export const optionsOf = (core: JsonSchema): readonly JsonSchema[] => core.anyOf ?? core.oneOf ?? [];

/** The options other than null, which is already in the label. */
export const choicesOf = (core: JsonSchema): readonly JsonSchema[] =>
	optionsOf(core).filter((each) => each.type !== "null");

/** The schema of the values of an object with arbitrary field names. */
export function mapValues({ properties, additionalProperties }: JsonSchema): JsonSchema | undefined {
	if (isFilled(properties) || typeof additionalProperties !== "object") return undefined;
	return isFilled(additionalProperties) ? additionalProperties : undefined;
}

export function isAnyJson(options: readonly JsonSchema[], document: OpenApi): boolean {
	const types = options.map((each) => resolve(each, document).type);
	return JSON_TYPES.every((type) => types.includes(type));
}

const isFilled = (value: object | undefined): boolean => value !== undefined && Object.keys(value).length > 0;

/** The constraints on a value besides its type; those of elements in a list or map start with "each". */
export function limits(schema: JsonSchema, document: OpenApi, isRequest: boolean, depth = 0): Piece[] {
	const core = resolve(schema, document);
	const own = ownLimits(core, isRequest);
	const [choice, ...otherChoices] = choicesOf(core);
	if (depth > MAX_DEPTH || otherChoices.length > 0) return own;
	if (choice !== undefined) return [...own, ...limits(choice, document, isRequest, depth + 1)];
	const element = mapValues(core) ?? core.items;
	if (element === undefined) return own;
	return [...own, ...limits(element, document, isRequest, depth + 1).map((note) => ["each ", note])];
}

function ownLimits(core: JsonSchema, isRequest: boolean): Piece[] {
	const notes = [
		core.enum !== undefined && html`one of ${joined(core.enum.map(jsonCode), ", ")}`,
		range(core.minimum, core.maximum, ""),
		core.exclusiveMinimum !== undefined && `more than ${core.exclusiveMinimum}`,
		core.exclusiveMaximum !== undefined && `less than ${core.exclusiveMaximum}`,
		core.multipleOf !== undefined && `a multiple of ${core.multipleOf}`,
		range(core.minLength, core.maxLength, " characters"),
		range(core.minItems, core.maxItems, " items"),
		range(core.minProperties, core.maxProperties, " fields"),
		// The pattern of a format is long and adds nothing.
		core.pattern !== undefined && !core.format && html`matches <code>${core.pattern}</code>`,
		"default" in core && html`default ${jsonCode(core.default)}`,
		// Relevant only for requests.
		isRequest && core.additionalProperties === false && "accepts no other fields",
	];
	return notes.filter((note) => note !== false);
}

/** Bounds that only mean "a safe integer" are omitted. */
function range(low: number | undefined, high: number | undefined, unit: string): string | false {
	const from = low === Number.MIN_SAFE_INTEGER ? undefined : low;
	const to = high === Number.MAX_SAFE_INTEGER ? undefined : high;
	const units = (to ?? from) === 1 ? unit.replace(/s$/, "") : unit;
	if (from === undefined) return to !== undefined && `at most ${to}${units}`;
	if (to === undefined) return `at least ${from}${units}`;
	return from === to ? `exactly ${to}${units}` : `${from} to ${to}${units}`;
}
