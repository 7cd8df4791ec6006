import { FileValue, KeptName } from "@tripline/contract/files";
import { NextCursor } from "@tripline/contract/paging";
import * as z from "zod";
import { define } from "./define.ts";
import { cursorParam, limitParam } from "./list-params.ts";

export const fileList = define({
	id: "file_list",
	title: "Find kept files",
	description:
		"Finds the file that is kept under a `name`, or lists the kept files of the namespace by name. The run may then open them.",
	params: z
		.strictObject({
			name: KeptName.optional().meta({ description: "Only the file of exactly this name" }),
			prefix: KeptName.optional().meta({ description: "Only files whose name begins with it" }),
			limit: limitParam(100, 1000),
			cursor: cursorParam,
		})
		.refine(({ name, prefix }) => name === undefined || prefix === undefined, {
			path: ["prefix"],
			message: "must be left out when name is given",
		}),
	output: z.object({
		files: z
			.array(
				z.object({
					name: KeptName,
					file: FileValue,
					kept_at: z.string().meta({ description: "When it was kept: ISO 8601, UTC" }),
				}),
			)
			.meta({ description: "By name" }),
		next_cursor: NextCursor,
		file: FileValue.nullable().optional().meta({
			description: "With `name`: the file, or null if none is kept under it",
		}),
	}),
	examples: [
		{
			title: "One file",
			params: { name: "no such file" },
			output: { files: [], next_cursor: null, file: null },
		},
		{
			title: "All files of a month",
			input: { month: "2026-11" },
			params: { prefix: "reports/{{input.month}}/" },
		},
		{
			title: "A name and a prefix",
			params: { name: "prices/latest", prefix: "prices/" },
			error: 'parameter "prefix" must be left out when name is given',
		},
	],
	async run(call) {
		const { files, next_cursor } = await call.effects.files.listKept(call.params, call);
		const listed = files.map(({ kept_as: name, file, kept_at }) => ({ name, file, kept_at }));
		return {
			files: listed,
			next_cursor,
			...(call.params.name !== undefined && { file: listed[0]?.file ?? null }),
		};
	},
});
