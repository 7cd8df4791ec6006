import type { ApiOperation } from "@tripline/contract/recipes";
import type { JsonObject } from "@tripline/contract/workflows";
import { Meter } from "@tripline/engine/meter";
import { MAX_DESCRIPTION_UNITS, readDescription } from "../src/description.ts";
import { type MadeRecipe, type RecipeOptions, toRecipe } from "../src/recipe.ts";

/** A description with one operation, `GET /things`. */
export const describeThings = (operation: JsonObject, more: JsonObject = {}): JsonObject => ({
	openapi: "3.0.3",
	info: { title: "Things API" },
	servers: [{ url: "https://api.example.com/v1" }],
	paths: { "/things": { get: operation } },
	...more,
});

export const createMeter = (): Meter => new Meter(MAX_DESCRIPTION_UNITS);

/** Makes a recipe of a description, of the operations of `/things` unless others are named. */
export async function make(
	document: JsonObject | string,
	options: Partial<RecipeOptions> = {},
): Promise<MadeRecipe> {
	const meter = createMeter();
	const text = typeof document === "string" ? document : JSON.stringify(document);
	return toRecipe(await readDescription(text, meter), { operations: ["/things"], ...options }, meter);
}

export interface MadeOperation {
	readonly operation: ApiOperation;
	readonly properties: JsonObject;
	readonly notes: readonly string[];
}

/** The first operation of a recipe, and what was not understood. */
export async function makeOperation(
	document: JsonObject,
	options: Partial<RecipeOptions> = {},
): Promise<MadeOperation> {
	const { recipe, not_understood } = await make(document, options);
	const operation = Object.values(recipe.operations)[0] as ApiOperation;
	return {
		operation,
		properties: operation.params.properties as JsonObject,
		notes: not_understood.map(({ message }) => message),
	};
}

/** A `POST /things` with a body. */
export const describeBody = (schema: JsonObject, more: JsonObject = {}, type = "application/json") =>
	describeThings(
		{},
		{
			paths: {
				"/things": {
					post: { requestBody: { required: true, content: { [type]: { schema } } }, responses: {} },
				},
			},
			...more,
		},
	);

/** A `GET /things` whose response is JSON. */
export const describeResponse = (schema: JsonObject, more: JsonObject = {}) =>
	describeThings({ responses: { 200: { content: { "application/json": { schema } } } }, ...more });
