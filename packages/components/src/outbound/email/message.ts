import { toBase64, toHex } from "@tripline/contract/bytes";
import { DEFAULT_FILE_TYPE, toFileName } from "@tripline/contract/files";
import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { OpenFile } from "../../open-file.ts";
import { joinPieces, type Piece, plain } from "../body-pieces.ts";
import { formatAddresses } from "./addresses.ts";
import { encodeFile, foldBase64 } from "./base64-file.ts";
import { assertOneLine, encodeText, foldLines } from "./words.ts";

/** An e-mail, of which a service sets the sender, the date and the id if they are left out. */
export interface Email<File> {
	readonly from?: readonly string[] | undefined;
	readonly to?: readonly string[] | undefined;
	readonly cc?: readonly string[] | undefined;
	readonly bcc?: readonly string[] | undefined;
	readonly reply_to?: readonly string[] | undefined;
	readonly subject?: string | undefined;
	/** Ids of messages, such as `<abc@mail.example.com>`, separated by spaces. */
	readonly in_reply_to?: string | undefined;
	readonly references?: string | undefined;
	readonly text?: string | undefined;
	readonly html?: string | undefined;
	/** Of this message, in the same form. */
	readonly message_id?: string | undefined;
	/** As RFC 5322 writes it. */
	readonly date?: string | undefined;
	/** Further ones, checked by the caller. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	readonly attachments: readonly File[];
}

/** All that the message is written from, besides its files. */
export const listEmailTexts = ({ attachments, headers, ...fields }: Email<unknown>): string[] =>
	[...Object.values(fields), Object.values(headers ?? {})].flatMap((field) => field ?? []);

/** Per character, relative to reading one: the ends of lines are replaced, and all is folded base64. */
const EMAIL_COST = 200;

export function spendOnEmail(email: Email<unknown>, meter: Meter): void {
	for (const text of listEmailTexts(email)) meter.spendOnText(EMAIL_COST * text.length);
}

/** Writes a message (RFC 5322, MIME) of ASCII lines, whatever its texts contain. */
export function buildMessage(email: Email<OpenFile>): Piece[] {
	const { attachments, text, html } = email;
	const bodies = [
		...(text === undefined ? [] : [buildText("plain", text)]),
		...(html === undefined ? [] : [buildText("html", html)]),
	];
	const [only = buildText("plain", "")] = bodies;
	const body = bodies.length > 1 ? buildMultipart("alternative", bodies) : only;
	const content =
		attachments.length === 0 ? body : buildMultipart("mixed", [body, ...attachments.map(buildAttachment)]);
	return [toPiece(`${buildHeaders(email)}MIME-Version: 1.0\r\n`), ...content];
}

/** The whole message as base64, as some services take it. */
export function encodeMessage(pieces: readonly Piece[]): Piece {
	const message = joinPieces(pieces);
	if (typeof message === "string") return toPiece(toBase64(new TextEncoder().encode(message)));
	if (message instanceof Uint8Array) return toPiece(toBase64(message));
	const { size } = message;
	const value = { $file: "", name: "message.eml", type: "message/rfc822", size };
	return { file: encodeFile({ value, read: () => message.open() }, "one line") };
}

const ADDRESS_HEADERS = { From: "from", To: "to", Cc: "cc", Bcc: "bcc", "Reply-To": "reply_to" } as const;
const ID_HEADERS = { "In-Reply-To": "in_reply_to", References: "references" } as const;

const MAX_SUBJECT_LENGTH = 1_000;
const MAX_IDS_LENGTH = 20_000;

function buildHeaders(email: Email<OpenFile>): string {
	const { date, message_id: id } = email;
	const headers: [name: string, value: string][] = [];
	if (date !== undefined) headers.push(["Date", date]);
	if (id !== undefined) headers.push(["Message-ID", formatIds(id, "message_id")]);
	for (const [name, field] of Object.entries(ADDRESS_HEADERS)) {
		const value = formatAddresses(email[field] ?? [], field);
		if (value !== "") headers.push([name, value]);
	}
	const { subject } = email;
	if (subject !== undefined) {
		assertLength(subject, "subject", MAX_SUBJECT_LENGTH);
		assertOneLine(subject, "subject");
		headers.push(["Subject", encodeText(subject)]);
	}
	for (const [name, field] of Object.entries(ID_HEADERS)) {
		const ids = formatIds(email[field] ?? "", field);
		if (ids !== "") headers.push([name, ids]);
	}
	headers.push(...Object.entries(email.headers ?? {}));
	return headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
}

function assertLength(text: string, where: string, most: number): void {
	if (text.length > most) throw new TerminalError(`${where} must be at most ${most} characters long`);
}

function formatIds(text: string, where: string): string {
	assertLength(text, where, MAX_IDS_LENGTH);
	const ids = text.split(/\s+/).filter((id) => id !== "");
	if (ids.some((id) => !/^<[\x21-\x3b=\x3f-\x7e]{1,900}>$/.test(id)))
		throw new TerminalError(`${where} must be ids of messages such as <abc@mail.example.com>`);
	return foldLines(ids, "");
}

type Entity = readonly Piece[];

const toPiece = (text: string): Piece => ({ text, encode: plain });

/** Lines of text end with CRLF in every message. */
function buildText(subtype: "plain" | "html", text: string): Entity {
	const bytes = new TextEncoder().encode(text.replace(/\r\n?|\n/g, "\r\n"));
	const headers = `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n`;
	return [toPiece(`${headers}\r\n${foldBase64(bytes)}`)];
}

function buildMultipart(subtype: "alternative" | "mixed", entities: readonly Entity[]): Entity {
	const boundary = `tripline-${toHex(crypto.getRandomValues(new Uint8Array(16)))}`;
	return [
		toPiece(`Content-Type: multipart/${subtype}; boundary="${boundary}"\r\n\r\n`),
		...entities.flatMap((entity) => [toPiece(`--${boundary}\r\n`), ...entity, toPiece("\r\n")]),
		toPiece(`--${boundary}--\r\n`),
	];
}

/** Parts of these types may not be base64. */
const UNENCODED_TYPE = /^(?:multipart|message)\//i;
const TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?:; ?[\w-]{1,50}=[\w.+-]{1,100})?$/;

function buildAttachment(file: OpenFile): Entity {
	const { name, type } = file.value;
	const sentType = TYPE.test(type) && !UNENCODED_TYPE.test(type) ? type : DEFAULT_FILE_TYPE;
	const headers = [
		`Content-Type: ${sentType}`,
		`Content-Disposition: attachment;\r\n ${formatFilename(toFileName(name))}`,
		"Content-Transfer-Encoding: base64",
	];
	return [toPiece(`${headers.join("\r\n")}\r\n\r\n`), { file: encodeFile(file, "lines") }];
}

const MAX_SECTION_LENGTH = 60;

/** In sections (RFC 2231) if it is long or not plain. */
function formatFilename(name: string): string {
	if (/^[\w !#$&+,.;=@()-]{1,60}$/.test(name)) return `filename="${name}"`;
	const encoded = encodeURIComponent(name.toWellFormed()).replace(/['()*!]/g, toPercent);
	const sections = encoded.match(new RegExp(`(?:%..|[^%]){1,${MAX_SECTION_LENGTH / 3}}`, "g")) ?? [];
	if (sections.length === 1) return `filename*=UTF-8''${encoded}`;
	return foldLines(
		sections.map((section, index) => `filename*${index}*=${index === 0 ? "UTF-8''" : ""}${section}`),
		";",
	);
}

const toPercent = (character: string): string =>
	`%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
