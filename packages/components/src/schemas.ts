import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { describeType } from "@tripline/engine/issues";
import * as z from "zod";

export const expression = () => z.string().min(1, "must not be empty");

// z.record and z.array are avoided: they copy what they check, and z.record drops the key __proto__.
export const anything = () => z.custom<Json>((value) => value !== undefined);
export const anyObject = () =>
	z.custom<JsonObject>(isObject, { error: buildTypeError("an object") }).meta({ type: "object" });
export const anyList = () =>
	z.custom<Json[]>(Array.isArray, { error: buildTypeError("a list") }).meta({ type: "array" });

/** Reporting more would not help anyone. */
const MAX_PROBLEMS = 20;

/** Headers with names that are unique regardless of case; `problem` describes what is wrong with one, or is null. */
export const headersSchema = (problem: (name: string, value: Json) => string | null) =>
	anyObject().superRefine((headers, context) => {
		const seen = new Set<string>();
		let problems = 0;
		for (const name of Object.keys(headers)) {
			const message =
				problem(name, headers[name] as Json) ?? (seen.has(name.toLowerCase()) ? "is set twice" : null);
			if (message !== null) {
				context.addIssue({ code: "custom", path: [name], message });
				if (++problems === MAX_PROBLEMS) return;
			}
			seen.add(name.toLowerCase());
		}
	});

export function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

const buildTypeError =
	(wanted: string) =>
	({ input }: { readonly input?: unknown }): string =>
		`must be ${wanted}, but is ${describeType(input)}`;
