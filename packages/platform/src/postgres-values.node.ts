import { types } from "pg";
import type { SqlValue } from "./sql.ts";

/** PostgreSQL stores no U+0000, so that it is stored as this character and a digit; the character itself likewise. */
const ESCAPE = "\uf8ff";
const ESCAPED_NUL = `${ESCAPE}0`;
const ESCAPED_ESCAPE = `${ESCAPE}1`;

/** The PostgreSQL type of a value; null has none. */
export function chooseType(value: SqlValue): string | null {
	if (value === null) return null;
	if (typeof value === "string") return "text";
	if (typeof value !== "number") return "bytea";
	return Number.isSafeInteger(value) ? "bigint" : "double precision";
}

export const toParameter = (value: SqlValue): unknown =>
	typeof value === "string" ? encodeText(value) : value;

/** Numbers are read as numbers, as in SQLite; a truth value is 1 or 0. */
export const getTypeParser = ((oid: number, format: "text" | "binary") => {
	const parser = PARSERS[oid];
	return parser ?? types.getTypeParser(oid, format as "text");
}) as typeof types.getTypeParser;

const parseBytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.slice(2), "hex"));

const { BOOL, BYTEA, INT8, NUMERIC, TEXT } = types.builtins;
const PARSERS: Readonly<Record<number, (text: string) => SqlValue>> = {
	[BOOL]: (text) => (text === "t" ? 1 : 0),
	[BYTEA]: parseBytes,
	[INT8]: Number,
	[NUMERIC]: Number,
	[TEXT]: decodeText,
};

function encodeText(text: string): string {
	if (!/[\0\uf8ff]/.test(text)) return text;
	return text.replaceAll(ESCAPE, ESCAPED_ESCAPE).replaceAll("\0", ESCAPED_NUL);
}

function decodeText(text: string): string {
	if (!text.includes(ESCAPE)) return text;
	return text.replaceAll(ESCAPED_NUL, "\0").replaceAll(ESCAPED_ESCAPE, ESCAPE);
}
