import * as z from "zod";
import type { ResponseSpec, RouteDescription } from "./route.ts";
import { type Components, createComponents, type JsonSchema, type Side } from "./schema-components.ts";

export interface Operation {
	readonly operationId: string;
	readonly summary: string;
	readonly description?: string;
	readonly tags: readonly string[];
	readonly security: readonly object[];
	readonly parameters: readonly Parameter[];
	readonly requestBody?: { readonly required: boolean; readonly content: Content };
	readonly responses: Readonly<Record<string, Answer>>;
}
interface Answer {
	readonly description: string;
	readonly content?: Content;
}
export interface Parameter {
	readonly name: string;
	readonly in: "path" | "query" | "header";
	readonly required: boolean;
	readonly description?: string;
	readonly schema: JsonSchema;
}
export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export interface OpenApi {
	readonly openapi: "3.1.0";
	readonly info: { readonly title: string; readonly version: string };
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: {
		readonly schemas: Readonly<Record<string, JsonSchema>>;
		readonly securitySchemes: Readonly<Record<string, object>>;
	};
}

/** The document's security schemes, and the alternatives that a route which is not open accepts. */
export interface Credentials {
	readonly schemes: Readonly<Record<string, object>>;
	readonly alternatives: readonly Readonly<Record<string, readonly string[]>>[];
}

const BEARER: Credentials = {
	schemes: { bearer: { type: "http", scheme: "bearer" } },
	alternatives: [{}, { bearer: [] }],
};

const ErrorBody = z.object({
	error: z.string(),
	issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

/** Generates OpenAPI 3.1 from the schemas that validate requests. */
export function buildOpenApiDocument(deps: {
	readonly title: string;
	readonly version: string;
	readonly routes: readonly RouteDescription[];
	readonly credentials?: Credentials;
}): OpenApi {
	const { credentials = BEARER } = deps;
	const components = createComponents();
	// Responses first: if the two sides of a schema differ, the response's side gets the plain name.
	const described = deps.routes.map((route) => ({ route, responses: buildResponses(route, components) }));
	const paths: Record<string, Record<string, Operation>> = {};
	for (const { route, responses } of described) {
		paths[route.path] = {
			...paths[route.path],
			[getDocumentedMethod(route)]: buildOperation(route, responses, components, credentials),
		};
	}
	return {
		openapi: "3.1.0",
		info: { title: deps.title, version: deps.version },
		paths,
		components: {
			schemas: components.schemas,
			securitySchemes: Object.assign({}, credentials.schemes, ...deps.routes.map(({ security }) => security)),
		},
	};
}

function buildResponses(route: RouteDescription, components: Components): Operation["responses"] {
	const error = buildResponse({ description: "Error", body: ErrorBody }, components);
	const own = Object.entries(route.responses).map(([status, spec]) => [
		status,
		buildResponse(spec, components),
	]);
	return { ...Object.fromEntries(own), default: error };
}

function buildResponse({ description, body, content }: ResponseSpec, components: Components): Answer {
	const answered = { ...toJsonContent(body), ...content };
	if (Object.keys(answered).length === 0) return { description };
	return { description, content: buildContent(answered, "output", components) };
}

function buildOperation(
	route: RouteDescription,
	responses: Operation["responses"],
	components: Components,
	credentials: Credentials,
): Operation {
	const { description } = route;
	return {
		operationId: operationId(route),
		summary: route.summary,
		...(description === undefined ? {} : { description }),
		tags: [route.tag],
		security: pickSecurity(route, credentials),
		parameters: [
			...buildPathParameters(route, components),
			...buildParameters(route.query, "query", components),
			...buildHeaderParameters(route),
		],
		...buildRequestBody(route, components),
		responses,
	};
}

function pickSecurity({ open, security }: RouteDescription, credentials: Credentials): readonly object[] {
	if (security !== undefined) return Object.keys(security).map((scheme) => ({ [scheme]: [] }));
	return open ? [] : credentials.alternatives;
}

/** OpenAPI cannot express "any method"; such routes are meant for POST. */
const getDocumentedMethod = ({ method }: RouteDescription): string =>
	method === "ANY" ? "post" : method.toLowerCase();

function buildRequestBody({ body, accepts }: RouteDescription, components: Components): object {
	const accepted = accepts ?? toJsonContent(body);
	if (Object.keys(accepted).length === 0) return {};
	const content = buildContent(accepted, "input", components);
	const required = !Object.values(accepted).some((schema) => schema.safeParse(undefined).success);
	return { requestBody: { required, content } };
}

type ByContentType = NonNullable<RouteDescription["accepts"]>;

const toJsonContent = (body: z.ZodType | undefined): ByContentType =>
	body === undefined ? {} : { "application/json": body };

const buildContent = (schemas: ByContentType, side: Side, components: Components): Content =>
	Object.fromEntries(
		Object.entries(schemas).map(([type, schema]) => [type, { schema: components.buildSchema(schema, side) }]),
	);

const buildHeaderParameters = ({ headers = {} }: RouteDescription): Parameter[] =>
	Object.entries(headers).map(([name, description]) => ({
		name,
		in: "header",
		required: false,
		description,
		schema: { type: "string" },
	}));

/** In the order of the path; a parameter that is not in the route's schema is any text. */
function buildPathParameters(route: RouteDescription, components: Components): Parameter[] {
	const known = buildParameters(route.params, "path", components);
	return [...route.path.matchAll(/\{(\w+)\}/g)].map(
		([, name = ""]) =>
			known.find((each) => each.name === name) ?? {
				name,
				in: "path",
				required: true,
				schema: { type: "string" },
			},
	);
}

function buildParameters(
	schema: z.ZodType | undefined,
	place: Parameter["in"],
	components: Components,
): Parameter[] {
	if (schema === undefined) return [];
	return components.buildFields(schema, "input").map((field) => {
		const { description, ...rest } = field.schema;
		return {
			name: field.name,
			in: place,
			required: place === "path" || field.isRequired,
			...(description === undefined ? {} : { description }),
			schema: rest,
		};
	});
}

const operationId = (route: RouteDescription): string =>
	[getDocumentedMethod(route), ...route.path.split("/").filter((part) => part !== "")]
		.map((part) => part.replaceAll(/[{}]/g, "").replaceAll(/[^A-Za-z0-9]+/g, "_"))
		.join("_");
