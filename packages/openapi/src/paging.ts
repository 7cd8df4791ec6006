import type { ApiOperation } from "@tripline/contract/recipes";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Request } from "./request.ts";
import type { ReadResponse } from "./response.ts";
import { isObject, toObject } from "./values.ts";

type Paginate = NonNullable<ApiOperation["paginate"]>;

/** Query parameters that take a cursor, with the fields of a response that return the next one. */
const CURSORS: readonly (readonly [param: RegExp, field: RegExp])[] = [
	[/^cursor$/, /^(?:next_?cursor|cursor_?next|next|cursor)$/i],
	[/^start_?cursor$/i, /^next_?cursor$/i],
	[/^pagination_?token$/i, /^next_?token$/i],
	[/^marker$/i, /^next_?marker$/i],
	[/^continue$/, /^continue$/],
	[/^(?:page_?token|nextpagetoken)$/i, /^next_?page_?token$/i],
	[/^next_?token$/i, /^next_?token$/i],
	[/^next_?cursor$/i, /^next_?cursor$/i],
];
/** Objects in a response that describe the page. */
const ABOUT = /^(?:meta|metadata|response_metadata|paging|pagination|page_?info|_?links?)$/i;
/** Fields of a response with the address of the next page. */
const ADDRESSES = /^(?:next_?(?:page_?)?(?:ur[il]|link|href))$/i;
const ODATA = "@odata.nextLink";
const TOTALS =
	/^(?:total|total_?(?:count|pages|items|results)|count|page|page_?count|pages|next_?page|last_?page|has_?more|has_?next)$/i;
const SIZES = /^(?:per_?page|page_?size|limit|size|max_?results|take|\$top)$/i;
const OFFSETS = /^(?:offset|start_?at|skip|\$skip)$/i;
const MAX_SIZE = 1_000;

/** How pages are read, if the description leaves no doubt. */
export function findPaging(method: string, request: Request, response: ReadResponse): Paginate | undefined {
	if (response.kind !== "json" || method !== "GET") return undefined;
	const items = findItems(response.schema);
	if (items === null) return undefined;
	const at = items === "" ? {} : { items };
	if (response.headers.has("link")) return { by: "link", ...at };
	return (
		findCursor(request, response.schema, items) ??
		findAddress(response.schema, at) ??
		findLast(request, response.schema, items) ??
		findNumber(request, response.schema, at)
	);
}

/** The path of the only list in a response, empty if it is the response itself; null if there is none, or several. */
function findItems(schema: JsonObject): string | null {
	if (hasType(schema, "array")) return "";
	const lists = Object.entries(toObject(schema.properties)).filter(
		([name, one]) => isName(name) && isObject(one) && hasType(one, "array"),
	);
	const [only, another] = lists;
	return only === undefined || another !== undefined ? null : only[0];
}

function findCursor(
	{ queryNames, params }: Request,
	schema: JsonObject,
	items: string,
): Paginate | undefined {
	for (const [param, field] of CURSORS) {
		const name = [...queryNames.keys()].find((one) => param.test(one));
		if (name === undefined || items === "" || !isText(params, queryNames.get(name))) continue;
		const cursor = findField(schema, field, ["string"]);
		if (cursor !== null) return { by: "cursor", cursor, optional: true, param: name, items };
	}
	return undefined;
}

/** The address of the next page in the body. */
function findAddress(schema: JsonObject, at: { items?: string }): Paginate | undefined {
	const properties = toObject(schema.properties);
	if (hasType(toObject(properties[ODATA]), "string"))
		return { by: "link", url: `[${JSON.stringify(ODATA)}]`, ...at };
	const named = findField(schema, ADDRESSES, ["string"]);
	if (named !== null) return { by: "link", url: named, ...at };
	for (const key of ["links", "_links"]) {
		const { next } = toObject(toObject(properties[key]).properties);
		if (hasType(toObject(next), "string")) return { by: "link", url: `${key}.next`, ...at };
		if (hasType(toObject(toObject(toObject(next).properties).href), "string"))
			return { by: "link", url: `${key}.next.href`, ...at };
	}
	return undefined;
}

/** Stripe and those who follow it: the id of the last item. */
function findLast({ queryNames }: Request, schema: JsonObject, items: string): Paginate | undefined {
	if (!queryNames.has("starting_after") || items === "") return undefined;
	const properties = toObject(schema.properties);
	const item = toObject(toObject(properties[items]).items);
	const hasId =
		Object.keys(item).length === 0 ||
		Object.hasOwn(toObject(item.properties), "id") ||
		item.anyOf !== undefined ||
		item.properties === undefined;
	if (!hasId || !hasType(toObject(properties.has_more), "boolean")) return undefined;
	return { by: "cursor", last: "id", more: "has_more", param: "starting_after", items };
}

function findNumber(
	{ queryNames, params }: Request,
	schema: JsonObject,
	at: { items?: string },
): Paginate | undefined {
	const properties = toObject(params.properties);
	const isWhole = (name: string) => hasType(toObject(properties[queryNames.get(name) ?? ""]), "integer");
	const isTold =
		at.items === undefined || findField(schema, TOTALS, ["integer", "number", "boolean", "string"]) !== null;
	if (!isTold) return undefined;
	if (queryNames.has("page") && isWhole("page")) {
		const { default: first, minimum } = toObject(properties[queryNames.get("page") ?? ""]);
		const start = typeof first === "number" ? first : minimum === 0 ? undefined : 1;
		return start === undefined || start > 1 || start < 0
			? undefined
			: { by: "page", param: "page", start, ...at };
	}
	const size = [...queryNames.keys()].find((name) => SIZES.test(name) && isWhole(name));
	const offset = [...queryNames.keys()].find((name) => OFFSETS.test(name) && isWhole(name));
	if (offset === undefined || size === undefined) return undefined;
	const { default: usual } = toObject(properties[queryNames.get(size) ?? ""]);
	if (typeof usual !== "number" || usual < 1 || usual > MAX_SIZE) return undefined;
	const { default: start = 0 } = toObject(properties[queryNames.get(offset) ?? ""]);
	if (start !== 0 && start !== 1) return undefined;
	return { by: "page", param: offset, start, step: usual, size_param: size, size: usual, ...at };
}

/** The path of a field, at the top or in an object about the page. */
function findField(schema: JsonObject, name: RegExp, types: readonly string[]): string | null {
	const fits = (one: unknown) => isObject(one) && types.some((type) => hasType(one, type));
	const properties = Object.entries(toObject(schema.properties));
	for (const [key, one] of properties) if (isName(key) && name.test(key) && fits(one)) return key;
	for (const [key, one] of properties) {
		if (!isName(key) || !ABOUT.test(key)) continue;
		for (const [inner, value] of Object.entries(toObject(toObject(one).properties)))
			if (isName(inner) && name.test(inner) && fits(value)) return `${key}.${inner}`;
	}
	return null;
}

/** Names that a path can have without quotes. */
const isName = (name: string): boolean => /^[A-Za-z_]\w{0,63}$/.test(name);

const hasType = ({ type, anyOf }: JsonObject, wanted: string): boolean =>
	type === wanted ||
	(Array.isArray(type) && type.includes(wanted) && type.every((one) => one === wanted || one === "null")) ||
	(Array.isArray(anyOf) &&
		anyOf.length > 0 &&
		anyOf.every((one) => isObject(one) && (one.type === "null" || hasType(one, wanted))) &&
		anyOf.some((one) => isObject(one) && hasType(one, wanted)));

const isText = (params: JsonObject, key: string | undefined): boolean =>
	hasType(toObject(toObject(params.properties)[key ?? ""]), "string");
