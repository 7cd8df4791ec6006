import { DEFAULT_LINK_MINUTES, FileLink, LinkMinutes, MAX_LINK_MINUTES } from "@tripline/contract/files";
import * as z from "zod";
import { define } from "./define.ts";
import { fileParam } from "./file-schemas.ts";

export const fileLink = define({
	id: "file_link",
	title: "Make a download link",
	description:
		"Makes an address from which anyone who has it can download a file until it expires, for example to send it in a message. The link ends earlier if the file is deleted.",
	params: z.strictObject({
		file: fileParam().meta({ description: "The file" }),
		minutes: LinkMinutes.meta({
			description: `How long the link is valid: 1 to ${MAX_LINK_MINUTES} minutes, default ${DEFAULT_LINK_MINUTES}`,
		}),
	}),
	output: FileLink,
	examples: [
		{
			title: "For an hour",
			input: {
				report: { $file: "AAAAAAAAAAAAAAAAAAAAAA", name: "report.pdf", type: "application/pdf", size: 10 },
			},
			params: { file: "{{input.report}}", minutes: 60 },
		},
		{
			title: "Too long",
			input: {
				report: { $file: "AAAAAAAAAAAAAAAAAAAAAA", name: "report.pdf", type: "application/pdf", size: 10 },
			},
			params: { file: "{{input.report}}", minutes: 10_000 },
			error: 'parameter "minutes" must be at most 1440',
		},
	],
	run: async (call) => ({ ...(await call.effects.files.link(call.params.file, call.params.minutes, call)) }),
});
