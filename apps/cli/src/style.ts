import { styleText } from "node:util";
import type { Io } from "./io.ts";

/** Adds colour only on a terminal and without NO_COLOR. */
export const applyStyle = (
	io: Io,
	format: "bold" | "dim" | "green" | "red" | "yellow",
	text: string,
): string => (io.isTerminal && !io.env.NO_COLOR ? styleText(format, text, { validateStream: false }) : text);
