import { KeptName } from "@tripline/contract/files";
import * as z from "zod";
import { define } from "./define.ts";

export const fileDelete = define({
	id: "file_delete",
	title: "Delete a kept file",
	description: "Deletes the file that is kept under a name, with its content.",
	params: z.strictObject({ name: KeptName.meta({ description: "The name that it is kept under" }) }),
	output: z.object({ deleted: z.boolean().meta({ description: "False if no file has the name" }) }),
	examples: [
		{
			title: "The report of a month",
			input: { month: "2026-11" },
			params: { name: "reports/{{input.month}}.pdf" },
			output: { deleted: false },
		},
		{ title: "A name", params: { name: "prices/latest" } },
	],
	run: async (call) => ({ deleted: await call.effects.files.deleteKept(call.params.name, call) }),
});
