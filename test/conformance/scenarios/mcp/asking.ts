import assert from "node:assert/strict";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileSchema } from "@tripline/engine/json-schema";
import * as z from "zod";
import { buildMeta, type Era, type Fields, type Message, MODERN, parseMessages } from "../../../mcp/wire.ts";
import type { World } from "../../scenario.ts";

/** A response: one message, or a stream whose last message is the result. */
export interface Told extends Message {
	readonly status: number;
	readonly headers: Headers;
	readonly notifications: readonly Message[];
}

interface Sent {
	readonly id?: string | number;
	readonly meta?: Fields;
	readonly headers?: Readonly<Record<string, string>>;
	readonly signal?: AbortSignal;
}

/** Sends one request to /mcp in the form of that era. */
export async function mcpCall(
	world: World,
	bearer: string,
	era: Era,
	method: string,
	params: Fields = {},
	{ id = 1, meta, headers, signal }: Sent = {},
): Promise<Told> {
	const _meta = buildMeta(era, "conformance", meta);
	const message = {
		jsonrpc: "2.0",
		id,
		method,
		params: { ...params, ...(_meta !== undefined && { _meta }) },
	};
	const named = params.name ?? params.uri;
	const response = await fetch(`${world.target.publicUrl}/mcp`, {
		method: "POST",
		headers: {
			authorization: `Bearer ${bearer}`,
			"content-type": "application/json",
			"mcp-protocol-version": era,
			...(era === MODERN && { "mcp-method": method }),
			...(era === MODERN && typeof named === "string" && { "mcp-name": encodeHeader(named) }),
			...headers,
		},
		body: JSON.stringify(message),
		...(signal !== undefined && { signal }),
	});
	const messages = parseMessages(await response.text());
	return {
		...messages.at(-1),
		status: response.status,
		headers: response.headers,
		notifications: messages.slice(0, -1),
	};
}

/** Headers are ASCII: the protocol writes other names in base64. */
const encodeHeader = (name: string): string =>
	/^[\x20-\x7e]*$/.test(name) ? name : `=?base64?${Buffer.from(name).toString("base64")}?=`;

/** The result of a request that must succeed. */
export async function callForResult(
	world: World,
	bearer: string,
	era: Era,
	method: string,
	params: Fields = {},
): Promise<Fields> {
	const { status, error, result } = await mcpCall(world, bearer, era, method, params);
	assert.equal(status, 200, `${method}: ${JSON.stringify(error)}`);
	assert.ok(result !== undefined, `${method}: ${JSON.stringify(error)}`);
	return result;
}

export interface ListedTool {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	readonly inputSchema: JsonObject;
	readonly outputSchema: JsonObject;
	readonly annotations: Readonly<Record<string, unknown>>;
}

export const listTools = async (world: World, bearer: string, era: Era = MODERN): Promise<ListedTool[]> =>
	(await callForResult(world, bearer, era, "tools/list")).tools as ListedTool[];

interface CallOptions {
	/** Defaults to the scenario's own namespace, if namespaces are accepted as bearers. */
	readonly bearer?: string;
	readonly era?: Era;
}

/** Calls a tool; the result must match the listed schema, have the same content as text, and stay within its budget. */
export async function callTool<Answer extends object = Fields>(
	world: World,
	name: string,
	args: Fields = {},
	options: CallOptions = {},
): Promise<Answer> {
	const { structured, isError, text } = await callChecked(world, name, args, options);
	assert.ok(!isError, `${name}: ${text}`);
	return structured as Answer;
}

/** The result of a tool call that fails. */
export async function callFailing<Answer extends object = Fields>(
	world: World,
	name: string,
	args: Fields = {},
	options: CallOptions = {},
): Promise<Answer> {
	const { structured, isError, text } = await callChecked(world, name, args, options);
	assert.ok(isError && structured !== undefined, `${name}: ${text}`);
	return structured as Answer;
}

/** The error text of a tool call; it is in the result, so that the model reads it. */
export async function callForProblem(
	world: World,
	name: string,
	args: Fields = {},
	options: CallOptions = {},
): Promise<string> {
	const { structured, isError, text } = await callChecked(world, name, args, options);
	assert.ok(isError && structured === undefined, `${name} was answered: ${text}`);
	return text;
}

async function callChecked(world: World, name: string, args: Fields, options: CallOptions) {
	const { bearer = world.owner, era = MODERN } = options;
	const result = await callForResult(world, bearer, era, "tools/call", { name, arguments: args });
	const [content, ...others] = result.content as { type: string; text: string }[];
	assert.deepEqual([content?.type, others.length], ["text", 0]);
	const text = content?.text ?? "";
	const structured = result.structuredContent;
	if (structured !== undefined) {
		assert.deepEqual(JSON.parse(text), structured);
		const most = typeof args.max_chars === "number" ? args.max_chars : 20_000;
		assert.ok(text.length <= most, `${name} returned ${text.length} characters, at most ${most} are allowed`);
		const schema = await readOutputSchema(world, bearer, name);
		const { success, error } = schema.safeParse(structured);
		assert.ok(success, `${name} does not match its output schema: ${error} ${text}`);
	}
	return { structured, text, isError: result.isError === true };
}

const schemas = new Map<string, z.ZodType>();

async function readOutputSchema(world: World, bearer: string, name: string): Promise<z.ZodType> {
	if (!schemas.has(name)) {
		for (const listed of await listTools(world, bearer)) {
			const schema = compileSchema(listed.outputSchema);
			assert.ok(schema instanceof z.ZodType, JSON.stringify(schema));
			schemas.set(listed.name, schema);
		}
	}
	const found = schemas.get(name);
	assert.ok(found !== undefined, `${name} is not listed`);
	return found;
}
