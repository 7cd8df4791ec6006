import { FileType, toFileName } from "@tripline/contract/files";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { next } from "./fields.ts";
import { AnyValue } from "./reading.ts";

/** A model writes a text of this length only where it copies one. */
const MAX_CONTENT_LENGTH = 200_000;

export const saveFile = defineTool({
	name: "save_file",
	title: "Save a file",
	description:
		"Makes a file from a text, for example to try a workflow that takes one. It expires unless a workflow keeps it.",
	hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
	input: z.strictObject({
		name: z.string().min(1).max(255).meta({ description: "With its suffix, such as data.csv" }),
		content: z.string().max(MAX_CONTENT_LENGTH).meta({ description: "Its text" }),
		type: FileType.default("text/plain").meta({ description: "Media type" }),
	}),
	output: z.looseObject({ value: AnyValue, next }),
	async call({ name, content, type }, { executor, signal }) {
		const bytes = new TextEncoder().encode(content);
		const file = await executor.files.upload(
			{ name: toFileName(name), type, size: bytes.length },
			new Blob([bytes]).stream(),
			{ signal },
		);
		return {
			structured: {
				value: { $file: file.id, name: file.name, type: file.type, size: file.size },
				expires_at: file.expires_at,
				next: "Pass value as it is in the input of a workflow.",
			},
		};
	},
});
