import {
	badge,
	type Entry,
	frame,
	type Html,
	html,
	joined,
	limitsOf,
	PAGE_HEADERS,
	type Piece,
	pathOf,
	prose,
	table,
} from "./docs-style.ts";
import type { JsonSchema, OpenApi, Operation, Parameter } from "./openapi.ts";

/** What a schema is read with. `shown` keeps a listing finite: a reference is spelled out once. */
interface Scope {
	readonly root: JsonSchema;
	readonly document: OpenApi;
	readonly mark: "required" | "optional";
	readonly shown: Map<string, boolean>;
}
type Content = NonNullable<Operation["requestBody"]>["content"];

const MAX_DEPTH = 8;
const JSON_TYPES = ["string", "number", "boolean", "null", "array", "object"];
const TEXTS = new Map([
	["uuid", "0190a6b2-7c1d-7e3f-9a4b-5c6d7e8f9a0b"],
	["date-time", "2026-01-01T12:00:00Z"],
	["date", "2026-01-01"],
	["email", "name@example.com"],
	["uri", "https://example.com/"],
]);
const pages = new WeakMap<OpenApi, string>();

/** The document as a page without scripts, rendered once per document. */
export function docsPage(document: OpenApi): Response {
	let made = pages.get(document);
	made ??= frame(document.info, entriesOf(document), (entry) => article(entry, document)).text;
	pages.set(document, made);
	return new Response(made, { headers: PAGE_HEADERS });
}

const entriesOf = (document: OpenApi): Entry[] =>
	Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => {
			const id = operation.operationId.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-");
			return { id, method: method.toUpperCase(), path, operation };
		}),
	);

function article({ id, method, path, operation }: Entry, document: OpenApi): Html {
	const { parameters, requestBody, responses } = operation;
	return html`<article id="${id}" aria-labelledby="${id}-name">
<h3 id="${id}-name"><a href="#${id}">${operation.summary}</a></h3>
<p class="call">${badge(method)} <code>${pathOf(path)}</code>
<span class="access">${access(operation)}</span></p>
${operation.description?.split(/\n\s*\n/).map((text) => html`<p>${prose(text)}</p>`)}
${parameters.length > 0 && html`<h4>Parameters</h4>${parameterTable(parameters, document)}`}
${requestBody && html`<h4>Request body</h4>${contents(requestBody.content, [], "required", document)}`}
<h4>Responses</h4>
${Object.entries(responses).map(([status, { description, content = {} }]) => {
	const lead = html`<b class="status s${status.slice(0, 1)}">${status}</b> ${prose(description)} `;
	if (Object.keys(content).length === 0) return html`<p class="bare">${lead}</p>`;
	return contents(content, lead, "optional", document);
})}
<h4>Example</h4>
<pre><code>${curl(method, path, operation, document)}</code></pre>
</article>`;
}

function access({ security = [] }: Operation): string {
	if (security.length === 0) return "Open, no credential";
	const isFree = security.some((each) => Object.keys(each).length === 0);
	return isFree ? "Credential, if the service asks for one" : "Credential required";
}

function parameterTable(parameters: readonly Parameter[], document: OpenApi): Html {
	const rows = parameters.map(({ name, in: place, required, description, schema }) => {
		const scope = scopeOf(schema, "required", document);
		return [
			html`<code>${name}</code>`,
			place,
			html`<span class="type">${label(schema, scope)}</span>`,
			required ? html`<b class="required">required</b>` : "optional",
			about(description === undefined ? schema : { ...schema, description }, scope),
		];
	});
	return table(["Name", "In", "Type", "Required", "Description"], rows);
}

const contents = (content: Content, lead: Piece, mark: Scope["mark"], document: OpenApi): Html[] =>
	Object.entries(content).map(([type, { schema }]) => {
		const scope = scopeOf(schema, mark, document);
		return html`<details><summary><span>${lead}<span class="type">${label(schema, scope)}</span></span>
<span class="meta">${type}</span></summary>
<div>${about(schema, scope)}${inside(schema, scope)}</div></details>`;
	});

const scopeOf = (root: JsonSchema, mark: Scope["mark"], document: OpenApi): Scope => {
	return { root, mark, document, shown: new Map([["#", true]]) };
};

/** The parts of a schema as a nested list; nothing for a plain value. */
function inside(schema: JsonSchema, scope: Scope): Html | undefined {
	const { $ref } = schema;
	if (typeof $ref !== "string") return parts(resolve(schema, scope), scope);
	if (scope.shown.get($ref)) return html`<p class="meta">Fields as above</p>`;
	scope.shown.set($ref, true);
	const made = parts(resolve(schema, scope), scope);
	scope.shown.set($ref, made !== undefined);
	return made;
}

