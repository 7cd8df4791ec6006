import type { Json } from "@tripline/contract/json";
import type { ApiOperation, ApiRecipe } from "@tripline/contract/recipes";
import type { JsonObject } from "@tripline/contract/workflows";
import type { FoundOperation } from "@tripline/openapi/operations";
import type { Answers, Seen } from "../../packages/components/test/outbound/network.ts";
import { createSchemas, isObject, listTypes, type Schemas, toList } from "./schemas.ts";

/** The operation that is called next, and what its recipe leaves out. */
interface Expected {
	readonly found: FoundOperation;
	readonly recipe: ApiRecipe;
	readonly operation: ApiOperation;
	/** Whether the note of a recipe says that a part is left out. */
	isNoted(part: string): boolean;
	readonly isFull: boolean;
	/** Two pages. */
	readonly isPaged: boolean;
}

export interface Double {
	readonly answers: Answers;
	/** Whether the last answer is one that the description itself does not allow: it contradicts itself. */
	isContradictory(): boolean;
	expect(expected: Expected): void;
}

/** Headers that a client sets by itself, or that the credential sets. */
const OWN_HEADERS = ["accept", "content-type", "authorization", "host", "content-length", "accept-encoding"];

/** A server that accepts what a description allows, and answers with what it describes. */
export function createDouble(document: JsonObject): Double {
	const schemas = createSchemas(document);
	let expected: Expected | undefined;
	let isContradictory = false;
	return {
		isContradictory: () => isContradictory,
		expect(next) {
			expected = next;
		},
		async answers(seen) {
			if (isTokenRequest(seen))
				return toJson({ access_token: "t0ken", token_type: "bearer", expires_in: 600 });
			if (expected === undefined) return { status: 500, body: "nothing is expected" };
			const problem = await findProblem(seen, expected, schemas).catch((error: Error) => error.stack ?? "");
			if (problem !== null) return { status: 400, body: problem };
			const { isAllowed, ...given } = answer(seen, expected, schemas);
			isContradictory = !isAllowed;
			return given;
		},
	};
}

const isTokenRequest = ({ method, body }: Seen): boolean =>
	method === "POST" && body.toString().startsWith("grant_type=client_credentials");

const toJson = (value: unknown, headers: Record<string, string> = {}) => ({
	status: 200,
	headers: { "content-type": "application/json", ...headers },
	body: JSON.stringify(value),
});

async function findProblem(seen: Seen, expected: Expected, schemas: Schemas): Promise<string | null> {
	const { found, recipe } = expected;
	if (seen.method !== found.method) return `the method is ${seen.method}`;
	const url = new URL(seen.url);
	const base = new URL(recipe.base_url.replace(/\{\{[^}]*\}\}/g, "field")).pathname.replace(/\/$/, "");
	const values = matchPath(url.pathname, base, found.path);
	if (values === null) return `the path ${url.pathname} does not match ${base}${found.path}`;
	return (
		findParameterProblem(seen, url, values, expected, schemas) ??
		findAuthProblem(seen, recipe) ??
		(await findBodyProblem(seen, expected, schemas))
	);
}

