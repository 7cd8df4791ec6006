import type { Json } from "@tripline/contract/json";
import type { NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import type * as z from "zod";
import type { Effects, FileReference, OpenFile } from "../effects.ts";
import { CsvReader } from "./csv.ts";
import { type ReadCall, readTextPieces, readWholeText } from "./file-text.ts";
import { assertReadableSize, describeUnused, detectFormat, listUnused } from "./formats.ts";
import { JsonLinesReader } from "./json.ts";
import type { Params } from "./params.ts";
import { parseWhole } from "./parse-text.ts";
import { parsePdf } from "./pdf.ts";

type Options = z.output<typeof Params>;
type Call = NodeCall<Effects> & { readonly params: Options };

/** Opens the file and reads it as its format needs: in pieces with turns, or in one piece if it must be small. */
export async function parseFile(reference: FileReference, call: Call): Promise<Json> {
	const { params } = call;
	const file = await call.effects.files.open(reference, call);
	const format = params.format ?? detectFormat(file.value);
	const [unused] = listUnused(format, params);
	if (unused !== undefined) throw new TerminalError(`${unused} ${describeUnused(format)}`);
	assertReadableSize(format, file.value.size);
	const { header = true, delimiter = "," } = params;
	switch (format) {
		case "csv":
			return readInPieces(new CsvReader({ ...params, header, delimiter }, call.meter), file, call);
		case "tsv":
			return readInPieces(
				new CsvReader({ ...params, header, name: "TSV", delimiter: "\t" }, call.meter),
				file,
				call,
			);
		case "jsonl":
			return readInPieces(new JsonLinesReader(params, call.meter), file, call);
		case "zip":
			return (await import("./zip.ts")).parseZip(file, params, call.effects.files, call);
		case "xlsx":
			return (await import("./xlsx.ts")).parseXlsx(file, { ...params, header }, call);
		case "docx":
			return (await import("./docx.ts")).parseDocx(file, call);
		case "pdf":
			return parsePdf(file, params.pages, call.effects.pdf, call);
		default:
			return parseWhole(format, await readWholeText(file, params.encoding, call), call);
	}
}

interface PieceReader {
	readonly values: Json[];
	readonly isDone: boolean;
	read(piece: string, isLast: boolean): void;
}

async function readInPieces(
	reader: PieceReader,
	file: OpenFile,
	call: ReadCall & { readonly params: Options },
): Promise<Json> {
	for await (const piece of readTextPieces(file, call.params.encoding, call)) {
		reader.read(piece, false);
		if (reader.isDone) return reader.values;
	}
	reader.read("", true);
	return reader.values;
}
