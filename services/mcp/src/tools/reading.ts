import type { Json } from "@tripline/contract/json";
import * as z from "zod";
import { createFitter, type Omitted } from "./budget.ts";
import { selectPart } from "./select.ts";
import { ToolProblem } from "./tool.ts";

/** Output fields next to a value that may have been truncated. */
export const readingFields = {
	truncated: z.boolean(),
	total_chars: z.int(),
	omitted: z
		.array(
			z.object({
				path: z.string(),
				kind: z.enum(["text", "list", "object"]),
				kept: z.int(),
				total: z.int(),
			}),
		)
		.meta({ description: "What was truncated; pass path as select" }),
	next_offset: z.int().nullable(),
} as const;

/** Without a description, which would be listed with every field. */
export const AnyValue = z.custom<Json>((value) => value !== undefined);

export interface Reading {
	readonly value: Json;
	readonly truncated: boolean;
	readonly total_chars: number;
	readonly omitted: Omitted[];
	readonly next_offset: number | null;
}

/** Reads a part of a value, starting at an element or character, as far as the room allows. */
export function createReader(
	whole: Json,
	place: { readonly select?: string | undefined; readonly offset?: number | undefined } = {},
): (room: number) => Reading {
	const part = selectPart(whole, place.select ?? "");
	const offset = place.offset ?? 0;
	const rest = offset === 0 ? part.value : readFrom(part.value, offset);
	const fitIn = createFitter(rest, { path: part.path, first: part.first + offset });
	return (room) => {
		const { omitted, ...fitted } = fitIn(room);
		const kept = omitted.find(({ path, kind }) => path === part.path && kind !== "object")?.kept;
		const isCut = kept !== undefined && kept > 0 && typeof rest === typeof fitted.value;
		return { ...fitted, omitted: [...omitted], next_offset: isCut ? offset + kept : null };
	};
}

function readFrom(value: Json, offset: number): Json {
	if (typeof value !== "string" && !Array.isArray(value))
		throw new ToolProblem("offset applies only to a text or a list: choose one with select.");
	if (offset > value.length) {
		const what = typeof value === "string" ? `${value.length} characters` : `${value.length} elements`;
		throw new ToolProblem(`offset is past the end: there are ${what}. Start again with offset 0.`);
	}
	return value.slice(offset);
}

/** Says how to read on, for the end of an answer. */
export function describeReadOn(reading: Reading, call: (place: string) => string): string {
	if (reading.next_offset !== null) return `Read on: ${call(`"offset":${reading.next_offset}`)}.`;
	const [first] = reading.omitted;
	if (first === undefined) return "";
	const at = first.kind === "list" ? `${first.path}[${first.kept}:${first.kept + 20}]` : first.path;
	return `Read a part: ${call(`"select":${JSON.stringify(at)}`)}.`;
}
