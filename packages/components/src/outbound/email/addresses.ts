import { TerminalError } from "@tripline/engine/terminal-error";
import { assertOneLine, encodeWords, foldLines, isPlain } from "./words.ts";

const ADDRESS = /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

/** More than any service sends to at once. */
const MAX_ADDRESSES = 2_000;
/** Of all texts of a header. */
const MAX_LENGTH = 100_000;

/** The value of a header such as To. A text may hold several addresses, separated by commas. */
export function formatAddresses(texts: readonly string[], where: string): string {
	let room = MAX_LENGTH;
	const addresses = texts.flatMap((text) => {
		assertOneLine(text, where);
		room -= text.length;
		if (room < 0) throw new TerminalError(`${where} must be at most ${MAX_LENGTH} characters long`);
		return splitAtCommas(text);
	});
	if (addresses.length > MAX_ADDRESSES)
		throw new TerminalError(`${where} must be at most ${MAX_ADDRESSES} addresses`);
	return foldLines(
		addresses.map((address, index) => formatAddress(address, index, where)),
		",",
	);
}

/** Commas in a quoted name separate nothing. */
const splitAtCommas = (text: string): string[] =>
	(text.match(/(?:"(?:[^"\\]|\\.)*"?|[^",])+/g) ?? []).filter((part) => part.trim() !== "");

function formatAddress(text: string, index: number, where: string): string {
	const [, name = "", address = text] = /^([^<>]*)<([^<>]*)>\s*$/.exec(text) ?? [];
	const mailbox = address.trim();
	if (!ADDRESS.test(mailbox))
		throw new TerminalError(
			`${where}: address ${index + 1} is not like ada@example.com or Ada Lovelace <ada@example.com>`,
		);
	const called = unquote(name.trim());
	return called === "" ? mailbox : `${formatName(called)} <${mailbox}>`;
}

const unquote = (name: string): string =>
	/^".*"$/.test(name) ? name.slice(1, -1).replace(/\\(.)/g, "$1") : name;

const formatName = (name: string): string =>
	isPlain(name) ? `"${name.replace(/["\\]/g, "\\$&")}"` : encodeWords(name);
