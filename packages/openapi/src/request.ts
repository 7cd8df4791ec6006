import type { Json } from "@tripline/contract/json";
import type { ApiOperation } from "@tripline/contract/recipes";
import { type JsonObject, nodeSettings } from "@tripline/contract/workflows";
import { chooseBody, isFileSchema } from "./media-types.ts";
import { makeUnique, toParameterName } from "./names.ts";
import type { FoundOperation } from "./operations.ts";
import type { Resolver } from "./resolver.ts";
import { type Detail, hasAlternatives, listRequired, listUndescribed, readTypes, Schemas } from "./schema.ts";
import { isObject, toList, toObject, toText } from "./values.ts";

type Body = NonNullable<ApiOperation["body"]>;
type Part = Extract<Body, { kind: "multipart" }>["parts"][number];

export interface Request {
	readonly path: string;
	readonly params: JsonObject;
	readonly query: JsonObject;
	readonly headers: Record<string, string>;
	readonly body: Body | undefined;
	/** Names of the parameters in the recipe by their names in the query. */
	readonly queryNames: ReadonlyMap<string, string>;
}

/** Parameters that the auth recipe sets, as `query:key` or `header:x-key`. */
export type AuthPlaces = ReadonlySet<string>;

type Place = "path" | "query" | "header" | "body";

const FILE: JsonObject = { type: "object", format: "file" };
const MAX_PARAMETERS = 150;
const MAX_PARTS = 50;
const MAX_MEMBER_DEPTH = 3;
/** Names that every node has, and the one that reads pages. */
const RESERVED: ReadonlySet<string> = new Set([...Object.keys(nodeSettings), "component", "paginate"]);
/** The service itself or the auth recipe sets them. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);
const REFUSED_HEADERS =
	/^(?:connection|content-length|cookie2?|set-cookie|expect|host|http2-settings|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|accept-encoding)$/;

/** The request of an operation: each parameter and each part of the body becomes a parameter of the recipe's operation. */
export class RequestBuilder {
	readonly #resolver: Resolver;
	readonly #schemas: Schemas;
	readonly #found: FoundOperation;
	readonly #auth: AuthPlaces;
	readonly #properties: JsonObject = {};
	readonly #required: string[] = [];
	readonly #query: JsonObject = {};
	readonly #headers: Record<string, string> = {};
	readonly #queryNames = new Map<string, string>();
	readonly #pathNames = new Map<string, { readonly name: string; readonly hasSlashes: boolean }>();

	constructor(resolver: Resolver, found: FoundOperation, detail: Detail, auth: AuthPlaces) {
		this.#resolver = resolver;
		this.#schemas = new Schemas(resolver, detail, "request");
		this.#found = found;
		this.#auth = auth;
	}

	build(): Request {
		const given = this.#listParameters();
		for (const place of ["path", "query", "header"] as const)
			for (const parameter of given.filter((one) => one.in === place)) this.#addParameter(parameter, place);
		const path = this.#buildPath();
		const body = this.#buildBody();
		const params: JsonObject = { type: "object", properties: this.#properties };
		if (this.#required.length > 0) params.required = this.#required;
		return { path, params, query: this.#query, headers: this.#headers, body, queryNames: this.#queryNames };
	}

	#note(place: string, message: string): void {
		this.#resolver.notes.add(`${this.#found.place}${place}`, message);
	}

	/** Those of the operation replace those of its path with the same name and place. */
	#listParameters(): JsonObject[] {
		const { item, operation, place } = this.#found;
		const found = new Map<string, JsonObject>();
		for (const list of [toList(item.parameters), toList(operation.parameters)])
			for (const [index, given] of list.slice(0, MAX_PARAMETERS).entries()) {
				const resolved = this.#resolver.resolve(given, `${place}.parameters.${index}`);
				if (resolved === null) continue;
				const { name, in: where } = resolved.value;
				found.set(`${toText(where)}:${toText(name)}`, resolved.value);
			}
		if (toList(operation.parameters).length > MAX_PARAMETERS)
			this.#note(".parameters", `are more than ${MAX_PARAMETERS}; the others are left out`);
		for (const one of found.values())
			if (one.in === "cookie")
				this.#note(`.parameters.${toText(one.name)}`, "is a cookie, which recipes cannot send");
		return [...found.values()];
	}

	/** Adds a parameter of the recipe's operation and returns its name. */
	#addProperty(name: string, place: Place, schema: JsonObject, isRequired: boolean): string {
		const plain = toParameterName(name);
		const isTaken = (one: string) =>
			RESERVED.has(one) || one in Object.prototype || Object.hasOwn(this.#properties, one);
		const unique = isTaken(plain) ? makeUnique(`${plain}_${place}`.slice(-64), isTaken) : plain;
		if (unique !== plain)
			this.#note(
				`.${name}`,
				RESERVED.has(plain)
					? `is the parameter ${unique}: every node has a setting ${plain}`
					: `is at several places; the one in the ${place} is the parameter ${unique}`,
			);
		this.#properties[unique] = schema;
		if (isRequired && schema.default === undefined) this.#required.push(unique);
		return unique;
	}

