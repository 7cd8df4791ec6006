import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";
import { typeOf } from "../issues.ts";

export const anything = () => z.custom<Json>((value) => value !== undefined);

export const isObject = (value: unknown): value is JsonObject =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** Not z.record and z.array: those copy what they check, and a record loses the name __proto__. */
export const anyObject = () => z.custom<JsonObject>(isObject, notA("an object"));
export const anyList = () => z.custom<Json[]>(Array.isArray, notA("a list"));

/** Equal for values that JSON Schema calls equal. */
export function comparable(value: Json): string {
	return JSON.stringify(value, (_, inner: Json) =>
		isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
	);
}

const notA = (wanted: string) => ({
	error: ({ input }: { readonly input?: unknown }) => `must be ${wanted}, but is ${typeOf(input)}`,
});
