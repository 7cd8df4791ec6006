import { parseFileTypes } from "@tripline/contract/file-types";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { FieldType, Option } from "./model.ts";
import { isFile, isObject, listTypes, readNumber, readText, simplify } from "./schema.ts";

/** Texts that may be longer than this are drawn with several lines. */
const MAX_LINE_LENGTH = 200;
const LONG_FORMATS: readonly Json[] = ["textarea", "multiline"];

/**
 * How a value is drawn, or why it cannot be. A text has several lines if `format` is `textarea` or `multiline`, or
 * `maxLength` is above 200; `format` also chooses dates, times, e-mail addresses, URLs and telephone numbers.
 */
export function chooseFieldType(
	schema: JsonObject,
	root: JsonObject,
	isRequired: boolean,
): FieldType | string {
	if (isFile(schema)) return toFileType(schema, false, isRequired);
	if (Array.isArray(schema.allOf)) return "allOf";
	const types = listTypes(schema);
	if (types.includes("boolean") && isOnlyTrue(schema)) return { kind: "boolean", mustBeTrue: true };
	const options = listOptions(schema);
	if (typeof options === "string") return options;
	if (options !== null) return { kind: "choice", options };
	if (schema.anyOf !== undefined || schema.oneOf !== undefined) return "alternatives";
	if (types.includes("string")) return chooseTextType(schema);
	if (types.includes("number") || types.includes("integer"))
		return toNumberType(schema, !types.includes("number"));
	if (types.length !== 1) return "a value of several types";
	if (types[0] === "boolean") return { kind: "boolean", mustBeTrue: false };
	if (types[0] === "array") return chooseListType(schema, root, isRequired);
	return types[0] === "object" ? "an object inside an object" : "a value of this type";
}

/** Consent: the box must be checked. */
const isOnlyTrue = ({ const: only, enum: values }: JsonObject): boolean =>
	only === true || (Array.isArray(values) && values.length === 1 && values[0] === true);

function chooseTextType(schema: JsonObject): FieldType | string {
	const { format } = schema;
	const minLength = readNumber(schema.minLength);
	const maxLength = readNumber(schema.maxLength);
	switch (format) {
		case "password":
			return "a password, which a form must not ask for";
		case "date":
		case "time":
			return { kind: format };
		case "date-time":
			return { kind: "date_time" };
	}
	if (LONG_FORMATS.includes(format ?? null) || (format === undefined && (maxLength ?? 0) > MAX_LINE_LENGTH))
		return { kind: "long_text", minLength, maxLength };
	const input = format === "email" ? "email" : format === "uri" ? "url" : format === "tel" ? "tel" : "text";
	return { kind: "text", input, minLength, maxLength };
}

const toFileType = ({ contentMediaType }: JsonObject, isList: boolean, isNeeded: boolean): FieldType => ({
	kind: "file",
	types: parseFileTypes(contentMediaType),
	isList,
	isNeeded,
});

function toNumberType(schema: JsonObject, isWhole: boolean): FieldType {
	const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
	// HTML knows no exclusive bounds, but for whole numbers the next one is as good.
	const next = (bound: Json | undefined, by: number) =>
		isWhole && typeof bound === "number" ? Math.round(bound) + by : null;
	const min = readNumber(minimum) ?? next(exclusiveMinimum, 1);
	const max = readNumber(maximum) ?? next(exclusiveMaximum, -1);
	const wanted = readNumber(multipleOf) ?? (isWhole ? 1 : null);
	// Browsers count steps from the minimum.
	const step = wanted !== null && wanted > 0 && (min ?? 0) % wanted === 0 ? wanted : null;
	return { kind: "number", isWhole, min, max, step };
}

function chooseListType(schema: JsonObject, root: JsonObject, isRequired: boolean): FieldType | string {
	if (schema.prefixItems !== undefined || Array.isArray(schema.items)) return "a list with fixed places";
	const { schema: items } = simplify(schema.items, root);
	const isNeeded = isRequired && (readNumber(schema.minItems) ?? 0) > 0;
	if (isFile(items)) return toFileType(items, true, isNeeded);
	const options = listOptions(items);
	if (typeof options === "string") return options;
	if (options !== null) return { kind: "several", options };
	const types = listTypes(items);
	if (items.anyOf !== undefined || items.oneOf !== undefined || items.allOf !== undefined)
		return "a list of alternatives";
	if (types.includes("string")) return { kind: "lines", element: "text", isNeeded };
	if (types.includes("number") || types.includes("integer"))
		return { kind: "lines", element: "number", isNeeded };
	return "a list of objects or lists";
}

/** The values of `enum`, or of `oneOf` or `anyOf` with constants, whose titles are the labels. */
function listOptions(schema: JsonObject): readonly Option[] | null | string {
	const { enum: values, oneOf, anyOf } = schema;
	const labelled = Array.isArray(oneOf) ? oneOf : anyOf;
	if (Array.isArray(values)) return toOptions(values.map((value) => [value, null]));
	if (!Array.isArray(labelled) || labelled.length === 0) return null;
	const pairs: (readonly [Json, string | null])[] = [];
	for (const each of labelled) {
		if (!isObject(each) || each.const === undefined) return null;
		pairs.push([each.const, readText(each.title)]);
	}
	return toOptions(pairs);
}

/** Null and the empty text are what an empty field means, so they are no options. */
function toOptions(pairs: readonly (readonly [Json, string | null])[]): readonly Option[] | string {
	const options = new Map<string, Option>();
	for (const [value, title] of pairs) {
		if (value === null || value === "") continue;
		if (typeof value === "object") return "a choice of objects or lists";
		const text = String(value);
		if (options.has(text)) return "choices that look the same";
		options.set(text, { text, value, label: title ?? (typeof value === "boolean" ? value : text) });
	}
	return options.size === 0 ? "a choice without values" : [...options.values()];
}
