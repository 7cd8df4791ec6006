import type { Json } from "./json.ts";

interface Schema {
	readonly [keyword: string]: Json;
}

/** A schema that is written once may be used many times. */
const MAX_VALUES = 2_000;
const MAX_DEPTH = 12;
const MAX_ITEMS = 100;
const MAX_CHARACTERS = 10_000;

const TEXTS: Readonly<Record<string, string>> = {
	email: "ada@example.com",
	uri: "https://example.com/",
	date: "2026-01-31",
	"date-time": "2026-01-31T09:00:00Z",
	time: "09:00:00Z",
	uuid: "00000000-0000-4000-8000-000000000000",
	duration: "PT15M",
	hostname: "example.com",
	ipv4: "192.0.2.1",
	ipv6: "2001:db8::1",
};

/**
 * An input that matches a workflow's `input_schema`, for a first run. Rules that contradict each other or exclude values
 * (`not`, overlapping `oneOf`) may be broken, so check it before you promise that it matches.
 */
export function sampleInput(root: Schema): { [name: string]: Json } {
	let left = MAX_VALUES;
	const sample = build(root, 0, 0);
	return isObject(sample) ? sample : {};

	/** `nth` varies values that must be different. */
	function build(given: Json | undefined, depth: number, nth: number): Json {
		if (!isObject(given) || depth > MAX_DEPTH || --left < 0) return null;
		const schema = flatten(given, depth);
		const { const: only, enum: values, default: preset, examples } = schema;
		if (only !== undefined) return only;
		if (Array.isArray(values) && values.length > 0) return values[nth % values.length] as Json;
		if (preset !== undefined && nth === 0) return preset;
		if (Array.isArray(examples) && examples[nth] !== undefined) return examples[nth];
		switch (findType(schema)) {
			case "object":
				if (schema.format === "file") return buildFile(schema);
				return buildObject(schema, depth, nth);
			case "array":
				return buildList(schema, depth, nth);
			case "string":
				return buildText(schema, nth);
			case "integer":
				return buildNumber(schema, 1, nth);
			case "number":
				return buildNumber(schema, undefined, nth);
			case "boolean":
				return nth % 2 === 1;
			default:
				return null;
		}
	}

	/** Follows references and joins `allOf` and the first alternative with the keywords beside them. */
	function flatten(given: Schema, depth: number): Schema {
		if (depth > MAX_DEPTH) return given;
		const { $ref, anyOf, oneOf, allOf, ...own } = given;
		const parts: Json[] = [
			...(typeof $ref === "string" ? [resolve($ref)] : []),
			...(Array.isArray(allOf) ? allOf : []),
			...[anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.slice(0, 1) : [])),
		];
		return parts
			.filter(isObject)
			.reduce<Schema>((joined, part) => join(flatten(part, depth + 1), joined), own);
	}

	function resolve(ref: string): Json {
		let found: Json | undefined = root as Json;
		for (const part of ref.split("/").slice(1)) {
			const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
			found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
		}
		return found ?? null;
	}

	function buildObject(schema: Schema, depth: number, nth: number): { [name: string]: Json } {
		const properties = isObject(schema.properties) ? schema.properties : {};
		const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
		const { minProperties: least = 0, maxProperties: most = Number.POSITIVE_INFINITY } = schema;
		const names = new Set([
			...required,
			...Object.keys(properties).filter((name) => properties[name] !== false),
		]);
		for (let extra = 1; names.size < Number(least) && extra <= MAX_ITEMS; extra++) names.add(`more_${extra}`);
		const taken = [...names].slice(0, Math.max(required.length, Number(most)));
		const others = isObject(schema.additionalProperties) ? schema.additionalProperties : { type: "string" };
		return Object.fromEntries(
			taken.map((name) => [
				name,
				build(Object.hasOwn(properties, name) ? properties[name] : others, depth + 1, nth),
			]),
		);
	}

	function buildList(schema: Schema, depth: number, nth: number): Json[] {
		const { prefixItems, items, contains, minContains = 1, maxItems = MAX_ITEMS } = schema;
		const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
		const rest = isObject(items) ? items : { type: "string" };
		const held = contains === undefined ? 0 : Number(minContains);
		const wanted = Math.max(Number(schema.minItems ?? 0), first.length + held, isObject(items) ? 1 : 0);
		const length = Math.max(0, Math.min(wanted, Number(maxItems), MAX_ITEMS));
		return Array.from({ length }, (_, index) => {
			if (index < first.length) return build(first[index] as Json, depth + 1, nth);
			const isHeld = index < first.length + held && isObject(contains);
			return build(isHeld ? join(rest, contains) : rest, depth + 1, nth + index);
		});
	}
}

