import type { Json } from "@tripline/contract/json";
import { memoryFiles } from "./memory-files.ts";
import type { Setting } from "./run-node.ts";

type Options = { readonly [name: string]: Json };

export interface GivenFile {
	readonly name: string;
	readonly type?: string;
	readonly content: Uint8Array | string;
	/** How many bytes are read at a time. */
	readonly pieceBytes?: number;
}

/** What `runNode` needs to parse a file. */
export function parseGiven(
	{ name, type = "application/octet-stream", content, pieceBytes }: GivenFile,
	options: Options = {},
	{ files, add } = memoryFiles(pieceBytes),
): readonly [component: string, params: Options, setting: Setting] {
	const input = { file: add(name, type, content) };
	return ["parse", { file: "{{input.file}}", ...options }, { input, effects: { files } }];
}
