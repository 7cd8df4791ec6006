import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { describeType } from "@tripline/engine/issues";
import { TerminalError } from "@tripline/engine/terminal-error";

type Piece = string | { readonly name: string; readonly slashes: boolean };

const PLACEHOLDER = /\{(\+?)([^{}]*)\}/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Characters allowed in a path; encoded dots are excluded because they count as dots. */
const LITERAL = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%(?!2[eE])[0-9A-Fa-f]{2})*$/;

/** Parses an operation's path, or returns its problem. */
export function readPath(path: string): readonly Piece[] | { readonly problem: string } {
	if (path.includes("{{"))
		return {
			problem: "takes parameters as {name} or {+name}; {{credential.field}} is allowed only in base_url",
		};
	if (path !== "" && !path.startsWith("/")) return { problem: "must start with /" };
	const parts = path.split(PLACEHOLDER);
	const pieces: Piece[] = [];
	for (let at = 0; at < parts.length; at += 3) {
		const [literal = "", plus, name] = parts.slice(at, at + 3);
		if (!LITERAL.test(literal))
			return { problem: `contains characters that are not allowed in a path: ${JSON.stringify(literal)}` };
		pieces.push(literal);
		if (name === undefined) continue;
		if (!NAME.test(name)) return { problem: `{${name}} is not a valid parameter name` };
		pieces.push({ name, slashes: plus === "+" });
	}
	if (hasDotSegment(pieces.map((piece) => (typeof piece === "string" ? piece : "x")).join("")))
		return { problem: "must not contain . or .. as a segment" };
	return pieces;
}

export const listNames = (pieces: readonly Piece[]): string[] =>
	pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.name]));

/** Parameters are data: a plain one cannot add a segment, and none can lead upwards. */
export function buildPath(pieces: readonly Piece[], params: JsonObject): string {
	const path = pieces
		.map((piece, at) => {
			if (typeof piece === "string") return piece;
			const encoded = encodeParameter(piece.name, piece.slashes, params[piece.name]);
			return isQuoted(pieces, at) ? encoded.replaceAll("'", "''") : encoded;
		})
		.join("");
	if (hasDotSegment(path)) throw new TerminalError("a parameter of the path must not be . or ..");
	return path;
}

/** Between single quotes a parameter is a text of OData, as in `/search(q='{query}')`: a quote must not end it. */
const isQuoted = (pieces: readonly Piece[], at: number): boolean => {
	const [before, after] = [pieces[at - 1], pieces[at + 1]];
	return (
		typeof before === "string" && before.endsWith("'") && typeof after === "string" && after.startsWith("'")
	);
};

function encodeParameter(name: string, slashes: boolean, value: Json | undefined): string {
	if (typeof value === "object" || value === undefined)
		throw new TerminalError(
			`parameter "${name}" goes into the path and cannot be ${describeType(value ?? null)}`,
		);
	const text = String(value);
	if (text === "") throw new TerminalError(`parameter "${name}" goes into the path and must not be empty`);
	if (!text.isWellFormed())
		throw new TerminalError(`parameter "${name}" contains a lone surrogate (half a character)`);
	return slashes ? text.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(text);
}

const hasDotSegment = (path: string): boolean =>
	path.split("/").some((segment) => segment === "." || segment === "..");
