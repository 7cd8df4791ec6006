import { FileType, isFileValue } from "@tripline/contract/files";
import * as z from "zod";
import type { FileReference } from "../effects.ts";

const ACTIONS = ["list", "read", "write", "delete", "move"] as const;
type Action = (typeof ACTIONS)[number];

const MAX_PATH = 4096;
const MAX_ENTRIES = 1000;

/** The parameters that only some actions have. */
const USES: Readonly<Record<string, readonly Action[]>> = {
	limit: ["list"],
	after: ["list"],
	type: ["read"],
	file: ["write"],
	text: ["write"],
	to: ["move"],
	overwrite: ["write", "move"],
};

const path = () => z.string().min(1, "must not be empty").max(MAX_PATH);

export const Params = z
	.strictObject({
		action: z.enum(ACTIONS).meta({ description: "What to do" }),
		path: path().meta({ description: "Absolute path of the file; for `list` of the folder" }),
		file: z
			// A template is no file before the run, which must not keep the other parameters from being checked.
			.custom<FileReference>(isFileValue, { error: "must be a file, such as {{input.file}}", abort: false })
			.optional()
			.meta({ type: "object", description: "write: the file whose bytes are written" }),
		text: z.string().optional().meta({ description: "write: instead of `file`, text, written as UTF-8" }),
		to: path().optional().meta({ description: "move: the new path of the file" }),
		overwrite: z
			.boolean()
			.optional()
			.meta({ description: "write, move: replace an existing file; default false, which fails the node" }),
		type: FileType.optional().meta({ description: "read: media type of the file; default by its suffix" }),
		limit: z
			.int()
			.min(1)
			.max(MAX_ENTRIES)
			.optional()
			.meta({ description: "list: maximum number of entries; default 100" }),
		after: z
			.string()
			.max(MAX_PATH)
			.optional()
			.meta({ description: "list: continue after the entry of this name, such as the last one's `next`" }),
	})
	.superRefine((params, context) => {
		const report = (name: string, message: string) =>
			context.addIssue({ code: "custom", path: [name], message });
		const { action } = params;
		for (const [name, actions] of Object.entries(USES)) {
			if (params[name as keyof typeof params] !== undefined && !actions.includes(action))
				report(name, `is only for ${actions.join(" and ")}`);
		}
		if (action === "write" && params.file === undefined && params.text === undefined)
			report("action", "is write, which needs file or text");
		if (params.file !== undefined && params.text !== undefined)
			report("text", "must be left out, or file: only one of them is written");
		if (action === "move" && params.to === undefined) report("to", "must be set for move");
	});
