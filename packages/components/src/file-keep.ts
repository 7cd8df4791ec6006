import { KeptName } from "@tripline/contract/files";
import * as z from "zod";
import { define } from "./define.ts";
import { fileOutput, fileParam } from "./file-schemas.ts";

export const fileKeep = define({
	id: "file_keep",
	title: "Keep a file",
	description:
		"Keeps a file under a name until `file_delete` deletes it. Other files are deleted after FILE_RETENTION_HOURS, 24 by default. A name has one file: a file that had the name before is no longer kept and expires. Any run of the namespace finds kept files with `file_list`.",
	params: z.strictObject({
		file: fileParam().meta({ description: "The file" }),
		name: KeptName.meta({ description: "The name to keep it under, such as `prices/latest`" }),
	}),
	output: fileOutput(),
	examples: [
		{
			title: "Keep an uploaded file",
			input: {
				prices: { $file: "AAAAAAAAAAAAAAAAAAAAAA", name: "prices.csv", type: "text/csv", size: 10 },
			},
			params: { file: "{{input.prices}}", name: "prices/latest" },
			output: { $file: "AAAAAAAAAAAAAAAAAAAAAA", name: "prices.csv", type: "text/csv", size: 10 },
		},
		{
			title: "A file that this run was not given",
			input: { prices: { $file: "BBBBBBBBBBBBBBBBBBBBBB", name: "b.csv", type: "text/csv", size: 10 } },
			params: { file: "{{input.prices}}", name: "prices/latest" },
			error: "file not found",
		},
	],
	run: (call) => call.effects.files.keep(call.params.file, call.params.name, call),
});
