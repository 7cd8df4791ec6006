import type { Json } from "@tripline/contract/json";
import { type GivenFile, parseGiven } from "./parse-given-file.ts";
import { runForError, runForOutput } from "./run-node.ts";
import { type WrittenBook, writeXlsx } from "./xlsx-writer.ts";

type Options = { readonly [name: string]: Json };

/** A workbook with one sheet. */
export const sheet = (data: string, more: Omit<WrittenBook, "sheets"> = {}): GivenFile => ({
	name: "a.xlsx",
	content: writeXlsx({ sheets: { One: data }, ...more }),
	pieceBytes: 4096,
});
export const read = (given: GivenFile, options: Options = {}) => runForOutput(...parseGiven(given, options));
export const fail = (given: GivenFile, options: Options = {}) => runForError(...parseGiven(given, options));
