import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";
import { buildTree } from "./html-build.ts";
import { BLOCKS, HIDDEN } from "./html-elements.ts";
import type { HtmlElement } from "./html-tree.ts";
import { ReadableText } from "./readable-text.ts";
import { compileSelect, type Selection } from "./selection.ts";
import { createMatcher } from "./selector-match.ts";

/** Elements inside each other may all be selected, so a short text can become a very large value. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const UNITS_PER_VALUE = 16;

/** Gives a value for each name: of the first matching element, or null, or a list of all. */
export function selectHtml(html: string, select: JsonObject, meter: Meter): Json {
	const selections = compileSelect(select, { report: throwProblem, meter });
	const tree = buildTree(html, meter);
	const matcher = createMatcher(tree, meter);
	let room = MAX_CHARACTERS;
	return selectFrom(tree.root, selections);

	function selectFrom(scope: HtmlElement, fields: readonly Selection[]): Json {
		return Object.fromEntries(fields.map((field) => [field.name, selectOne(scope, field)]));
	}

	function selectOne(scope: HtmlElement, { selectors, isList, take }: Selection): Json {
		const found = matcher.find(selectors, scope, isList ? undefined : 1);
		if (isList) return found.map((element) => takeFrom(element, take));
		return found[0] === undefined ? null : takeFrom(found[0], take);
	}

	function takeFrom(element: HtmlElement, take: Selection["take"]): Json {
		meter.spend(UNITS_PER_VALUE);
		if (take.kind === "fields") return selectFrom(element, take.fields);
		const value =
			take.kind === "attribute"
				? (element.attributes.get(take.name) ?? null)
				: take.kind === "html"
					? html.slice(element.start, element.end)
					: readText(element);
		room -= value?.length ?? 0;
		if (room < 0) {
			throw new TerminalError(
				`the selected values are larger than ${MAX_CHARACTERS} characters together; select less`,
			);
		}
		return value;
	}

	function readText(element: HtmlElement): string {
		const isSource = HIDDEN.has(element.name) && element.name !== "title";
		const text = new ReadableText();
		let source = "";
		for (let at = element.tapeStart; at < element.tapeEnd; at++) {
			const entry = tree.tape[at] as string | HtmlElement;
			if (typeof entry === "string") {
				meter.spend(6 + entry.length / 16);
				if (isSource) source += entry;
				else text.addCollapsed(entry);
				continue;
			}
			meter.spend(1);
			// The content of a hidden element is skipped up to its end tag.
			if (entry !== element && entry.tapeStart === at && HIDDEN.has(entry.name)) at = entry.tapeEnd - 1;
			else if (BLOCKS.has(entry.name)) text.separate("\n");
			else if (entry.name === "td" || entry.name === "th") text.separate(" ");
		}
		return isSource ? source.trim() : text.read();
	}
}

function throwProblem(path: readonly string[], message: string): never {
	throw new TerminalError(`select.${path.join(".")} ${message}`);
}
