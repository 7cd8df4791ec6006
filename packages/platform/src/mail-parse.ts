import type PostalMimeParser from "postal-mime";
import type { Address, Email } from "postal-mime";
import type { MailAddress, MailAttachment, ParsedMail } from "./mailboxes.ts";

const MAX_HEAD_BYTES = 1024 * 1024;
/** Of parts within parts. */
const MAX_DEPTH = 64;
const MAX_TEXT_CHARACTERS = 1_000_000;
const MAX_LINE_CHARACTERS = 2_000;
const MAX_ADDRESSES = 200;
const MAX_REFERENCES = 200;
const MAX_ATTACHMENTS = 100;
const MAX_HEADERS = 200;
const MAX_HEADER_CHARACTERS = 65_536;
/** Of the head when the whole mail cannot be parsed. */
const MAX_FALLBACK_BYTES = 65_536;

/** How a mail went, and how it is signed: long, and of no use to a workflow. */
const LEFT_OUT = /^(?:__proto__|received|dkim-signature|arc-.*|x-google-.*|x-ms-exchange-.*|x-received)$/;

/**
 * Parses a mail, whatever is wrong with it: of one that is nested too deeply or has too large a head only the head is
 * returned. `isWhole` is false if only the head was read.
 */
export async function parseMail(
	parser: typeof PostalMimeParser,
	source: Uint8Array<ArrayBuffer>,
	isWhole: boolean,
): Promise<ParsedMail> {
	try {
		return toParsedMail(await parse(source), !isWhole);
	} catch {
		const head = cutHead(source);
		// Without content, so that nothing in it is taken for a part.
		return toParsedMail(await parse(head), true);
	}

	// Mails within mails are attachments: their text is not that of the sender.
	function parse(bytes: Uint8Array<ArrayBuffer>): Promise<Email> {
		return parser.parse(bytes, {
			forceRfc822Attachments: true,
			maxRfc822NestingDepth: 0,
			maxNestingDepth: MAX_DEPTH,
			maxHeadersSize: MAX_HEAD_BYTES,
		});
	}
}

function toParsedMail(email: Email, isCut: boolean): ParsedMail {
	let isTruncated = isCut;
	const limitText = (text: string | undefined): string | null => {
		if (text === undefined || text === "") return null;
		if (text.length > MAX_TEXT_CHARACTERS) isTruncated = true;
		return text.slice(0, MAX_TEXT_CHARACTERS).replaceAll("\0", "").toWellFormed();
	};
	const { headers, isComplete } = pickHeaders(email.headers);
	if (!isComplete || email.attachments.length > MAX_ATTACHMENTS) isTruncated = true;
	return {
		messageId: cleanLine(email.messageId) || null,
		inReplyTo: cleanLine(email.inReplyTo) || null,
		references: (email.references ?? "")
			.slice(0, MAX_HEADER_CHARACTERS)
			.split(/\s+/)
			.filter((id) => id !== "")
			.slice(-MAX_REFERENCES)
			.map(cleanLine),
		from: listAddresses(email.from === undefined ? [] : [email.from])[0] ?? null,
		to: listAddresses(email.to),
		cc: listAddresses(email.cc),
		replyTo: listAddresses(email.replyTo),
		subject: cleanLine(email.subject),
		date: toTime(email.date),
		text: limitText(email.text),
		html: limitText(email.html),
		headers,
		attachments: email.attachments.slice(0, MAX_ATTACHMENTS).map(toAttachment),
		isTruncated,
	};
}

function pickHeaders(given: Email["headers"]) {
	const headers: Record<string, string> = {};
	let [count, left] = [0, MAX_HEADER_CHARACTERS];
	for (const { key, value } of given) {
		if (LEFT_OUT.test(key) || !HEADER_NAME.test(key) || Object.hasOwn(headers, key)) continue;
		if (count === MAX_HEADERS || left <= 0) return { headers, isComplete: false };
		const text = cleanLine(value);
		headers[key] = text;
		count++;
		left -= key.length + text.length;
	}
	return { headers, isComplete: true };
}

const HEADER_NAME = /^[!-9;-~]{1,100}$/;

/** Groups are replaced by their members. */
function listAddresses(given: readonly Address[] = []): readonly MailAddress[] {
	const found: MailAddress[] = [];
	for (const { name, address, group } of given) {
		if (found.length >= MAX_ADDRESSES) break;
		if (group !== undefined) found.push(...listAddresses(group.slice(0, MAX_ADDRESSES)));
		else if (address !== "") found.push({ address: cleanLine(address), name: cleanLine(name) });
	}
	return found.slice(0, MAX_ADDRESSES);
}

const toAttachment = ({ filename, mimeType, content }: Email["attachments"][number]): MailAttachment => ({
	name: filename === null ? null : cleanLine(filename),
	type: cleanLine(mimeType),
	bytes:
		typeof content === "string"
			? new TextEncoder().encode(content)
			: content instanceof Uint8Array
				? content
				: new Uint8Array(content),
});

function toTime(text: string | undefined): string | null {
	const time = Date.parse(text ?? "");
	return Number.isFinite(time) ? new Date(time).toISOString() : null;
}

/** One line without control characters: encoded words can contain any. */
const cleanLine = (text = ""): string =>
	text.slice(0, MAX_LINE_CHARACTERS).replace(CONTROL_CHARACTERS, " ").trim().toWellFormed();

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it removes
const CONTROL_CHARACTERS = /[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g;

/** The lines before the first empty one, as far as they are needed. */
function cutHead(source: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
	const [LF, CR] = [10, 13];
	const end = Math.min(source.length, MAX_FALLBACK_BYTES);
	let lineStart = 0;
	let head = 0;
	for (let at = 0; at < end; at++) {
		if (source[at] !== LF) continue;
		const length = at - lineStart - (source[at - 1] === CR ? 1 : 0);
		if (length <= 0) break;
		lineStart = at + 1;
		head = lineStart;
	}
	return source.slice(0, head);
}
