import type { Json } from "@tripline/contract/json";
import type { Meter } from "@tripline/engine/meter";
import { listType, NULL, objectType, TEXT, type Type, unionType } from "@tripline/engine/types/type";
import { isObject } from "../schemas.ts";
import type { SelectorList } from "./selector.ts";
import { MAX_SELECTOR_CHARACTERS, parseSelector, SelectorError } from "./selector-parse.ts";

/** One name of `select`. */
export interface Selection {
	readonly name: string;
	readonly selectors: SelectorList;
	/** Whether it takes all matching elements, not only the first. */
	readonly isList: boolean;
	readonly take: Take;
}

/** What it takes of an element. */
type Take =
	| { readonly kind: "text" | "html" }
	| { readonly kind: "attribute"; readonly name: string }
	| { readonly kind: "fields"; readonly fields: readonly Selection[] };

interface Surroundings {
	readonly report: (path: readonly string[], message: string) => void;
	readonly meter: Meter | undefined;
}

const MAX_SELECTIONS = 100;
const MAX_NESTING = 8;
const UNITS_PER_SELECTOR = 100;
const UNITS_PER_CHARACTER = 3;
const UNITS_PER_PROBLEM = 400;
const KEYS: ReadonlySet<string> = new Set(["first", "all", "attribute", "html", "fields"]);
const FORMS = "a CSS selector, or { first or all: selector } with attribute, html: true or fields";

/** Reports problems with their places, and leaves out what has one. */
export function compileSelect(
	select: { readonly [name: string]: Json },
	{ report, meter }: Surroundings,
): Selection[] {
	let count = 0;
	return compileFields(select, []);

	function compileFields(fields: { readonly [name: string]: Json }, path: readonly string[]): Selection[] {
		const names = Object.keys(fields);
		if (names.length === 0) report(path, "must not be empty");
		else if (path.length / 2 >= MAX_NESTING) report(path, `must not nest deeper than ${MAX_NESTING} levels`);
		else if (count + names.length > MAX_SELECTIONS)
			report(path, `must be at most ${MAX_SELECTIONS} names in total`);
		else {
			count += names.length;
			return names.flatMap((name) => compileOne(name, fields[name] as Json, [...path, name]));
		}
		return [];
	}

	function compileOne(name: string, given: Json, path: readonly string[]): Selection[] {
		if (typeof given === "string") {
			const selectors = compileSelector(given, path);
			return selectors === null ? [] : [{ name, selectors, isList: false, take: { kind: "text" } }];
		}
		if (!isObject(given)) {
			report(path, `must be ${FORMS}`);
			return [];
		}
		const unknown = Object.keys(given).find((key) => !KEYS.has(key));
		if (unknown !== undefined) {
			report([...path, unknown], `is not known here: use ${FORMS}`);
			return [];
		}
		const { first, all } = given;
		const selector = first ?? all;
		if (typeof selector !== "string" || (first !== undefined && all !== undefined)) {
			report(path, "must have either first or all, a CSS selector");
			return [];
		}
		const isList = all !== undefined;
		const selectors = compileSelector(selector, [...path, isList ? "all" : "first"]);
		const take = compileTake(given, path);
		return selectors === null || take === null ? [] : [{ name, selectors, isList, take }];
	}

	function compileTake(
		{ attribute, html, fields }: { readonly [name: string]: Json },
		path: readonly string[],
	): Take | null {
		if ([attribute, html, fields].filter((given) => given !== undefined).length > 1) {
			report(path, "must have at most one of attribute, html and fields");
		} else if (attribute !== undefined) {
			if (typeof attribute === "string" && attribute !== "")
				return { kind: "attribute", name: attribute.toLowerCase() };
			report([...path, "attribute"], "must be the name of an attribute, such as href");
		} else if (fields !== undefined) {
			if (isObject(fields)) return { kind: "fields", fields: compileFields(fields, [...path, "fields"]) };
			report([...path, "fields"], "must be an object with a selection for each name");
		} else if (html === undefined || html === true) return { kind: html === true ? "html" : "text" };
		else report([...path, "html"], "must be true or left out");
		return null;
	}

	function compileSelector(text: string, path: readonly string[]): SelectorList | null {
		meter?.spend(UNITS_PER_SELECTOR + UNITS_PER_CHARACTER * Math.min(text.length, MAX_SELECTOR_CHARACTERS));
		try {
			return parseSelector(text);
		} catch (error) {
			if (!(error instanceof SelectorError)) throw error;
			meter?.spend(UNITS_PER_PROBLEM);
			report(path, `is not a CSS selector: ${error.message}`);
			return null;
		}
	}
}

const TEXT_OR_NULL = unionType([TEXT, NULL]);

/** The type of what the selections give. */
export const inferSelected = (selections: readonly Selection[]): Type =>
	objectType(new Map(selections.map((selection) => [selection.name, inferOne(selection)])));

function inferOne({ isList, take }: Selection): Type {
	if (take.kind === "fields") {
		const fields = inferSelected(take.fields);
		return isList ? listType(fields) : unionType([fields, NULL]);
	}
	return isList ? listType(take.kind === "attribute" ? TEXT_OR_NULL : TEXT) : TEXT_OR_NULL;
}
