import assert from "node:assert/strict";
import type { FileValue } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import { memoryFiles } from "../memory-files.ts";
import { runForError, runForOutput } from "../run-node.ts";

type Params = { readonly [name: string]: Json };

export const memory = memoryFiles();
const effects = { files: memory.files };

/** Parameters that come from the trigger context, as they usually do; the others are constants of the document. */
const FROM_INPUT = ["rows", "sheets", "data", "text", "files", "base64"];

function toNode(params: Params) {
	const input = Object.fromEntries(Object.entries(params).filter(([name]) => FROM_INPUT.includes(name)));
	const references = Object.keys(input).map((name) => [name, `{{input.${name}}}`]);
	return ["make_file", { ...params, ...Object.fromEntries(references) }, { input, effects }] as const;
}

export async function makeFile(params: Params): Promise<{ file: FileValue; bytes: Uint8Array }> {
	const file = (await runForOutput(...toNode(params))) as FileValue;
	const bytes = memory.bytes(file);
	assert.equal(file.size, bytes.length);
	return { file, bytes };
}

export async function makeText(params: Params): Promise<string> {
	const { bytes } = await makeFile(params);
	return new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(bytes);
}

export const failToMake = (params: Params): Promise<string> => runForError(...toNode(params));