function matchPath(pathname: string, base: string, path: string): Map<string, string> | null {
	const names: string[] = [];
	const [template = ""] = (base + path).split(/[?#]/);
	if (template.includes("}{")) return new Map();
	const pieces = template.split(/(\{[^{}]*\})/).map((piece) => {
		if (!/^\{.*\}$/.test(piece)) return RegExp.escape(safeDecode(piece));
		names.push(piece.slice(1, -1).replace(/^\+|\*$/g, ""));
		return "(.+)";
	});
	const match = new RegExp(`^${pieces.join("")}$`).exec(safeDecode(pathname).replace(/^$/, "/"));
	return match === null ? null : new Map(names.map((name, index) => [name, match[index + 1] ?? ""]));
}

function safeDecode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function findParameterProblem(
	seen: Seen,
	url: URL,
	pathValues: ReadonlyMap<string, string>,
	{ found, isNoted, recipe }: Expected,
	schemas: Schemas,
): string | null {
	const query = new Map(
		[...new Set(url.searchParams.keys())].map((key) => [key, url.searchParams.getAll(key)]),
	);
	const described = new Map<string, JsonObject>();
	for (const given of [...toList(found.item.parameters), ...toList(found.operation.parameters)]) {
		const parameter = schemas.resolve(given);
		if (parameter !== null) described.set(`${parameter.in} ${parameter.name}`, parameter);
	}
	for (const parameter of described.values()) {
		const name = String(parameter.name);
		const place = String(parameter.in);
		const schema = readSchema(parameter);
		const value =
			place === "path"
				? pathValues.get(name)
				: place === "query"
					? readQuery(query, name, parameter, schema, schemas)
					: readText(seen.headers[name.toLowerCase()]);
		const isOwn = place === "header" && OWN_HEADERS.includes(name.toLowerCase());
		if (value === undefined) {
			if (found.path.split("?")[1]?.includes(`{${name}}`) || found.path.includes("}{")) continue;
			const isMap = listTypes(schemas.flatten(schema)).includes("object");
			if (parameter.required === true && !isMap && !isOwn && place !== "cookie" && !isNoted(name))
				return `the required ${place} parameter ${name} is absent`;
			continue;
		}
		if (isOwn) continue;
		const mismatch = isObject(parameter.content)
			? null
			: schemas.findMismatch(
					place === "query" ? (value as Json) : coerce(value as string, schema, schemas),
					schema,
					name,
				);
		if (mismatch !== null && !isNoted(name)) return `${place}: ${mismatch}`;
	}
	for (const [name, value] of new URLSearchParams(found.path.split("?")[1] ?? "")) {
		const sent = query.get(name)?.[0];
		if (sent !== value && (sent === undefined || !value.includes("{")) && !isNoted(name))
			return `the path's own query ${name} is absent`;
		query.delete(name);
	}
	if (recipe.auth !== null) for (const [name, [value]] of query) if (value === CREDENTIAL) query.delete(name);
	query.delete(SECOND);
	const [unknown] = query.keys();
	return unknown === undefined ? null : `the query parameter ${unknown} is not described`;
}

const readText = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(",") : value);

const readSchema = ({ schema, content }: JsonObject): unknown =>
	isObject(content) ? (Object.values(content)[0] as JsonObject).schema : schema;

/** Takes the value of a parameter out of the query. */
function readQuery(
	query: Map<string, string[]>,
	name: string,
	parameter: JsonObject,
	schema: unknown,
	schemas: Schemas,
): Json | undefined {
	const style = parameter.style ?? "form";
	const explodes = parameter.explode ?? style === "form";
	const flat = schemas.flatten(schema);
	const options = [flat, ...toList(flat.oneOf), ...toList(flat.anyOf)].map((one) => schemas.flatten(one));
	const take = (key: string) => {
		const values = query.get(key);
		query.delete(key);
		return values;
	};
	if (isObject(parameter.content)) {
		const text = take(name)?.[0];
		return text === undefined ? undefined : (JSON.parse(text) as Json);
	}
	const list = options.find((one) => listTypes(one).includes("array"));
	if (list !== undefined && (query.has(name) || query.has(`${name}[]`))) {
		const values = take(name) ?? take(`${name}[]`) ?? [];
		const separator = style === "pipeDelimited" ? "|" : style === "spaceDelimited" ? " " : ",";
		const texts = explodes === true || style === "deepObject" ? values : (values[0] ?? "").split(separator);
		const isList = listTypes(flat).includes("array") || texts.length > 1;
		return isList
			? texts.map((text) => coerce(text, list.items, schemas))
			: coerce(texts[0] ?? "", schema, schemas);
	}
	const object = options.find((one) => listTypes(one).includes("object"));
	if (object !== undefined && !query.has(name)) {
		const value: JsonObject = {};
		for (const [key, property] of Object.entries((object.properties ?? {}) as JsonObject)) {
			const sent = style === "deepObject" ? `${name}[${key}]` : key;
			if (style === "deepObject" && [...query.keys()].some((one) => one.startsWith(`${sent}[`))) {
				value[key] = readQuery(query, sent, parameter, property, schemas) ?? null;
				continue;
			}
			const texts = take(sent);
			if (texts === undefined) continue;
			const isList = listTypes(schemas.flatten(property)).includes("array");
			value[key] = isList
				? texts.map((text) => coerce(text, schemas.flatten(property).items, schemas))
				: coerce(texts[0] ?? "", property, schemas);
		}
		return Object.keys(value).length === 0 ? undefined : value;
	}
	const text = take(name)?.[0];
	return text === undefined ? undefined : coerce(text, schema, schemas);
}

/** A text as the value that its schema asks for. */
function coerce(text: string, schema: unknown, schemas: Schemas): Json {
	const flat = schemas.flatten(schema);
	const types = [flat, ...toList(flat.oneOf), ...toList(flat.anyOf)].flatMap((one) =>
		listTypes(schemas.flatten(one)),
	);
	if (types.includes("string")) return text;
	if (types.includes("array") && !text.startsWith("["))
		return text.split(",").map((one) => coerce(one, flat.items, schemas));
	if (/^-?[0-9.]+(?:e[+-]?\d+)?$/i.test(text) && (types.includes("integer") || types.includes("number")))
		return Number(text);
	if ((text === "true" || text === "false") && types.includes("boolean")) return text === "true";
	if (types.includes("object") || types.includes("array") || types.length === 0)
		try {
			return JSON.parse(text) as Json;
		} catch {
			return text;
		}
	return text;
}

/** What the credential of the calls holds in each of its fields. */
export const CREDENTIAL = "s3cret";

function findAuthProblem({ wire }: Seen, { auth }: ApiRecipe): string | null {
	const spellings = [CREDENTIAL, "t0ken", Buffer.from(`${CREDENTIAL}:${CREDENTIAL}`).toString("base64")];
	return auth === null || spellings.some((one) => wire.includes(one)) ? null : "the credential is absent";
}

async function findBodyProblem(
	{ body, headers }: Seen,
	{ found, isNoted }: Expected,
	schemas: Schemas,
): Promise<string | null> {
	const described = schemas.resolve(found.operation.requestBody);
	const content = (described?.content ?? {}) as JsonObject;
	if (body.length === 0 && headers["content-type"] === undefined) {
		const isExpected = described?.required === true && Object.keys(content).length > 0;
		return isExpected && !isNoted("requestBody") ? "the body is absent" : null;
	}
	if (described === null) return `a body is sent: ${body.toString().slice(0, 80)}`;
	const type = (headers["content-type"] ?? "").split(";")[0] as string;
	const [, media] =
		Object.entries(content).find(([one]) => (one.split(";")[0] as string).trim().toLowerCase() === type) ??
		Object.entries(content).find(([one]) => one.includes("*")) ??
		[];
	if (!isObject(media)) return `the type ${type} is not described`;
	const schema = schemas.flatten(media.schema);
	const listProblem = (names: readonly string[]) => {
		const tops = new Set(names.map((name) => name.split("[")[0] as string));
		const absent = toList(schema.required).find(
			(name) =>
				described.required === true &&
				!tops.has(String(name)) &&
				!isNoted(String(name)) &&
				!isReadOnly(schema, String(name), schemas) &&
				!isMap(schema, String(name), schemas),
		);
		if (absent !== undefined) return `the field ${absent} is absent`;
		const properties = Object.keys((schema.properties ?? {}) as JsonObject);
		const unknown = [...tops].find(
			(name) => !properties.includes(name) && !properties.some((one) => one.startsWith(name)),
		);
		return unknown === undefined ? null : `the field ${unknown} is not described`;
	};
	if (/json/.test(type)) {
		const value = JSON.parse(body.toString()) as Json;
		const problem = schemas.findMismatch(value, media.schema, "body");
		if (problem === null || (/is not listed/.test(problem) && isNoted("values, which are left out")))
			return null;
		const own = schemas.build(media.schema, { isFull: true, direction: "request" });
		if (schemas.findMismatch(own, media.schema) !== null) return null;
		// A body that is not required is sent without its required parts if no parameter is given.
		if (described.required !== true && / lacks /.test(problem)) return null;
		return isNoted("requestBody") && / fits none | lacks | has 0 members/.test(problem) ? null : problem;
	}
	if (type === "application/x-www-form-urlencoded")
		return listProblem([...new URLSearchParams(body.toString()).keys()]);
	if (type === "multipart/form-data") {
		const form = await new Response(new Uint8Array(body), {
			headers: { "content-type": headers["content-type"] ?? "" },
		}).formData();
		return listProblem([...form.keys()]);
	}
	return null;
}

/** An object without members is nothing in a form. */
const isMap = ({ properties }: JsonObject, name: string, schemas: Schemas): boolean =>
	listTypes(schemas.flatten((properties as JsonObject | undefined)?.[name])).includes("object");

const isReadOnly = ({ properties }: JsonObject, name: string, schemas: Schemas): boolean =>
	schemas.flatten((properties as JsonObject | undefined)?.[name]).readOnly === true;

function answer(seen: Seen, { found, operation, isFull, isPaged }: Expected, schemas: Schemas) {
	const responses = (found.operation.responses ?? {}) as JsonObject;
	const statuses = Object.keys(responses)
		.filter((one) => /^2(?:\d\d|XX)$/i.test(one))
		.sort();
	const key = statuses[0] ?? (responses.default === undefined ? undefined : "default");
	const described = key === undefined ? null : schemas.resolve(responses[key]);
	const status = /^\d+$/.test(key ?? "") ? Number(key) : 200;
	const content = Object.entries((described?.content ?? {}) as JsonObject);
	const accepted = seen.headers.accept ?? "application/json";
	const [type = "", media] =
		content.find(([one]) => accepted.includes((one.split(";")[0] as string).toLowerCase())) ??
		content[0] ??
		[];
	if (!isObject(media)) return { status: key === undefined ? 200 : status, isAllowed: true };
	const headers = { "content-type": type.includes("*") ? "application/json" : type };
	if (!/json|\*/.test(type) && !/\//.test(type)) return { status: 204, isAllowed: true };
	if (!/json|\*/.test(type)) return { status, headers, body: "some text", isAllowed: true };
	const value = schemas.build(media.schema, { isFull, direction: "response" });
	const isAllowed = schemas.findMismatch(value, media.schema) === null;
	if (!isPaged) return { status, headers, body: JSON.stringify(value), isAllowed };
	return {
		status,
		isAllowed,
		...buildPage(seen, value, operation),
		headers: { ...headers, ...buildLink(seen, operation) },
	};
}

/** In the address of a linked page. */
const SECOND = "second-page";

const isSecond = ({ url }: Seen, { paginate }: ApiOperation): boolean => {
	if (paginate === undefined) return false;
	const { searchParams } = new URL(url);
	if (paginate.by === "link") return searchParams.has(SECOND);
	const given = searchParams.get("param" in paginate ? (paginate.param ?? "") : "");
	return paginate.by === "page"
		? given !== null && Number(given) !== paginate.start
		: given === "second" || given === "a";
};

function buildLink(seen: Seen, { paginate }: ApiOperation): Record<string, string> {
	if (paginate?.by !== "link" || paginate.url !== undefined || isSecondLink(seen)) return {};
	return { link: `<${buildNext(seen)}>; rel="next"` };
}

const isSecondLink = ({ url }: Seen): boolean => new URL(url).searchParams.has(SECOND);

function buildNext({ url }: Seen): string {
	const next = new URL(url);
	next.searchParams.set(SECOND, "1");
	return next.href;
}

function buildPage(seen: Seen, value: Json, operation: ApiOperation): { body: string } {
	const { paginate } = operation;
	const isLast = isSecond(seen, operation);
	const page = structuredClone(value);
	const set = (path: string | undefined, one: Json) => {
		if (path === undefined) return;
		const steps = path.split(".");
		const last = steps.pop() as string;
		let at = page as JsonObject;
		for (const step of steps) {
			if (!isObject(at[step])) at[step] = {};
			at = at[step] as JsonObject;
		}
		at[last] = one;
	};
	if (paginate?.by === "cursor") {
		if ("cursor" in paginate) set(paginate.cursor, isLast ? "" : "second");
		if ("more" in paginate) set(paginate.more, !isLast);
		if ("last" in paginate && paginate.last !== undefined)
			set(paginate.items, [{ [paginate.last]: isLast ? "b" : "a" }]);
	}
	if (paginate?.by === "page") {
		const items = isLast ? [] : Array.from({ length: paginate.size ?? 1 }, () => ({}));
		if (paginate.items === undefined) return { body: JSON.stringify(items) };
		set(paginate.items, items);
	}
	if (paginate?.by === "link" && paginate.url !== undefined)
		set(paginate.url, isLast ? null : buildNext(seen));
	return { body: JSON.stringify(page) };
}
