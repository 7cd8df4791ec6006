import type { TypedNode } from "@tripline/engine/component";
import {
	ANY,
	ANY_OBJECT,
	BOOLEAN,
	listOf,
	NULL,
	NUMBER,
	objectOf,
	TEXT,
	type Type,
	unionOf,
} from "@tripline/engine/types/type";
import { isObject } from "../schemas.ts";
import { compileSelect, inferSelected } from "./selection.ts";

const TEXT_OR_NULL = unionOf([TEXT, NULL]);

const HTML_PAGE = objectOf({
	title: TEXT,
	text: TEXT,
	links: listOf(objectOf({ href: TEXT, text: TEXT })),
	headings: listOf(objectOf({ level: NUMBER, text: TEXT })),
	tables: listOf(listOf(listOf(TEXT))),
});

const CALENDAR = objectOf({
	name: TEXT_OR_NULL,
	events: listOf(
		objectOf({
			uid: TEXT_OR_NULL,
			summary: TEXT_OR_NULL,
			start: TEXT_OR_NULL,
			end: TEXT_OR_NULL,
			all_day: BOOLEAN,
			timezone: TEXT_OR_NULL,
			description: TEXT_OR_NULL,
			location: TEXT_OR_NULL,
			status: TEXT_OR_NULL,
			organizer: unionOf([objectOf({ name: TEXT_OR_NULL, email: TEXT }), NULL]),
			attendees: listOf(objectOf({ name: TEXT_OR_NULL, email: TEXT, status: TEXT_OR_NULL })),
			recurrence: TEXT_OR_NULL,
			recurrence_id: TEXT_OR_NULL,
			excluded: listOf(TEXT),
			url: TEXT_OR_NULL,
		}),
	),
});

const NAMED_ROW: Type = { kind: "object", fields: new Map(), others: TEXT };

export function inferParsed(node: TypedNode): Type {
	switch (node.constant("format")) {
		case "html":
			return node.has("select") ? inferSelect(node) : HTML_PAGE;
		case "xml":
			return ANY_OBJECT;
		case "ics":
			return CALENDAR;
		case "jsonl":
			return listOf(ANY);
		case "csv":
		case "tsv":
			return inferRows(node);
		default:
			return ANY;
	}
}

function inferRows({ has, constant }: TypedNode): Type {
	const header = has("header") ? constant("header") : true;
	return listOf(header === false ? listOf(TEXT) : header === true ? NAMED_ROW : ANY);
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
