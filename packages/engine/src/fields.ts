import type { Json } from "@tripline/contract/json";
import { type Path, quoteText, type Report } from "./diagnostics.ts";
import { didYouMean } from "./nearest.ts";

type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the known fields of an object, treating null as absent; reports all others, with a hint if there is one. */
export function readFields(
	value: Fields,
	at: Path,
	known: readonly string[],
	report: Report,
	hints: Readonly<Record<string, string>> = {},
): Fields {
	const fields: Record<string, unknown> = {};
	for (const [name, field] of Object.entries(value)) {
		if (known.includes(name)) {
			if (field !== null) fields[name] = field;
			continue;
		}
		const hint = Object.hasOwn(hints, name)
			? hints[name]
			: () => didYouMean(name, known) ?? `Known: ${known.join(", ")}`;
		report.error(
			"unknown_field",
			`unknown field ${quoteText(name)}`,
			{ path: [...at, name], key: true },
			hint,
		);
	}
	return fields;
}

/** Returns the field that has one of two names, and reports it if both are set. */
export function readOneOf(
	value: Fields,
	at: Path,
	names: readonly [string, string],
	report: Report,
): { readonly value: Json; readonly at: Path } | undefined {
	const [name, other] = names.filter((name) => Object.hasOwn(value, name) && value[name] !== null);
	if (name === undefined) return undefined;
	if (other !== undefined) {
		const message = `"${name}" and "${other}" mean the same: use only one of them`;
		report.error("bad_field", message, { path: [...at, other], key: true });
	}
	return { value: value[name] as Json, at: [...at, name] };
}