	#dropProperty(name: string, key: string): void {
		delete this.#properties[key];
		const at = this.#required.indexOf(key);
		if (at !== -1) this.#required.splice(at, 1);
		this.#note(`.${name}`, "has no part that recipes can send");
	}

	#addParameter(parameter: JsonObject, place: "path" | "query" | "header"): void {
		const name = toText(parameter.name);
		const at = `${this.#found.place}.${place}.${name}`;
		if (name === "" || name.length > 200) return;
		if (place === "header" && OWN_HEADERS.has(name.toLowerCase())) return;
		if (place === "header" && REFUSED_HEADERS.test(name.toLowerCase())) {
			this.#resolver.notes.add(at, "is a header that recipes cannot send");
			return;
		}
		if (this.#auth.has(`${place}:${place === "header" ? name.toLowerCase() : name}`)) return;
		const [media = null] = isObject(parameter.content) ? Object.values(parameter.content) : [];
		const given = media === null ? parameter.schema : toObject(media).schema;
		const schema = this.#schemas.convert(given, at);
		const description = toText(parameter.description);
		if (description !== "") {
			const { description: own } = this.#schemas.convert({ description }, at);
			if (own !== undefined) schema.description = own;
		}
		if (place === "path") {
			this.#addToPath(name, schema, toObject(given));
			return;
		}
		const isRequired = parameter.required === true;
		if (place === "header") {
			this.#addToHeaders(name, schema, isRequired);
			return;
		}
		this.#addToQuery(name, schema, parameter, isRequired, media !== null);
	}

	#addToPath(name: string, schema: JsonObject, given: JsonObject): void {
		const { type, enum: values } = schema;
		const types = Array.isArray(type) ? type.filter((one) => one !== "null") : [type];
		const isPlainType = (one: Json | undefined) => one === "string" || one === "integer" || one === "number";
		const isPlain = types.every(isPlainType);
		const { anyOf } = schema;
		const isListed =
			type === undefined &&
			((Array.isArray(anyOf) && anyOf.every((one) => isPlainType(toObject(one).type))) ||
				(Array.isArray(values) && values.every((one) => one !== null && typeof one !== "boolean")));
		const fit: JsonObject =
			isPlain && types.length > 0
				? { ...schema, type: types.length === 1 ? (types[0] as string) : types }
				: { ...schema };
		if (!isPlain && !isListed) {
			for (const key of Object.keys(fit)) if (key !== "description") delete fit[key];
			fit.type = "string";
			if (type !== undefined || anyOf !== undefined)
				this.#note(`.${name}`, "is not a text or a number in the path; it is given as text");
		}
		if (isPlain && fit.anyOf !== undefined) delete fit.anyOf;
		delete fit.default;
		// Names of Google's resources contain slashes, and only the pattern tells.
		const hasSlashes = /[^\\^[]\/|\\\//.test(toText(given.pattern).slice(0, 500));
		this.#pathNames.set(name, { name: this.#addProperty(name, "path", fit, true), hasSlashes });
	}

	#addToHeaders(name: string, schema: JsonObject, isRequired: boolean): void {
		if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name)) {
			this.#note(`.${name}`, "is not a valid header name");
			return;
		}
		if (includesType(schema, "object")) {
			this.#note(`.${name}`, "is an object in a header, which recipes cannot send");
			return;
		}
		const key = this.#addProperty(name, "header", schema, isRequired);
		this.#headers[name.toLowerCase()] = includesType(schema, "array")
			? `{{params.${key} | join(",")}}`
			: `{{params.${key}}}`;
	}

	#addToQuery(
		name: string,
		schema: JsonObject,
		parameter: JsonObject,
		isRequired: boolean,
		isJson: boolean,
	): void {
		if (name.includes("{{")) {
			this.#note(`.${name}`, "has a name that recipes cannot send");
			return;
		}
		const style = toText(parameter.style) || "form";
		const explodes =
			parameter.explode === undefined
				? style === "form" || style === "deepObject"
				: parameter.explode === true;
		const isList = includesType(schema, "array");
		const isMap = includesType(schema, "object");
		const properties = isObject(schema.properties) ? Object.keys(schema.properties) : [];
		if (isMap && !isList && !isJson && !(style === "deepObject" || (style === "form" && explodes))) {
			this.#note(`.${name}`, `is an object in the style ${style}, which recipes cannot send`);
			return;
		}
		if (isMap && !isList && !isJson && properties.length === 0) {
			this.#note(`.${name}`, "is an object of unknown parts in the query, which recipes cannot send");
			return;
		}
		const key = this.#addProperty(name, "query", schema, isRequired);
		const before = Object.keys(this.#query).length;
		if (isMap && !isList && !isJson) {
			for (const property of properties) {
				const sent = style === "deepObject" ? `${name}[${property}]` : property;
				const inner = toObject(toObject(schema.properties)[property]);
				this.#addMember(sent, `params.${key}[${JSON.stringify(property)}]`, inner, style === "deepObject");
			}
			if (Object.keys(this.#query).length === before) this.#dropProperty(name, key);
			return;
		}
		this.#queryNames.set(name, key);
		if (isJson) this.#query[name] = `{{params.${key} | json}}`;
		else if (isList && style === "deepObject") this.#query[`${name}[]`] = `{{params.${key}}}`;
		else if (isList && !includesScalar(schema) && !explodes)
			this.#query[name] = `{{params.${key} | join(${JSON.stringify(SEPARATORS[style] ?? ",")})}}`;
		else this.#query[name] = `{{params.${key}}}`;
	}

	/** A member of an object in the query. Objects within it are sent as `name[member][inner]` if they are described. */
	#addMember(sent: string, reads: string, schema: JsonObject, isDeep: boolean, depth = 1): void {
		if (/\{\{|\}\}/.test(sent)) return;
		const objects = [schema, ...toList(schema.anyOf)].filter(isObject);
		const { properties } = objects.find((one) => isObject(one.properties)) ?? {};
		const isNested = includesType(schema, "object");
		const isListOfObjects = objects.some(({ items }) => isObject(items) && includesType(items, "object"));
		if (!isNested && !isListOfObjects) {
			this.#query[sent] = `{{${reads}}}`;
			return;
		}
		if (!isDeep || !isNested || !isObject(properties) || depth > MAX_MEMBER_DEPTH) {
			this.#note(`.${sent}`, "is nested in the query in a way that recipes cannot send");
			return;
		}
		for (const [name, inner] of Object.entries(this.#resolver.pass(properties)))
			this.#addMember(
				`${sent}[${name}]`,
				`${reads}[${JSON.stringify(name)}]`,
				toObject(inner),
				isDeep,
				depth + 1,
			);
	}

	/** A query in the path is sent as one, and a fragment is never sent. */
	#buildPath(): string {
		const [whole = ""] = this.#found.path.split("#");
		if (whole !== this.#found.path) this.#note("", "has # in its path; what follows is not sent");
		const [path = "", search = ""] = whole.split("?");
		for (const pair of search === "" ? [] : search.split("&").slice(0, MAX_PARAMETERS)) {
			const [name = "", value = ""] = pair.split("=", 2);
			if (name === "" || this.#query[name] !== undefined) continue;
			if (!/[{}]/.test(pair)) this.#query[name] = value;
			else if (/^\{[^{}]*\}$/.test(value) && !/[{}]/.test(name))
				this.#query[name] = `{{params.${this.#findPathName(value.slice(1, -1)).name}}}`;
			else this.#note(`.${pair}`, "is a part of the query that recipes cannot send");
		}
		return path
			.split(/(\{[^{}]*\})/)
			.map((piece) =>
				/^\{.*\}$/.test(piece) ? this.#buildPlaceholder(piece.slice(1, -1)) : encodeLiteral(piece),
			)
			.join("");
	}

	#buildPlaceholder(written: string): string {
		const known = this.#findPathName(written.replace(/^\+/, "").replace(/\*$/, ""));
		return `{${known.hasSlashes || written.startsWith("+") ? "+" : ""}${known.name}}`;
	}

	#findPathName(given: string): { readonly name: string; readonly hasSlashes: boolean } {
		const known = this.#pathNames.get(given);
		if (known !== undefined) return known;
		this.#note(`.${given}`, "is in the path, but is no parameter; it is given as text");
		const added = { name: this.#addProperty(given, "path", { type: "string" }, true), hasSlashes: false };
		this.#pathNames.set(given, added);
		return added;
	}

	#buildBody(): Body | undefined {
		const { operation, method, place } = this.#found;
		const at = `${place}.requestBody`;
		if (operation.requestBody === undefined) return undefined;
		const resolved = this.#resolver.resolve(operation.requestBody, at);
		if (resolved === null) return undefined;
		const { content, required } = resolved.value;
		const chosen = chooseBody(this.#resolver.pass(toObject(content)));
		if (chosen !== null && isEmptyForm(chosen.media)) return undefined;
		if (method === "GET" || method === "HEAD") {
			this.#resolver.notes.add(at, `cannot be sent with ${method}`);
			return undefined;
		}
		if (chosen === null) {
			if (Object.keys(toObject(content)).length > 0)
				this.#resolver.notes.add(at, "has no type that recipes can send");
			return undefined;
		}
		const { kind, type, media } = chosen;
		const isRequired = required === true;
		const schema = this.#schemas.flatten(media.schema, at);
		if (kind === "file") {
			const file = this.#addProperty("file", "body", { ...FILE }, isRequired);
			if (!type.includes("*")) this.#headers["content-type"] = type;
			return { kind: "file", file: `{{params.${file}}}` };
		}
		if (kind === "text") {
			const text = this.#addProperty("body", "body", { type: "string" }, isRequired);
			return { kind: "text", text: `{{params.${text}}}`, content_type: type };
		}
		const described = isObject(schema.properties) ? Object.keys(this.#resolver.pass(schema.properties)) : [];
		const needed = listRequired(schema);
		const names = described.length === 0 ? [] : [...described, ...listUndescribed(schema, needed)];
		const needsOneOf = hasAlternatives(schema) && this.#hasOnlyRequired(schema);
		const isOpen =
			names.length === 0 || names.length > MAX_PARAMETERS || (hasAlternatives(schema) && !needsOneOf);
		if (!isOpen && typeof schema.minProperties === "number" && schema.minProperties > 0)
			this.#resolver.notes.add(at, "needs some of its fields: minProperties is not checked");
		if (!isOpen && needsOneOf)
			this.#resolver.notes.add(at, "needs one of several sets of fields, which is not checked");
		if (kind === "json" && type !== "application/json" && !type.includes("*"))
			this.#headers["content-type"] = type;
		if (isOpen && kind === "json") {
			const whole = this.#schemas.convert(media.schema, at);
			const name = this.#addProperty("body", "body", whole, isRequired);
			return { kind: "json", value: `{{params.${name}}}` };
		}
		if (isOpen && names.length === 0) {
			this.#resolver.notes.add(at, "is a form whose fields are not described");
			return undefined;
		}
		return this.#buildFields(
			kind,
			schema,
			names.slice(0, MAX_PARAMETERS),
			toObject(media.encoding),
			isRequired,
		);
	}

	/** Whether the alternatives of a body say only which of its fields are needed. */
	#hasOnlyRequired(schema: JsonObject): boolean {
		return [...toList(schema.anyOf), ...toList(schema.oneOf)].every((one) => {
			this.#resolver.meter.spend(10);
			return isObject(one) && Object.keys(one).every((key) => key === "required" || key === "title");
		});
	}

	#buildFields(
		kind: "json" | "form" | "multipart",
		schema: JsonObject,
		names: readonly string[],
		encoding: JsonObject,
		isRequired: boolean,
	): Body | undefined {
		const required = isRequired ? new Set(listRequired(schema)) : new Set<string>();
		const value: JsonObject = {};
		const parts: Part[] = [];
		for (const name of names) {
			const at = `${this.#found.place}.requestBody.${name}`;
			const given = toObject(schema.properties)[name];
			const flat = this.#schemas.flatten(given, at);
			if (flat.readOnly === true) continue;
			if (name.includes("{{") || name.length > 200) continue;
			const isFile = kind === "multipart" && isFileSchema(flat, this.#schemas, at);
			const converted: JsonObject = isFile ? { ...FILE } : this.#schemas.convert(given, at);
			if (isFile && readTypes(flat).includes("array"))
				this.#resolver.notes.add(at, "takes several files; one can be sent");
			if (isFile) {
				const { description } = this.#schemas.convert({ description: flat.description ?? "" }, at);
				if (description !== undefined) converted.description = description;
			}
			const key = this.#addProperty(name, "body", converted, required.has(name));
			const reads = `{{params.${key}}}`;
			if (kind === "multipart") {
				const isNested = includesType(converted, "object") || includesType(converted, "array");
				if (parts.length < MAX_PARTS)
					parts.push(
						isFile ? { name, file: reads } : isNested ? { name, json: reads } : { name, text: reads },
					);
			} else value[kind === "form" && isDeepList(converted, encoding[name]) ? `${name}[]` : name] = reads;
		}
		if (kind === "multipart") return parts.length === 0 ? undefined : { kind, parts };
		return kind === "json" ? { kind, value } : { kind, fields: value };
	}
}

/** A form without fields: there is nothing to send. */
const isEmptyForm = ({ schema }: JsonObject): boolean => {
	const { properties, additionalProperties, required, allOf, oneOf, anyOf } = toObject(schema);
	const has = [additionalProperties, required, allOf, oneOf, anyOf].some(
		(one) => one !== undefined && one !== false,
	);
	return !has && isObject(properties) && Object.keys(properties).length === 0;
};

const SEPARATORS: Readonly<Record<string, string>> = { form: ",", spaceDelimited: " ", pipeDelimited: "|" };

const isDeepList = (schema: JsonObject, encoding: Json | undefined): boolean =>
	includesType(schema, "array") && toObject(encoding).style === "deepObject";

/** Whether values of this type are allowed, directly or as an alternative. */
function includesType({ type, anyOf }: JsonObject, wanted: string): boolean {
	if (type === wanted || (Array.isArray(type) && type.includes(wanted))) return true;
	return Array.isArray(anyOf) && anyOf.some((one) => isObject(one) && includesType(one, wanted));
}

const includesScalar = (schema: JsonObject): boolean =>
	["string", "number", "integer", "boolean"].some((type) => includesType(schema, type));

/** Characters that a path cannot have are encoded. */
const encodeLiteral = (text: string): string =>
	text.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]|%(?![0-9A-Fa-f]{2})|%2[eE]/g, (letter) =>
		letter.length === 3 ? "." : encodeURIComponent(letter.toWellFormed()),
	);
