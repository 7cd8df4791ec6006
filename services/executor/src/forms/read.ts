import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { FieldValue, FileFields } from "../http/bodies/fields.ts";
import { type FormConstant, type FormField, type FormModel, TRAP_NAME } from "./model.ts";
import type { Problem } from "./texts.ts";

/** What was filled in. Fields with problems are missing in the input. */
export interface FormReading {
	readonly input: JsonObject;
	/** By the names of the fields. */
	readonly problems: ReadonlyMap<string, Problem>;
	/** A program filled in the field that people do not see. */
	readonly isTrapped: boolean;
}

/** Makes the input of what a form sent. Names that the form does not have are ignored. */
export function readFormInput(model: FormModel, fields: FileFields): FormReading {
	const problems = new Map<string, Problem>();
	const input: JsonObject = {};
	for (const item of model.items) {
		if (item.kind !== "group") {
			setValue(input, item.key, readItem(item, fields, problems));
			continue;
		}
		const isLeftOut = !item.isRequired && item.items.every((each) => isEmpty(each, fields));
		if (isLeftOut) continue;
		const group: JsonObject = {};
		for (const inner of item.items) setValue(group, inner.key, readItem(inner, fields, problems));
		setValue(input, item.key, group);
	}
	const isTrapped = fields.get(TRAP_NAME)?.some((value) => value !== "") ?? false;
	return { input, problems, isTrapped };
}

/** The names are the workflow's own; a schema cannot name `__proto__`. */
function setValue(input: JsonObject, key: string, value: Json | undefined): void {
	if (value !== undefined) input[key] = value;
}

const isEmpty = (item: FormField | FormConstant, fields: FileFields): boolean =>
	item.kind === "constant" ||
	!(fields.get(item.name)?.some((value) => typeof value !== "string" || value.trim() !== "") ?? false);

function readItem(
	item: FormField | FormConstant,
	fields: FileFields,
	problems: Map<string, Problem>,
): Json | undefined {
	if (item.kind === "constant") return item.value;
	const values = fields.get(item.name) ?? [];
	const result = item.kind === "file" ? readFiles(item, values) : readField(item, values.filter(isText));
	if (!(result instanceof Refusal)) return result;
	problems.set(item.name, result.problem);
	return undefined;
}

class Refusal {
	readonly problem: Problem;
	constructor(problem: Problem) {
		this.problem = problem;
	}
}

const isText = (value: FieldValue): value is string => typeof value === "string";

/** A text where a file is expected was typed by a program, or sent by a page of the workflow before its change. */
function readFiles(
	field: FormField & { readonly kind: "file" },
	values: readonly FieldValue[],
): Json | undefined | Refusal {
	if (values.some((value) => isText(value) && value !== "")) return new Refusal("file");
	const files = values.filter((value) => !isText(value));
	const [first] = files;
	if (field.isList) return first === undefined && !field.isRequired ? undefined : files;
	if (files.length > 1) return new Refusal("singleFile");
	if (first !== undefined) return first;
	if (!field.isRequired) return undefined;
	return field.isNullable ? null : new Refusal("file");
}

function readField(field: FormField, values: readonly string[]): Json | undefined | Refusal {
	switch (field.kind) {
		case "several":
			return readSeveral(field, values);
		case "boolean":
			if (values.includes("true")) return true;
			return field.mustBeTrue && field.isRequired ? new Refusal("mustCheck") : toUnchecked(field);
	}
	if (values.length > 1) return new Refusal("single");
	const text = values[0] ?? "";
	if (text.trim() === "" && !(field.kind === "text" && text !== "")) return readEmpty(field);
	return readText(field, text);
}

/** Consent that was not given must not be sent as a value that the schema refuses. */
const toUnchecked = ({ mustBeTrue }: { readonly mustBeTrue: boolean }): false | undefined =>
	mustBeTrue ? undefined : false;

function readEmpty(field: FormField): Json | undefined | Refusal {
	if (!field.isRequired) return undefined;
	if (field.isNullable) return null;
	if (field.kind === "lines") return [];
	return new Refusal(field.kind === "choice" ? "choice" : "required");
}

function readText(field: FormField, text: string): Json | Refusal {
	const trimmed = text.trim();
	switch (field.kind) {
		case "number":
			return readNumber(trimmed, field.isWhole);
		case "choice":
			return field.options.find((option) => option.text === text)?.value ?? new Refusal("choice");
		case "lines":
			return readLines(text, field.element === "number");
		case "date":
			return /^\d{4}-\d{2}-\d{2}$/.test(trimmed) ? trimmed : new Refusal("date");
		case "time":
			return TIME.test(trimmed) ? trimmed : new Refusal("time");
		case "date_time":
			return readDateTime(trimmed);
		case "long_text":
			// Browsers send CRLF, but count and show LF.
			return text.replaceAll("\r\n", "\n");
		default:
			return field.kind === "text" && field.input !== "text" ? trimmed : text;
	}
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
const MAX_DIGITS = 400;

function readNumber(text: string, isWhole: boolean): number | Refusal {
	const value = text.length <= MAX_DIGITS && NUMBER.test(text) ? Number(text) : Number.NaN;
	if (!Number.isFinite(value)) return new Refusal(isWhole ? "whole" : "number");
	return isWhole && !Number.isInteger(value) ? new Refusal("whole") : value;
}

/** A browser sends no time zone, so the page says that times are UTC. A complete time is taken as it is. */
function readDateTime(text: string): string | Refusal {
	const [, date, time = "", zone] =
		/^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?$/.exec(text) ?? [];
	if (date === undefined) return new Refusal("dateTime");
	return `${date}T${time.length === 5 ? `${time}:00` : time}${zone ?? "Z"}`;
}

function readLines(text: string, isNumbers: boolean): Json[] | Refusal {
	const lines = text
		.split(/\r\n|\r|\n/)
		.map((line) => line.trim())
		.filter((line) => line !== "");
	if (!isNumbers) return lines;
	const numbers: number[] = [];
	for (const line of lines) {
		const value = readNumber(line, false);
		if (value instanceof Refusal) return new Refusal("lineNumber");
		numbers.push(value);
	}
	return numbers;
}

function readSeveral(
	field: FormField & { readonly kind: "several" },
	values: readonly string[],
): Json[] | undefined | Refusal {
	const chosen = new Set(values.filter((value) => value !== ""));
	const known = field.options.filter(({ text }) => chosen.has(text));
	if (known.length < chosen.size) return new Refusal("choice");
	return known.length === 0 && !field.isRequired ? undefined : known.map(({ value }) => value);
}
