import assert from "node:assert/strict";
import type { Json } from "@tripline/contract/json";
import { runForOutput } from "../run-node.ts";
import { readZip } from "./read-zip.ts";

export interface ReadCell {
	readonly value: Json;
	/** Position in the styles. */
	readonly style: number;
}

export interface ReadSheet {
	readonly name: string;
	/** By row and column; null where there is no cell. */
	readonly rows: readonly (readonly (ReadCell | null)[])[];
	readonly xml: string;
}

type Xml = { readonly [name: string]: Json };

/** Reads a workbook as spreadsheets do, with the XML parser of `parse`, which refuses all that is not well formed. */
export async function readXlsx(content: Uint8Array): Promise<ReadSheet[]> {
	const parts = new Map(readZip(content).map(({ path, bytes }) => [path, bytes.toString("utf8")]));
	const parsePart = async (path: string): Promise<Xml> => {
		const text = parts.get(path);
		assert.ok(text !== undefined, `there is no ${path}`);
		const input = { format: "xml", text: "{{input.text}}" };
		return (await runForOutput("parse", input, { input: { text } })) as Xml;
	};
	const relations = toList((await parsePart("xl/_rels/workbook.xml.rels")).Relationships, "Relationship");
	const targets = new Map(relations.map((relation) => [relation["@Id"], relation["@Target"]]));
	const types = toList((await parsePart("[Content_Types].xml")).Types, "Override");
	const sheets = ((await parsePart("xl/workbook.xml")).workbook as Xml).sheets as Json;
	const read: ReadSheet[] = [];
	for (const sheet of toList(sheets, "sheet")) {
		const path = `xl/${targets.get(sheet["@r:id"] as string)}`;
		assert.ok(types.some((type) => type["@PartName"] === `/${path}`));
		const { sheetData } = (await parsePart(path)).worksheet as Xml;
		read.push({
			name: sheet["@name"] as string,
			rows: readRows(sheetData as Json),
			xml: parts.get(path) ?? "",
		});
	}
	return read;
}

function readRows(sheetData: Json): (ReadCell | null)[][] {
	return toList(sheetData, "row").map((row, index) => {
		assert.equal(row["@r"], String(index + 1));
		const cells: (ReadCell | null)[] = [];
		for (const cell of toList(row, "c")) {
			const [, letters = "", number] = /^([A-Z]+)(\d+)$/.exec(cell["@r"] as string) ?? [];
			assert.equal(number, row["@r"]);
			const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
			assert.ok(column >= cells.length, "cells are in order");
			while (cells.length < column) cells.push(null);
			cells.push({ value: readValue(cell), style: Number(cell["@s"] ?? 0) });
		}
		return cells;
	});
}

function readValue(cell: Xml): Json {
	assert.equal(cell.f, undefined, "no cell is a formula");
	if (cell["@t"] === "b") return cell.v === "1";
	if (cell["@t"] !== "inlineStr") return Number(cell.v);
	const text = (cell.is as Xml).t as Json;
	const written = typeof text === "string" ? text : (((text as Xml)["#text"] as string | undefined) ?? "");
	return written.replace(/_x([0-9A-F]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Children of that name: the parser gives a list only if a name repeats. */
function toList(parent: Json | undefined, name: string): Xml[] {
	const children = (parent as Xml | undefined)?.[name] ?? [];
	return (Array.isArray(children) ? children : [children]) as Xml[];
}
