import { type FileValue, toFileName, toFileType } from "@tripline/contract/files";
import { findUnstorable, type Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import type * as z from "zod";
import type { Effects } from "../effects.ts";
import { findSuffixByType } from "../file-types.ts";
import { decodeBase64 } from "../http-request/content-file.ts";
import { isObject } from "../schemas.ts";
import { quoteServerText } from "./errors.ts";

type FileNode = Pick<NodeCall<Effects>, "effects" | "meter" | "signal">;

/** Where images and files stand beside structured content. */
export const CONTENTS = "_contents";
const MAX_CONTENTS = 1_000;
const MAX_FILES = 50;
const MAX_ERROR_CHARACTERS = 2_000;

/**
 * The output of a node for a tool's result: the structured content, with what is not text beside it; or one text, or a
 * list of all contents. Throws if the
 * tool failed or its result does not match `output`, which is null for a tool without an output schema.
 */
export async function toOutput(result: JsonObject, output: z.ZodType | null, node: FileNode): Promise<Json> {
	const { resultType = "complete", isError, structuredContent } = result;
	if (resultType === "input_required")
		throw new TerminalError("the tool asks for more input, which a workflow cannot give");
	if (resultType !== "complete") throw new TerminalError("the tool gives no result that a workflow can use");
	const contents = Array.isArray(result.content) ? result.content : [];
	if (contents.length > MAX_CONTENTS)
		throw new TerminalError(`the tool returns more than ${MAX_CONTENTS} contents`);
	if (isError === true) throw new Error(describeError(contents));
	if (structuredContent !== undefined && structuredContent !== null)
		return addContents(checkStructured(structuredContent, output), contents, node);
	if (output !== null)
		throw new TerminalError("the tool returns no structured content, although it has an output schema");
	const [first] = contents;
	if (first === undefined) return null;
	if (contents.length === 1 && isObject(first) && first.type === "text") return readText(first.text);
	return toItems(contents, node);
}

async function toItems(contents: readonly Json[], node: FileNode): Promise<Json[]> {
	const files = new ResultFiles(node);
	const items: Json[] = [];
	for (const content of contents) items.push(await toItem(content, files));
	return items;
}

/** The texts beside structured content repeat it for older clients. Everything else is not in it. */
async function addContents(value: Json, contents: readonly Json[], node: FileNode): Promise<Json> {
	const others = contents.filter((content) => !isObject(content) || content.type !== "text");
	if (others.length === 0) return value;
	const items = await toItems(others, node);
	return isObject(value) ? { ...value, [CONTENTS]: items } : { value, [CONTENTS]: items };
}

function checkStructured(value: Json, output: z.ZodType | null): Json {
	const unstorable = findUnstorable(value);
	if (unstorable !== null)
		throw new TerminalError(`the tool's structured content cannot be used: ${unstorable}`);
	const checked = output?.safeParse(value);
	if (checked === undefined || checked.success) return value;
	const [issue] = checked.error.issues;
	const place = issue?.path.join(".") ?? "";
	throw new TerminalError(
		`the tool's result does not match its output schema: ${place === "" ? "it" : quoteServerText(place, 200)} ${issue?.message ?? "is not valid"}`,
	);
}

function describeError(contents: readonly Json[]): string {
	const texts = contents.flatMap((content) =>
		isObject(content) && content.type === "text" && typeof content.text === "string" ? [content.text] : [],
	);
	const said = quoteServerText(texts.join("\n"), MAX_ERROR_CHARACTERS);
	return said === "" ? "the tool failed without a message" : `the tool failed: ${said}`;
}

/** PostgreSQL cannot store NUL, and a lone surrogate has no UTF-8 form. */
const readText = (text: Json | undefined): string =>
	typeof text === "string" ? text.replaceAll("\0", "\uFFFD").toWellFormed() : "";

const readOptional = (text: Json | undefined): string | null =>
	typeof text === "string" ? readText(text) : null;

async function toItem(content: Json, files: ResultFiles): Promise<JsonObject> {
	if (!isObject(content)) throw new TerminalError("the tool returns a content that is not an object");
	const { type } = content;
	switch (type) {
		case "text":
			return { type, text: readText(content.text) };
		case "image":
		case "audio":
			return { type, file: await files.create(type, content.mimeType, content.data) };
		case "resource":
			return { type, ...(await toResource(content.resource, files)) };
		case "resource_link":
			return {
				type,
				uri: readText(content.uri),
				name: readText(content.name),
				title: readOptional(content.title),
				description: readOptional(content.description),
				mime_type: readOptional(content.mimeType),
				size: typeof content.size === "number" ? content.size : null,
			};
		default:
			throw new TerminalError(
				`the tool returns a content of the unknown type ${JSON.stringify(quoteServerText(String(type), 40))}`,
			);
	}
}

async function toResource(resource: Json | undefined, files: ResultFiles): Promise<JsonObject> {
	if (!isObject(resource)) throw new TerminalError("the tool returns a resource that is not an object");
	const described = { uri: readText(resource.uri), mime_type: readOptional(resource.mimeType) };
	if (typeof resource.text === "string") return { ...described, text: readText(resource.text) };
	const name = described.uri.split(/[?#]/, 1)[0] ?? "";
	return { ...described, file: await files.create(name, resource.mimeType, resource.blob) };
}

class ResultFiles {
	readonly #node: FileNode;
	#created = 0;

	constructor(node: FileNode) {
		this.#node = node;
	}

	async create(name: string, mimeType: Json | undefined, data: Json | undefined): Promise<FileValue> {
		if (++this.#created > MAX_FILES) throw new TerminalError(`the tool returns more than ${MAX_FILES} files`);
		if (typeof data !== "string") throw new TerminalError("the tool returns a file without data");
		const type = toFileType(typeof mimeType === "string" ? mimeType : null);
		const given = toFileName(name);
		const suffix = given.includes(".") ? null : findSuffixByType(type);
		const file = { name: suffix === null ? given : `${given}.${suffix}`, type };
		return this.#node.effects.files.create(
			file,
			decodeBase64(data, "the tool returns a file that is not base64"),
			this.#node,
		);
	}
}
