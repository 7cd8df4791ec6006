import * as z from "zod";
import { fileParam } from "../file-schemas.ts";

export const MAX_RECIPIENTS = 100;
const MAX_ATTACHMENTS = 50;
const MAX_BODY_CHARACTERS = 1_048_576;
const MAX_HEADERS = 20;

const addresses = (description: string) =>
	z.union([z.string(), z.array(z.string()).max(MAX_RECIPIENTS)]).meta({ description });

/** Others are set by the mail itself, or say who sent it and where it has been. */
const HEADER_NAME =
	/^(?:x-[a-z0-9-]{1,60}|list-(?:unsubscribe|unsubscribe-post|id)|auto-submitted|importance|priority)$/i;

const Headers = z
	.record(
		z
			.string()
			.regex(
				HEADER_NAME,
				"must be X-…, List-Unsubscribe, List-Unsubscribe-Post, List-Id, Auto-Submitted, Importance or Priority",
			),
		z
			.string()
			.min(1, "must not be empty")
			.max(900)
			.regex(/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/, "must be one line of ASCII"),
	)
	.refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `must have at most ${MAX_HEADERS} headers`)
	.refine(
		(headers) =>
			new Set(Object.keys(headers).map((name) => name.toLowerCase())).size === Object.keys(headers).length,
		"must not have a header twice",
	);

const ids = (description: string) =>
	z.union([z.string(), z.array(z.string()).max(MAX_RECIPIENTS)]).meta({ description });

export const Params = z
	.strictObject({
		from: z
			.string()
			.min(1, "must not be empty")
			.meta({
				description: "The sender: an address, or a name and an address",
				examples: ["Shop <shop@example.com>"],
			}),
		to: addresses(
			"Addresses such as ada@example.com or Ada <ada@example.com>: a list, or a text with commas",
		).optional(),
		cc: addresses("Further recipients, whom everybody sees").optional(),
		bcc: addresses("Further recipients, whom nobody sees").optional(),
		reply_to: addresses("Where answers go").optional(),
		subject: z.string().default("").meta({ description: "The subject, one line" }),
		text: z.string().max(MAX_BODY_CHARACTERS).optional().meta({ description: "The mail as plain text" }),
		html: z
			.string()
			.max(MAX_BODY_CHARACTERS)
			.optional()
			.meta({ description: "The mail as HTML; with `text`, programs that show no HTML show the text" }),
		attachments: z
			.array(fileParam())
			.max(MAX_ATTACHMENTS)
			.default([])
			.meta({ description: "Files, at most 50", examples: [["{{report.file}}"]] }),
		in_reply_to: z
			.string()
			.optional()
			.meta({ description: "The `Message-ID` of the mail that this one answers" }),
		references: ids("Ids of earlier mails of the thread, oldest first; default `in_reply_to`").optional(),
		headers: Headers.optional().meta({
			description:
				"Further headers: `X-…`, `List-Unsubscribe`, `List-Unsubscribe-Post`, `List-Id`, `Auto-Submitted`, `Importance`, `Priority`",
			examples: [{ "Auto-Submitted": "auto-generated" }],
		}),
	})
	.refine(({ to, cc, bcc }) => to !== undefined || cc !== undefined || bcc !== undefined, {
		path: ["to"],
		error: "is required",
	})
	.refine(({ text, html }) => text !== undefined || html !== undefined, {
		path: ["text"],
		error: "or html is required",
	});
