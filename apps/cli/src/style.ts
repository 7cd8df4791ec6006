import { styleText } from "node:util";
import type { Io } from "./io.ts";

/** Adds colour only on a terminal and without NO_COLOR. */
export const applyStyle = (
	io: Io,
	format: "bold" | "dim" | "green" | "red" | "yellow",
	text: string,
): string => (io.isTerminal && !io.env.NO_COLOR ? styleText(format, text, { validateStream: false }) : text);

/** A line of a diff, by its sign. */
export function colourDiffLine(io: Io, line: string): string {
	if (line.startsWith("+")) return applyStyle(io, "green", line);
	return line.startsWith("-") ? applyStyle(io, "red", line) : line;
}
