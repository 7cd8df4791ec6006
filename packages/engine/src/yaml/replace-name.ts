import { isMap, isScalar } from "yaml";
import { Report } from "../diagnostics.ts";
import { parseBounded } from "../yaml.ts";
import { toKeyName } from "./places.ts";

/**
 * Replaces the value of the top-level key `name` and nothing else. Null if there is none that stands in the text as a
 * plain or quoted text of its own.
 */
export function replaceName(text: string, name: string): string | null {
	const contents = parseBounded(text, new Report())?.contents;
	if (!isMap(contents)) return null;
	const value = contents.items.find(({ key }) => toKeyName(key) === "name")?.value;
	if (!isScalar(value) || value.anchor !== undefined || value.tag !== undefined) return null;
	const [start, end] = value.range ?? [];
	const isInline = value.type === "PLAIN" || value.type === "QUOTE_DOUBLE" || value.type === "QUOTE_SINGLE";
	if (!isInline || start === undefined || end === undefined || start === end) return null;
	// Double quotes stay, because the text may be JSON.
	const written = value.type !== "QUOTE_DOUBLE" && isPlain(name) ? name : JSON.stringify(name);
	return text.slice(0, start) + written + text.slice(end);
}

/** Whether YAML reads it as this text without quotes. */
const isPlain = (name: string): boolean =>
	/^[A-Za-z][\w -]*\w$/.test(name) && !/^(?:true|false|null|yes|no|on|off|inf|nan)$/i.test(name);
