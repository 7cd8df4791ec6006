import { file, list, text } from "../schema-words.ts";
import { anyOf } from "./schema.ts";

const addresses = (description: string) =>
	anyOf([{ type: "string" }, { type: "array", items: { type: "string" }, maxItems: 500 }], description);

/** Parameters of an e-mail besides its content. */
export const recipients = {
	to: addresses("Addresses such as ada@example.com or Ada <ada@example.com>: a list, or a text with commas"),
};

export const emailDetails = {
	text: text("Plain text body"),
	html: text("HTML body; with text, programs that show no HTML show the text"),
	cc: addresses("CC recipients"),
	bcc: addresses("BCC recipients"),
	reply_to: addresses("Reply-to addresses"),
	attachments: list(file("A file"), "Files to attach", { maxItems: 50 }),
};

/** Templates of an e-mail with these parameters. */
export const emailTemplate = {
	to: "{{params.to}}",
	cc: "{{params.cc}}",
	bcc: "{{params.bcc}}",
	reply_to: "{{params.reply_to}}",
	subject: "{{params.subject}}",
	text: "{{params.text}}",
	html: "{{params.html}}",
	attachments: "{{params.attachments}}",
};
