import type { Content, ResourceContent } from "@tripline/mcp/protocol/content";
import type { Prompt, ResourceSurface, Surface } from "@tripline/mcp/protocol/surface";
import { type Tool, type ToolContext, ToolProblem } from "@tripline/mcp/tools/tool";

/**
 * The surface that the official conformance suite expects, instead of the product's own tools. It must not need Node,
 * because a worker serves the same surface.
 */

/** One red pixel. */
const PNG =
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** A header without samples. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

export const text = (value: string): Content => ({ type: "text", text: value });
const image: Content = { type: "image", data: PNG, mimeType: "image/png" };
const createEmbedded = (resource: ResourceContent): Content => ({ type: "resource", resource });
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function fixtureTool(
	name: string,
	description: string,
	call: (context: ToolContext, args: unknown) => Promise<readonly Content[]> | readonly Content[],
	inputSchema: Tool["inputSchema"] = { type: "object" },
): Tool {
	return {
		name,
		title: description,
		description,
		hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
		inputSchema,
		outputSchema: { type: "object" },
		call: async (args, context) => ({ structured: {}, content: await call(context, args) }),
	};
}

const tools: readonly Tool[] = [
	fixtureTool("test_simple_text", "Simple text", () => [text("This is a simple text response for testing.")]),
	fixtureTool("test_image_content", "An image", () => [image]),
	fixtureTool("test_audio_content", "A sound", () => [{ type: "audio", data: WAV, mimeType: "audio/wav" }]),
	fixtureTool("test_embedded_resource", "A resource within", () => [
		createEmbedded({
			uri: "test://embedded-resource",
			mimeType: "text/plain",
			text: "This is an embedded resource content.",
		}),
	]),
	fixtureTool("test_multiple_content_types", "Text, image and resource", () => [
		text("Multiple content types test:"),
		image,
		createEmbedded({
			uri: "test://mixed-content-resource",
			mimeType: "application/json",
			text: JSON.stringify({ test: "data", value: 123 }),
		}),
	]),
	fixtureTool("test_error_handling", "Always fails", () => {
		throw new ToolProblem("This tool intentionally returns an error for testing");
	}),
	fixtureTool("test_tool_with_progress", "Tells its progress", async (context) => {
		for (const done of [0, 50, 100]) {
			if (done > 0) await pause(50);
			await context.progress(done, 100, `Completed step ${done} of 100`);
		}
		return [text("done")];
	}),
	fixtureTool(
		"json_schema_2020_12_tool",
		"Tool with JSON Schema 2020-12 features",
		(_, args) => [text(JSON.stringify(args))],
		{
			$schema: "https://json-schema.org/draft/2020-12/schema",
			type: "object",
			$defs: {
				address: {
					$anchor: "addressDef",
					type: "object",
					properties: { street: { type: "string" }, city: { type: "string" } },
				},
			},
			properties: {
				name: { type: "string" },
				address: { $ref: "#/$defs/address" },
				contactMethod: { type: "string", enum: ["phone", "email"] },
				phone: { type: "string" },
				email: { type: "string" },
			},
			allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
			if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
			// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
			then: { required: ["phone"] },
			else: { required: ["email"] },
			additionalProperties: false,
		},
	),
	// The suite expects requests and log lines of the server on these tools' streams; this server sends neither.
	fixtureTool("test_streaming_elicitation", "Asks nothing", () => [text("nothing was asked")]),
	fixtureTool("test_logging_tool", "Logs nothing", () => [text("nothing was logged")]),
];

const TEMPLATE = "test://template/{id}/data";

const resources: ResourceSurface = {
	async list() {
		return {
			resources: [
				{
					uri: "test://static-text",
					name: "static-text",
					title: "Text",
					description: "A text that stays",
					mimeType: "text/plain",
				},
				{
					uri: "test://static-binary",
					name: "static-binary",
					title: "Image",
					description: "An image that stays",
					mimeType: "image/png",
				},
			],
		};
	},
	templates: [
		{
			uriTemplate: TEMPLATE,
			name: "template",
			title: "Data by id",
			description: "Data of an id",
			mimeType: "application/json",
		},
	],
	async read(uri) {
		if (uri === "test://static-text")
			return {
				contents: [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }],
			};
		if (uri === "test://static-binary") return { contents: [{ uri, mimeType: "image/png", blob: PNG }] };
		const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
		if (id === undefined) return null;
		const data = { id, templateTest: true, data: `Data for ID: ${id}` };
		return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(data) }], ttlMs: 1_000 };
	},
	complete: async (_template, _argument, value) =>
		Array.from({ length: 120 }, (_, index) => String(index)).filter((id) => id.startsWith(value)),
};

const CITIES = ["paris", "park", "party"];

const prompts: readonly Prompt[] = [
	{
		name: "test_simple_prompt",
		title: "Simple",
		description: "A prompt without arguments",
		arguments: [],
		get: async () => ({
			description: "Simple",
			messages: [{ role: "user", content: text("This is a simple prompt for testing.") }],
		}),
	},
	{
		name: "test_prompt_with_arguments",
		title: "With arguments",
		description: "A prompt with two arguments",
		arguments: [
			{ name: "arg1", description: "First test argument", required: true },
			{ name: "arg2", description: "Second test argument", required: true },
		],
		get: async ({ arg1, arg2 }) => ({
			description: "With arguments",
			messages: [{ role: "user", content: text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`) }],
		}),
		complete: async (_argument, value) => CITIES.filter((city) => city.startsWith(value)),
	},
	{
		name: "test_prompt_with_embedded_resource",
		title: "With a resource",
		description: "A prompt with a resource within",
		arguments: [{ name: "resourceUri", description: "URI of the resource to embed", required: true }],
		get: async ({ resourceUri = "" }) => ({
			description: "With a resource",
			messages: [
				{
					role: "user",
					content: createEmbedded({
						uri: resourceUri,
						mimeType: "text/plain",
						text: "Embedded resource content for testing.",
					}),
				},
				{ role: "user", content: text("Please process the embedded resource above.") },
			],
		}),
	},
	{
		name: "test_prompt_with_image",
		title: "With an image",
		description: "A prompt with an image within",
		arguments: [],
		get: async () => ({
			description: "With an image",
			messages: [
				{ role: "user", content: image },
				{ role: "user", content: text("Please analyze the image above.") },
			],
		}),
	},
];

export const fixtures: Surface = {
	instructions: "What the conformance suite asks for.",
	tools,
	listTenantTools: async () => [],
	findTenantTool: async () => null,
	resources,
	prompts,
};