function parts(core: JsonSchema, scope: Scope): Html | undefined {
	const options = optionsOf(core).filter((each) => each.type !== "null");
	if (options.length > 1) return alternatives(options, scope);
	const fields = Object.entries(asSchema(core.properties));
	const only = options[0] ?? core.items ?? core.additionalProperties;
	if (fields.length === 0) return isSchema(only) ? inside(only, scope) : undefined;
	return html`<ul>${fields.map(([name, value]) => {
		const schema = asSchema(value);
		const isMarked = listOf(core.required).includes(name) === (scope.mark === "required");
		return html`<li><div><code>${name}</code> <span class="type">${label(schema, scope)}</span>
${isMarked && html`<b class="${scope.mark}">${scope.mark}</b>`}</div>
${about(schema, scope)}${inside(schema, scope)}</li>`;
	})}</ul>`;
}

function alternatives(options: readonly JsonSchema[], scope: Scope): Html | undefined {
	if (isAnyJson(options, scope)) return undefined;
	const made = options.map((each) => ({ each, within: inside(each, scope) }));
	if (made.every(({ within }) => within === undefined)) return undefined;
	return html`<p class="meta">One of</p><ul>${made.map(
		({ each, within }) =>
			html`<li><div class="type">${label(each, scope)}</div>${about(each, scope)}${within}</li>`,
	)}</ul>`;
}

function about(schema: JsonSchema, scope: Scope): Piece {
	const { description } = resolve(schema, scope);
	const notes = limits(schema, scope);
	return [
		typeof description === "string" && html`<p>${prose(description)}</p>`,
		notes.length > 0 && html`<p class="meta">${joined(notes, " · ")}</p>`,
	];
}

function limits(schema: JsonSchema, scope: Scope, depth = 0): Piece[] {
	const core = resolve(schema, scope);
	const own = limitsOf(core, scope.mark === "required");
	const options = optionsOf(core).filter((each) => each.type !== "null");
	if (depth > MAX_DEPTH || options.length > 1) return own;
	if (options[0] !== undefined) return [...own, ...limits(options[0], scope, depth + 1)];
	const inner = isMap(core) ? core.additionalProperties : core.items;
	const each = isSchema(inner) ? limits(inner, scope, depth + 1) : [];
	return [...own, ...each.map((note) => ["each ", note])];
}

function label(schema: JsonSchema, scope: Scope, above: readonly unknown[] = []): string {
	const { $ref = schema === scope.root ? "#" : undefined } = schema;
	// What zod calls `__schema0` is a reference without a name of its own.
	const name = /\/(?!__)([^/]+)$/.exec(String($ref))?.[1];
	if (name !== undefined) return name;
	if ($ref !== undefined && above.includes($ref)) return "the same";
	const core = resolve(schema, scope);
	const of = (each: unknown) => label(asSchema(each), scope, [...above, $ref]);
	const within = (each: unknown) => of(each).replace(/^.* or .*$/, "($&)");
	const options = optionsOf(core);
	if ("const" in core) return JSON.stringify(core.const);
	if (isAnyJson(options, scope)) return "any JSON";
	if (options.length > 0) return [...new Set(options.map(of))].join(" or ");
	const tuple = listOf(core.prefixItems).map(of).join(", ");
	const types = [core.type ?? (isFilled(core.properties) ? "object" : "any")].flat().map((type) => {
		if (type === "array") return tuple ? `list [${tuple}]` : `list of ${within(core.items)}`;
		if (type === "object" && isMap(core)) return `map of ${within(core.additionalProperties)}`;
		return type === "string" && core.format ? `string (${core.format})` : String(type);
	});
	return types.join(" or ");
}

function resolve(schema: JsonSchema, scope: Scope, depth = 0): JsonSchema {
	if (depth > MAX_DEPTH) return {};
	const { $ref, allOf, ...own } = schema;
	// zod's references start at the schema, OpenAPI's at the document.
	const found = typeof $ref === "string" ? (find(scope.root, $ref) ?? find(scope.document, $ref)) : undefined;
	const bases = [found, ...listOf(allOf)].filter(isSchema).map((each) => resolve(each, scope, depth + 1));
	if (bases.length === 0) return own;
	const all = [...bases, own];
	const properties = Object.assign({}, ...all.map((each) => each.properties));
	const required = all.flatMap((each) => listOf(each.required));
	return Object.assign({}, ...all, isFilled(properties) ? { properties, required } : {});
}

const find = (root: object, pointer: string): unknown =>
	pointer
		.split("/")
		.slice(1)
		.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
		.reduce<unknown>((at, key) => (isSchema(at) && Object.hasOwn(at, key) ? at[key] : undefined), root);

