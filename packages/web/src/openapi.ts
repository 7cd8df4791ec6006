import * as z from "zod";
import type { ResponseSpec, Route } from "./route.ts";

export interface Operation {
	readonly operationId: string;
	readonly summary: string;
	readonly description?: string;
	readonly tags: readonly string[];
	readonly security?: readonly object[];
	readonly parameters: readonly Parameter[];
	readonly requestBody?: { readonly required: true; readonly content: Content };
	readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}
export interface Parameter {
	readonly name: string;
	readonly in: "path" | "query";
	readonly required: boolean;
	readonly description?: string;
	readonly schema: JsonSchema;
}
type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface OpenApi {
	readonly openapi: "3.1.0";
	readonly info: { readonly title: string; readonly version: string };
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: object;
}

const ErrorBody = z.object({
	error: z.string(),
	issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

/** OpenAPI 3.1 from the schemas that validate. */
export function openApiDocument(deps: {
	readonly title: string;
	readonly version: string;
	readonly routes: readonly Route<never>[] | readonly Route<unknown>[] | readonly unknown[];
}): OpenApi {
	const paths: Record<string, Record<string, Operation>> = {};
	for (const each of deps.routes as readonly Route<unknown>[]) {
		paths[each.path] ??= {};
		(paths[each.path] as Record<string, Operation>)[each.method.toLowerCase()] = operation(each);
	}
	return {
		openapi: "3.1.0",
		info: { title: deps.title, version: deps.version },
		paths,
		components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
	};
}

function operation(route: Route<unknown>): Operation {
	return {
		operationId: operationId(route),
		summary: route.summary,
		...(route.description === undefined ? {} : { description: route.description }),
		tags: [route.tag],
		...(route.open ? {} : { security: [{}, { bearer: [] }] }),
		parameters: [
			...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => pathParameter(route, name as string)),
			...parametersOf(route.query, "query"),
		],
		...(route.body === undefined
			? {}
			: {
					requestBody: {
						required: true as const,
						content: { "application/json": { schema: schemaOf(route.body, "input") } },
					},
				}),
		responses: {
			...Object.fromEntries(
				Object.entries(route.responses).map(([status, spec]) => [status, responseOf(spec)]),
			),
			default: {
				description: "Error",
				content: { "application/json": { schema: schemaOf(ErrorBody, "output") } },
			},
		},
	};
}

function responseOf(spec: ResponseSpec): Operation["responses"][string] {
	const type = spec.contentType ?? "application/json";
	const schema = spec.body === undefined ? { type: "string" } : schemaOf(spec.body, "output");
	return { description: spec.description, content: { [type]: { schema } } };
}

function pathParameter(route: Route<unknown>, name: string): Parameter {
	const known = parametersOf(route.params, "path").find((each) => each.name === name);
	return known ?? { name, in: "path", required: true, schema: { type: "string" } };
}

function parametersOf(schema: z.ZodType | undefined, place: Parameter["in"]): Parameter[] {
	if (schema === undefined) return [];
	const { properties = {}, required = [] } = schemaOf(schema, "input") as {
		properties?: Record<string, JsonSchema>;
		required?: string[];
	};
	return Object.entries(properties).map(([name, { description, ...rest }]) => ({
		name,
		in: place,
		required: place === "path" || required.includes(name),
		...(typeof description === "string" ? { description } : {}),
		schema: rest,
	}));
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
	const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" });
	return rest;
}

const operationId = (route: Route<unknown>): string =>
	[route.method.toLowerCase(), ...route.path.split("/").filter((part) => part !== "")]
		.map((part) => part.replaceAll(/[{}]/g, "").replaceAll(/[^A-Za-z0-9]+/g, "_"))
		.join("_");
