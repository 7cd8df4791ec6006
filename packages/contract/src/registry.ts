import * as z from "zod";
import { AnyJson } from "./json.ts";
import { Host, RecipeId, WriteApiRecipe, WriteAuthRecipe } from "./recipes.ts";

const JsonObject = z.record(z.string(), AnyJson);
const Text = (most: number) => z.string().min(1).max(most);

export const MAX_MANIFEST_BYTES = 256 * 1024;
const MAX_CODE_LENGTH = 64 * 1024;

export const ComponentVersion = z
	.string()
	.max(32)
	.regex(/^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/, "must be a version such as 1.0.0");

export const Sha256 = z
	.string()
	.regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in 64 lowercase hexadecimal digits");

const common = {
	id: RecipeId,
	version: ComponentVersion,
	title: Text(120),
	description: Text(4_000).meta({ description: "Markdown" }),
	publisher: Text(64),
	license: Text(64),
	tags: z.array(z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/)).max(10),
	/** The hosts it may call. */
	hosts: z.array(Host).max(20),
	/** Ids of auth recipes whose credentials it accepts; its own recipes are in `auth_recipes`. */
	credentials: z.array(RecipeId).max(4),
	auth_recipes: z.record(RecipeId, WriteAuthRecipe).optional(),
};

/** A response of `http` during the trial run, in the order of the calls. */
const Exchange = z.strictObject({
	request: z.strictObject({ method: Text(10), url: Text(2_000), body: AnyJson.optional() }),
	response: z.strictObject({
		status: z.int().min(100).max(599),
		headers: z.record(z.string(), z.string()).optional(),
		data: AnyJson,
	}),
});

const Example = z.strictObject({
	title: Text(120),
	params: JsonObject,
	output: AnyJson.optional(),
	error: z.string().optional(),
	http: z.array(Exchange).max(20).optional(),
});

/** A component of the market: data alone, or code that runs in the sandbox. */
export const Manifest = z
	.discriminatedUnion("kind", [
		z.strictObject({
			...common,
			kind: z.literal("recipe"),
			recipe: WriteApiRecipe.omit({ title: true, description: true }),
		}),
		z.strictObject({
			...common,
			kind: z.literal("code"),
			params: JsonObject.meta({ description: "JSON Schema of an object" }),
			output: JsonObject.meta({ description: "JSON Schema" }),
			/** Body of an async function of `input` (the parameters); if hosts are declared, `http(request)` is available. */
			code: Text(MAX_CODE_LENGTH),
			examples: z.array(Example).min(1).max(10),
		}),
	])
	.meta({ id: "Manifest" });
export type Manifest = z.output<typeof Manifest>;
