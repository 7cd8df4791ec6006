import { TerminalError } from "@tripline/engine/terminal-error";
import { assertOneLine, encodeWords, foldLines, isPlain } from "./words.ts";

const LOCAL_PART = /^(?=.{1,64}$)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const DOMAIN = /^(?=.{1,253}$)(?:(?!-)[A-Za-z0-9-]{1,63}(?<!-)\.)*(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/;
const INTERNATIONAL_DOMAIN = /^[\p{L}\p{M}\p{N}.-]{1,253}$/u;

/** More than any service sends to at once. */
const MAX_ADDRESSES = 2_000;
/** Of all texts of a header. */
const MAX_LENGTH = 100_000;

export interface Mailbox {
	/** May be empty. */
	readonly name: string;
	/** In ASCII. */
	readonly address: string;
}

/** The value of a header such as To. A text may hold several addresses, separated by commas. */
export const formatAddresses = (texts: readonly string[], where: string): string =>
	foldLines(parseAddresses(texts, where).map(formatMailbox), ",");

export function parseAddresses(texts: readonly string[], where: string): Mailbox[] {
	let room = MAX_LENGTH;
	const addresses = texts.flatMap((text) => {
		assertOneLine(text, where);
		room -= text.length;
		if (room < 0) throw new TerminalError(`${where} must be at most ${MAX_LENGTH} characters long`);
		return splitAtCommas(text);
	});
	if (addresses.length > MAX_ADDRESSES)
		throw new TerminalError(`${where} must be at most ${MAX_ADDRESSES} addresses`);
	return addresses.map((address, index) => parseAddress(address, index, where));
}

/** Commas in a quoted name separate nothing. */
const splitAtCommas = (text: string): string[] =>
	(text.match(/(?:"(?:[^"\\]|\\.)*"?|[^",])+/g) ?? []).filter((part) => part.trim() !== "");

function parseAddress(text: string, index: number, where: string): Mailbox {
	const [, name = "", address = text] = /^([^<>]*)<([^<>]*)>\s*$/.exec(text) ?? [];
	const [, local = "", domain = ""] = /^([^@]*)@([^@]*)$/.exec(address.trim()) ?? [];
	const host = toAsciiDomain(domain);
	if (!LOCAL_PART.test(local) || host === null)
		throw new TerminalError(
			`${where}: address ${index + 1} is not like ada@example.com or Ada Lovelace <ada@example.com>`,
		);
	return { name: unquote(name.trim()), address: `${local}@${host}` };
}

/** Null if it is none. An international name is written as every mail server understands it: `xn--…`. */
function toAsciiDomain(domain: string): string | null {
	if (DOMAIN.test(domain)) return domain;
	if (!INTERNATIONAL_DOMAIN.test(domain)) return null;
	const { hostname = "" } = URL.parse(`http://${domain}/`) ?? {};
	return DOMAIN.test(hostname) ? hostname : null;
}

const formatMailbox = ({ name, address }: Mailbox): string =>
	name === "" ? address : `${formatName(name)} <${address}>`;

const unquote = (name: string): string =>
	/^".*"$/.test(name) ? name.slice(1, -1).replace(/\\(.)/g, "$1") : name;

const formatName = (name: string): string =>
	isPlain(name) ? `"${name.replace(/["\\]/g, "\\$&")}"` : encodeWords(name);
