import { sha256Hex } from "@tripline/contract/ids";
import type { Component, NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { OutgoingMail } from "@tripline/platform/mail";
import * as z from "zod";
import { define } from "./define.ts";
import type { Effects, OpenFile } from "./effects.ts";
import { AUTH_RECIPES } from "./email-send/create.ts";
import { MAX_RECIPIENTS, Params } from "./email-send/params.ts";
import { joinPieces } from "./outbound/body-pieces.ts";
import { type Mailbox, parseAddresses } from "./outbound/email/addresses.ts";
import { buildMessage, type Email, spendOnEmail } from "./outbound/email/message.ts";
import { withinTime } from "./within-time.ts";

type Call = NodeCall<Effects> & { readonly params: z.output<typeof Params> };

/** Of the whole message, in which attachments are a third larger. More than most servers take. */
const MAX_MESSAGE_BYTES = 36 * 1024 * 1024;
const LIMIT = { what: "sending the mail", timeoutMs: 120_000 };

const Output = z.object({
	message_id: z.string().meta({ description: "`Message-ID`: the same in each attempt and in a resumed run" }),
	accepted: z.array(z.string()).meta({ description: "Addresses that the server has accepted" }),
	rejected: z
		.array(z.object({ address: z.string(), response: z.string() }))
		.meta({ description: "Addresses that the server has refused, with what it said" }),
	response: z.string().meta({ description: "What the server said last" }),
});

const definition = define({
	id: "email_send",
	title: "Send a mail",
	description: `Sends a mail through a mail server (SMTP).

The node's \`credential\` of the type smtp names the server and the login. TLS is required and verified, except on private networks where the credential says so.

An address is \`ada@example.com\` or \`Ada Lovelace <ada@example.com>\`; international domains are allowed. A mail has at most ${MAX_RECIPIENTS} recipients in \`to\`, \`cc\` and \`bcc\` together, and at most 36 MiB with its attachments, which are a third larger in a mail. Attachments are read while they are sent.

The output says what the server has accepted, which is not yet delivered. If the server refuses some recipients, the others get the mail and \`rejected\` has the refused ones; if it refuses all, the node fails. Temporary refusals (4xx) can be retried with the node's \`retry\`; after others it would not help.

A run that is interrupted while it sends, or an attempt whose answer is lost, may send the mail twice. Both then have the same \`Message-ID\`, by which most mailboxes show it once.

To answer a mail, set \`in_reply_to\` to its \`Message-ID\` and \`references\` to those of the whole thread. Sending takes at most 2 minutes, or the node's \`timeout_ms\`.

The component runs on Node only.`,
	params: Params,
	output: Output,
	examples: [
		{
			title: "A mail with an attachment",
			input: {
				name: "Ada",
				report: { $file: "AAAAAAAAAAAAAAAAAAAAAA", name: "report.csv", type: "text/csv", size: 10 },
			},
			params: {
				credential: "mail",
				from: "Shop <shop@example.com>",
				to: "ada@example.com",
				subject: "Your report",
				text: "Dear {{input.name}},\n\nyour report is attached.",
				attachments: ["{{input.report}}"],
			},
		},
		{
			title: "Answer a mail",
			input: { from: "Ada <ada@example.com>", id: "<1@example.com>" },
			params: {
				credential: "mail",
				from: "help@example.com",
				to: "{{input.from}}",
				subject: "Re: Help",
				text: "We are looking into it.",
				in_reply_to: "{{input.id}}",
				headers: { "Auto-Submitted": "auto-replied" },
			},
		},
		{
			title: "Values cannot add headers or recipients",
			input: { subject: "Hi\r\nBcc: eve@example.com" },
			params: {
				credential: "mail",
				from: "shop@example.com",
				to: "ada@example.com",
				subject: "{{input.subject}}",
				text: "Hello",
			},
			error: "subject must be one line without control characters",
		},
	],
	async run(call) {
		const { mail } = call.effects;
		if (mail === null) throw new TerminalError("mail can be sent only by a service on Node");
		const { credential } = call.node;
		if (credential === undefined) throw new TerminalError("the node needs a credential of the type smtp");
		const { id, draft } = await buildDraft(call);
		const sent = await withinTime(call, LIMIT, (signal) => mail.send(credential, draft, signal));
		if (sent.rejected.length > 0) call.log(`the server refused ${sent.rejected.length} of the recipients`);
		return {
			message_id: id,
			accepted: [...sent.accepted],
			rejected: sent.rejected.map((each) => ({ ...each })),
			response: sent.response,
		};
	},
});

export const emailSend: Component<Effects> = {
	...definition,
	hosts: ["*"],
	authRecipes: AUTH_RECIPES,
	targets: ["to", "cc", "bcc", "reply_to"],
};

async function buildDraft(call: Call): Promise<{ readonly id: string; readonly draft: OutgoingMail }> {
	const { params, meter } = call;
	const [from, ...others] = parseAddresses([params.from], "from");
	if (from === undefined || others.length > 0) throw new TerminalError("from must be one address");
	const id = await buildMessageId(call, from);
	const lists = { to: toList(params.to), cc: toList(params.cc), bcc: toList(params.bcc) };
	const references = toList(params.references ?? params.in_reply_to);
	const fields = {
		...{ from: [params.from], to: lists.to, cc: lists.cc, reply_to: toList(params.reply_to) },
		...{ subject: params.subject, text: params.text, html: params.html, headers: params.headers },
		...{ in_reply_to: params.in_reply_to, references: references.join(" ") },
		...{ message_id: id, date: formatDate(call.startedAt) },
	} satisfies Omit<Email<never>, "attachments">;
	spendOnEmail({ ...fields, bcc: lists.bcc, attachments: [] }, meter);
	const to = listRecipients(lists);
	const attachments: OpenFile[] = [];
	for (const file of params.attachments) attachments.push(await call.effects.files.open(file, call));
	const message = toStream(joinPieces(buildMessage({ ...fields, attachments })));
	if (message.size > MAX_MESSAGE_BYTES)
		throw new TerminalError(
			`the mail has ${message.size} bytes with its attachments, and may have at most ${MAX_MESSAGE_BYTES}: send a link to the file instead`,
		);
	return { id, draft: { from: from.address, to, message } };
}

/** The same for each attempt and in a run that is resumed, and different for every other mail. */
async function buildMessageId({ effects, step }: Call, { address }: Mailbox): Promise<string> {
	const name = await sha256Hex(effects.buildStepKey(step));
	return `<${name.slice(0, 40)}@${address.slice(address.lastIndexOf("@") + 1)}>`;
}

/** Everybody once, also if an address is in several lists. */
function listRecipients(lists: Readonly<Record<string, readonly string[]>>): string[] {
	const mailboxes = Object.entries(lists).flatMap(([where, texts]) => parseAddresses(texts, where));
	const addresses = [...new Set(mailboxes.map(({ address }) => address))];
	if (addresses.length === 0) throw new TerminalError("the mail has no recipient: to, cc and bcc are empty");
	if (addresses.length > MAX_RECIPIENTS)
		throw new TerminalError(
			`the mail has ${addresses.length} recipients, and may have at most ${MAX_RECIPIENTS}`,
		);
	return addresses;
}

const toList = (given: string | readonly string[] | undefined): readonly string[] =>
	given === undefined ? [] : typeof given === "string" ? [given] : given;

/** `Wed, 18 Nov 2026 03:04:05 +0000` (RFC 5322). */
const formatDate = (time: number): string => new Date(time).toUTCString().replace("GMT", "+0000");

function toStream(content: ReturnType<typeof joinPieces>): OutgoingMail["message"] {
	if (typeof content !== "string" && !(content instanceof Uint8Array)) return content;
	const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
	return {
		size: bytes.length,
		async *open() {
			yield bytes;
		},
	};
}
