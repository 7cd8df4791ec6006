import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { TerminalError } from "@tripline/engine/component";
import { typeOf } from "@tripline/engine/issues";

type Piece = string | { readonly name: string; readonly slashes: boolean };

const PLACEHOLDER = /\{(\+?)([^{}]*)\}/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** What may stand in a path as it is; encoded dots are missing, because they count as dots. */
const LITERAL = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%(?!2[eE])[0-9A-Fa-f]{2})*$/;

/** The path of an operation in its pieces, or what is wrong with it. */
export function readPath(path: string): readonly Piece[] | { readonly problem: string } {
	if (path.includes("{{"))
		return { problem: "takes parameters as {name} or {+name}; {{credential.field}} may stand in base_url" };
	if (path !== "" && !path.startsWith("/")) return { problem: "must start with /" };
	const parts = path.split(PLACEHOLDER);
	const pieces: Piece[] = [];
	for (let at = 0; at < parts.length; at += 3) {
		const [literal = "", plus, name] = parts.slice(at, at + 3);
		if (!LITERAL.test(literal))
			return { problem: `holds characters that a path cannot: ${JSON.stringify(literal)}` };
		pieces.push(literal);
		if (name === undefined) continue;
		if (!NAME.test(name)) return { problem: `{${name}} is no parameter's name` };
		pieces.push({ name, slashes: plus === "+" });
	}
	if (leavesItsPlace(pieces.map((piece) => (typeof piece === "string" ? piece : "x")).join("")))
		return { problem: "must not hold . or .. as a segment" };
	return pieces;
}

export const namesIn = (pieces: readonly Piece[]): string[] =>
	pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.name]));

/** Parameters are data: none can add a segment where one is meant, nor lead upwards. */
export function buildPath(pieces: readonly Piece[], params: JsonObject): string {
	const path = pieces
		.map((piece) =>
			typeof piece === "string" ? piece : encoded(piece.name, piece.slashes, params[piece.name]),
		)
		.join("");
	if (leavesItsPlace(path)) throw new TerminalError("a parameter of the path must not be . or ..");
	return path;
}

function encoded(name: string, slashes: boolean, value: Json | undefined): string {
	if (typeof value === "object" || value === undefined)
		throw new TerminalError(`parameter "${name}" goes into the path and cannot be ${typeOf(value ?? null)}`);
	const text = String(value);
	if (text === "") throw new TerminalError(`parameter "${name}" goes into the path and must not be empty`);
	if (!text.isWellFormed()) throw new TerminalError(`parameter "${name}" holds half a character`);
	return slashes ? text.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(text);
}

const leavesItsPlace = (path: string): boolean =>
	path.split("/").some((segment) => segment === "." || segment === "..");
