import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "../../api/types.ts";

interface Option {
	readonly text: string;
	readonly label: string;
	readonly value: Json;
}

type Kind =
	| { readonly kind: "text"; readonly input: "text" | "email" | "url" | "tel" | "date" | "time" }
	/** The browser gives a local time, the answer is in UTC. */
	| { readonly kind: "date_time" | "long_text" | "number" | "boolean" }
	| { readonly kind: "choice"; readonly options: readonly Option[] }
	/** Whatever has no control of its own is typed as JSON. */
	| { readonly kind: "json" };

export type AnswerField = Kind & {
	readonly key: string;
	readonly label: string;
	readonly help: string | undefined;
	readonly isRequired: boolean;
	/** What the control holds at first: for a checkbox `true` or nothing. */
	readonly preset: string;
};

/** Texts may be longer than this only in several lines. */
const MAX_LINE_LENGTH = 200;
const INPUTS = { email: "email", uri: "url", tel: "tel", date: "date", time: "time" } as const;

/** The controls for the fields of a question. */
export function listAnswerFields({ properties, required }: JsonObject): AnswerField[] {
	const needed = Array.isArray(required) ? required : [];
	return Object.entries(isObject(properties) ? properties : {}).flatMap(([key, property]) => {
		if (property === false) return [];
		const schema = isObject(property) ? property : {};
		const kind = chooseKind(schema);
		return {
			...kind,
			key,
			label: typeof schema.title === "string" && schema.title !== "" ? schema.title : key,
			help: typeof schema.description === "string" ? schema.description : undefined,
			isRequired: needed.includes(key),
			preset: toPreset(schema.const ?? schema.default, kind),
		};
	});
}

function chooseKind({ type, format, maxLength, enum: values }: JsonObject): Kind {
	if (Array.isArray(values) && values.every((value) => typeof value !== "object")) {
		const options = values.map((value) => ({ text: String(value), label: String(value), value }));
		return { kind: "choice", options };
	}
	switch (type) {
		case "boolean":
			return { kind: "boolean" };
		case "number":
		case "integer":
			return { kind: "number" };
		case "string":
			break;
		default:
			return { kind: "json" };
	}
	if (format === "date-time") return { kind: "date_time" };
	if (typeof format === "string" && Object.hasOwn(INPUTS, format))
		return { kind: "text", input: INPUTS[format as keyof typeof INPUTS] };
	const isLong = format === "textarea" || format === "multiline" || Number(maxLength ?? 0) > MAX_LINE_LENGTH;
	return isLong ? { kind: "long_text" } : { kind: "text", input: "text" };
}

function toPreset(value: Json | undefined, { kind }: Kind): string {
	if (value === undefined || value === null) return "";
	if (kind === "boolean") return value === true ? "true" : "";
	// A control for local times cannot show another one.
	if (kind === "date_time") return "";
	return kind === "json" ? JSON.stringify(value) : String(value);
}

export type AnswerProblem = "required" | "number" | "json";

export interface ReadAnswer {
	readonly answer: JsonObject;
	readonly problems: ReadonlyMap<string, AnswerProblem>;
}

/** Makes an answer of what the controls hold. Optional fields that are empty are left out. */
export function readAnswer(
	fields: readonly AnswerField[],
	filled: Readonly<Record<string, string>>,
): ReadAnswer {
	const problems = new Map<string, AnswerProblem>();
	const entries = fields.flatMap((field) => {
		const text = filled[field.key] ?? field.preset;
		if (field.kind === "boolean") return [[field.key, text === "true"] as const];
		if (text.trim() === "") {
			if (field.isRequired) problems.set(field.key, "required");
			return [];
		}
		const value = parseValue(field, text);
		if (value === undefined) problems.set(field.key, field.kind === "number" ? "number" : "json");
		return value === undefined ? [] : [[field.key, value] as const];
	});
	return { answer: Object.fromEntries(entries), problems };
}

/** Undefined if the text is not valid. */
function parseValue(field: AnswerField, text: string): Json | undefined {
	switch (field.kind) {
		case "choice":
			return field.options.find((option) => option.text === text)?.value;
		case "number":
			return Number.isFinite(Number(text)) ? Number(text) : undefined;
		case "date_time":
			return new Date(text).toISOString();
		case "json":
			try {
				return JSON.parse(text) as Json;
			} catch {
				return undefined;
			}
		default:
			return text;
	}
}

const isObject = (value: unknown): value is JsonObject =>
	typeof value === "object" && value !== null && !Array.isArray(value);