const isSchema = (value: unknown): value is JsonSchema =>
	typeof value === "object" && value !== null && !Array.isArray(value);
const asSchema = (value: unknown): JsonSchema => (isSchema(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const numberOf = (value: unknown, fallback: number): number => (typeof value === "number" ? value : fallback);
const optionsOf = (core: JsonSchema): JsonSchema[] => listOf(core.anyOf ?? core.oneOf).map(asSchema);
const isFilled = (value: unknown): boolean => Object.keys(asSchema(value)).length > 0;
const isMap = (core: JsonSchema): boolean =>
	!isFilled(core.properties) && isFilled(core.additionalProperties);
const isAnyJson = (options: readonly JsonSchema[], scope: Scope): boolean => {
	const types = options.map((each) => resolve(each, scope).type);
	return JSON_TYPES.every((type) => types.includes(type));
};

function curl(method: string, path: string, operation: Operation, document: OpenApi): string {
	const exampleOf = (schema: JsonSchema) => example(schema, scopeOf(schema, "required", document));
	const needed = operation.parameters.filter((each) => each.required);
	const values = new Map(needed.map(({ name, schema }) => [name, encoded(String(exampleOf(schema)))]));
	const target = path.split(/\{([^}]*)\}/).map((part, index) => {
		return index % 2 === 1 ? (values.get(part) ?? encoded(part)) : part.split("/").map(encoded).join("/");
	});
	const query = needed
		.filter((each) => each.in === "query")
		.map(({ name }) => `${encoded(name)}=${values.get(name)}`);
	const body = Object.entries(operation.requestBody?.content ?? {}).slice(0, 1);
	return [
		`curl${method === "GET" ? "" : ` -X ${encoded(method)}`}`,
		` "$URL${target.join("")}${query.length > 0 ? "?" : ""}${query.join("&")}"`,
		...(operation.security?.length ? [' \\\n  -H "authorization: Bearer $TOKEN"'] : []),
		...body.map(([type, { schema }]) => {
			const text = JSON.stringify(exampleOf(schema) ?? {}, null, 2).replaceAll("\n", "\n  ");
			return ` \\\n  -H ${quoted(`content-type: ${type}`)} \\\n  -d ${quoted(text)}`;
		}),
	].join("");
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** Leaves nothing that a shell reads within double quotes. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll("!", "%21");

/** Made of required fields. A cycle ends as undefined, which JSON leaves out. */
function example(schema: JsonSchema, scope: Scope, above: readonly unknown[] = ["#"]): unknown {
	if (above.includes(schema.$ref) || above.length > MAX_DEPTH) return undefined;
	const core = resolve(schema, scope);
	const of = (each: unknown) => example(asSchema(each), scope, [...above, schema.$ref ?? schema]);
	const given = [core.const, ...listOf(core.enum), ...listOf(core.examples), core.default];
	const known = given.find((each) => each !== undefined);
	if (known !== undefined) return known;
	for (const option of optionsOf(core)) {
		const made = of(option);
		if (made !== undefined) return made;
	}
	const tuple = listOf(core.prefixItems);
	switch ([core.type].flat()[0]) {
		case "array": {
			const items = Array.from({ length: numberOf(core.minItems, 1) }, (_, index) =>
				of(tuple[index] ?? core.items),
			);
			return items.filter((each) => each !== undefined);
		}
		case "object": {
			const field = (name: unknown) => asSchema(core.properties)[String(name)] ?? core.additionalProperties;
			return Object.fromEntries(listOf(core.required).map((name) => [name, of(field(name))]));
		}
		case "integer":
		case "number":
			return exampleNumber(core);
		case "boolean":
			return true;
		case "null":
			return null;
		default:
			return exampleText(core);
	}
}

function exampleNumber(core: JsonSchema): number {
	const step = numberOf(core.multipleOf, 1);
	const low = numberOf(core.minimum, numberOf(core.exclusiveMinimum, -Infinity) + step);
	const high = numberOf(core.maximum, numberOf(core.exclusiveMaximum, Infinity) - step);
	return Math.min(Math.ceil(Math.max(low, Math.min(step, high)) / step) * step, high);
}

function exampleText({ format, pattern, minLength, maxLength }: JsonSchema): string {
	const [least, most] = [numberOf(minLength, 0), numberOf(maxLength, 1e6)];
	const plain = "example".padEnd(least, "-example").slice(0, most);
	const fits = (text: string) => text.length >= least && text.length <= most && matches(text, pattern);
	return [TEXTS.get(String(format)) ?? plain, "1", ...TEXTS.values()].find(fits) ?? plain;
}

function matches(text: string, pattern: unknown): boolean {
	try {
		return typeof pattern !== "string" || new RegExp(pattern, "u").test(text);
	} catch {
		return true;
	}
}
