import type { TypedNode } from "@tripline/engine/component";
import {
	ANY,
	ANY_OBJECT,
	BOOLEAN,
	listType,
	NULL,
	NUMBER,
	objectType,
	TEXT,
	type Type,
	unionType,
} from "@tripline/engine/types/type";
import { isObject } from "../schemas.ts";
import { compileSelect, inferSelected } from "./selection.ts";

const TEXT_OR_NULL = unionType([TEXT, NULL]);

const HTML_PAGE = objectType({
	title: TEXT,
	text: TEXT,
	links: listType(objectType({ href: TEXT, text: TEXT })),
	headings: listType(objectType({ level: NUMBER, text: TEXT })),
	tables: listType(listType(listType(TEXT))),
});

const CALENDAR = objectType({
	name: TEXT_OR_NULL,
	events: listType(
		objectType({
			uid: TEXT_OR_NULL,
			summary: TEXT_OR_NULL,
			start: TEXT_OR_NULL,
			end: TEXT_OR_NULL,
			all_day: BOOLEAN,
			timezone: TEXT_OR_NULL,
			description: TEXT_OR_NULL,
			location: TEXT_OR_NULL,
			status: TEXT_OR_NULL,
			organizer: unionType([objectType({ name: TEXT_OR_NULL, email: TEXT }), NULL]),
			attendees: listType(objectType({ name: TEXT_OR_NULL, email: TEXT, status: TEXT_OR_NULL })),
			recurrence: TEXT_OR_NULL,
			recurrence_id: TEXT_OR_NULL,
			excluded: listType(TEXT),
			url: TEXT_OR_NULL,
		}),
	),
});

const NAMED_ROW: Type = { kind: "object", fields: new Map(), others: TEXT };

const CELL = unionType([TEXT, NUMBER, BOOLEAN, NULL]);
const SHEET_ROW: Type = { kind: "object", fields: new Map(), others: CELL };

const DOCUMENT = objectType({ title: TEXT_OR_NULL, text: TEXT });

const PDF = objectType({
	title: TEXT_OR_NULL,
	author: TEXT_OR_NULL,
	subject: TEXT_OR_NULL,
	created: TEXT_OR_NULL,
	modified: TEXT_OR_NULL,
	page_count: NUMBER,
	pages: listType(objectType({ number: NUMBER, text: TEXT })),
});

const ZIP_ENTRY = {
	path: TEXT,
	size: NUMBER,
	compressed_size: NUMBER,
	modified: TEXT_OR_NULL,
	folder: BOOLEAN,
};
const FILE = objectType({ $file: TEXT, name: TEXT, type: TEXT, size: NUMBER });

export function inferParsed(node: TypedNode): Type {
	switch (node.constant("format")) {
		case "html":
			return node.has("select") ? inferSelect(node) : HTML_PAGE;
		case "xml":
			return ANY_OBJECT;
		case "ics":
			return CALENDAR;
		case "jsonl":
			return listType(ANY);
		case "csv":
		case "tsv":
			return inferRows(node, TEXT, NAMED_ROW);
		case "xlsx":
			return inferSheets(node);
		case "docx":
			return DOCUMENT;
		case "pdf":
			return PDF;
		case "zip":
			return listType(objectType(node.has("extract") ? { ...ZIP_ENTRY, file: FILE } : ZIP_ENTRY));
		default:
			return ANY;
	}
}

function inferRows({ has, constant }: TypedNode, value: Type, named: Type): Type {
	const header = has("header") ? constant("header") : true;
	return listType(header === false ? listType(value) : header === true ? named : ANY);
}

function inferSheets(node: TypedNode): Type {
	const rows = inferRows(node, CELL, SHEET_ROW);
	if (!node.has("sheet")) return rows;
	const sheet = node.constant("sheet");
	if (sheet === undefined) return ANY;
	return sheet === "*" ? { kind: "object", fields: new Map(), others: rows } : rows;
}

function inferSelect({ constant, meter }: TypedNode): Type {
	const select = constant("select");
	if (select === undefined || !isObject(select)) return ANY_OBJECT;
	let isValid = true;
	const report = () => {
		isValid = false;
	};
	const selections = compileSelect(select, { report, meter });
	return isValid ? inferSelected(selections) : ANY_OBJECT;
}