const MINIMA = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const MAXIMA = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

/** Both schemas together: properties and required names of both, the stricter bounds, else the second. */
function join(one: Schema, other: Schema): Schema {
	const joined: { [keyword: string]: Json } = { ...one, ...other };
	for (const [keyword, value] of Object.entries(one)) {
		const beside = other[keyword];
		if (beside === undefined) continue;
		if (keyword === "properties" && isObject(value) && isObject(beside))
			joined[keyword] = joinFields(value, beside);
		if (keyword === "required" && Array.isArray(value) && Array.isArray(beside))
			joined[keyword] = [...new Set([...value, ...beside])];
		if (MINIMA.includes(keyword)) joined[keyword] = Math.max(Number(value), Number(beside));
		if (MAXIMA.includes(keyword)) joined[keyword] = Math.min(Number(value), Number(beside));
		if (keyword === "type" && value === "integer" && beside === "number") joined[keyword] = value;
	}
	return joined;
}

function joinFields(one: Schema, other: Schema): Schema {
	const both = Object.entries(other).map(([name, field]) => {
		const beside = Object.hasOwn(one, name) ? one[name] : undefined;
		return [name, isObject(beside) && isObject(field) ? join(beside, field) : field] as const;
	});
	return { ...one, ...Object.fromEntries(both) };
}

function findType(schema: Schema): Json | undefined {
	const { type } = schema;
	if (Array.isArray(type)) return type.find((each) => each !== "null") ?? null;
	if (type !== undefined) return type;
	if (["properties", "required", "additionalProperties"].some((word) => word in schema)) return "object";
	if (schema.format === "file") return "object";
	return "items" in schema || "prefixItems" in schema ? "array" : "string";
}

/** A file that does not exist: whoever runs it must choose one. */
function buildFile({ contentMediaType }: Schema): Json {
	const [first = ""] = typeof contentMediaType === "string" ? contentMediaType.split(",") : [];
	const wanted = first.trim();
	const type = wanted.includes("/") ? wanted.replace("/*", "/png") : "application/octet-stream";
	const name = wanted.startsWith(".") ? `file${wanted}` : "file";
	return { $file: "0000000000000000000000", name, type, size: 0 };
}

function buildText({ format, minLength = 0, maxLength = MAX_CHARACTERS }: Schema, nth: number): string {
	const plain = typeof format === "string" ? TEXTS[format] : undefined;
	if (plain !== undefined) return plain;
	const text = nth === 0 ? "text" : `${nth + 1} text`;
	return text
		.padEnd(Math.min(Number(minLength), MAX_CHARACTERS), "x")
		.slice(0, Math.max(0, Number(maxLength)));
}

function buildNumber(schema: Schema, whole: number | undefined, nth: number): number {
	const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
	const given = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : undefined;
	// Whole numbers are multiples of 0.5 too.
	const step = given === undefined || (whole !== undefined && whole % given === 0) ? whole : given;
	const low = Math.max(Number(minimum ?? -Infinity), Number(exclusiveMinimum ?? -Infinity));
	const high = Math.min(Number(maximum ?? Infinity), Number(exclusiveMaximum ?? Infinity));
	const isAllowed = (value: number) =>
		Number.isFinite(value) &&
		value >= low &&
		value <= high &&
		value !== exclusiveMinimum &&
		value !== exclusiveMaximum;
	if (step === undefined) {
		const middle = Number.isFinite(low) && Number.isFinite(high) ? (low + high) / 2 : NaN;
		const near = Number.isFinite(low) ? low + 1 : high - 1;
		return [1 + nth, low + nth, middle, near].find(isAllowed) ?? 0;
	}
	const start = Number.isFinite(low) ? Math.ceil(low / step) : Math.min(1, Math.floor(high / step));
	const first = isAllowed(1) && 1 % step === 0 ? 1 / step : start;
	const multiples = [0, 1, -1].map((more) => toMultiple(first + nth + more, step));
	return multiples.find(isAllowed) ?? toMultiple(start, step);
}

/** Without the digits that binary fractions add: 3 * 0.1 is 0.3. */
const toMultiple = (count: number, step: number): number =>
	Number.isInteger(step) ? count * step : Number((count * step).toPrecision(12));

const isObject = (value: unknown): value is { [name: string]: Json } =>
	typeof value === "object" && value !== null && !Array.isArray(value);
