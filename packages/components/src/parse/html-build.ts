import type { Meter } from "@tripline/engine/meter";
import * as names from "./html-elements.ts";
import { readHtml } from "./html-tokens.ts";
import type { HtmlElement, HtmlTree } from "./html-tree.ts";
import { collapseSpace } from "./readable-text.ts";

/** Deeper elements become siblings, as in browsers. */
const MAX_DEPTH = 512;
const UNITS_PER_ELEMENT = 25;
const BLANK = /^[ \t\n\f\r]*$/;

/**
 * Builds the tree that browsers build, with the tags that a page may leave out. Differences: content of a table outside
 * its cells stays in place, and a formatting element that ends inside a block is not continued there.
 */
export function buildTree(html: string, meter: Meter): HtmlTree {
	meter.spendOnText(32 * html.length);
	const elements: HtmlElement[] = [];
	const tape: (string | HtmlElement)[] = [];
	const open: HtmlElement[] = [];
	/** Where the current tag begins. */
	let position = 0;
	/** Start tags without an open element of their own. */
	let tooDeep = 0;
	let foreign = 0;
	let head: HtmlElement | null = null;
	let body: HtmlElement | null = null;
	const root = insert("html", new Map());

	readHtml(html, meter, {
		text(text) {
			if (body === null && open.at(-1)?.name !== "title") {
				if (BLANK.test(text)) return;
				startBody();
			}
			meter.spend(text.length / 4);
			tape.push(collapseSpace(text));
		},
		source(text) {
			if (names.HIDDEN.has(top().name)) tape.push(text);
		},
		open(name, attributes, start, end) {
			position = start;
			if (name === "html") addAttributes(root, attributes);
			else if (name === "head") startHead(attributes);
			else if (name === "body") startBody(attributes);
			else {
				if (body === null && names.HEAD_CONTENT.has(name)) startHead();
				else startBody();
				makeRoom(name);
				const element = insert(name, attributes as Map<string, string>);
				if (names.VOID.has(name) || (foreign > 0 && html[end - 2] === "/")) leave(element, end);
			}
		},
		close(name, start, end) {
			position = start;
			if (tooDeep > 0) tooDeep--;
			else if (name === "head") {
				if (top() === head) pop(end);
			} else if (name === "p") {
				if (closeOpen("p", names.PARAGRAPH_SCOPE, end)) return;
				startBody();
				leave(insert("p", new Map()), end);
			} else if (name !== "html" && name !== "body" && !names.VOID.has(name)) close(name, end);
		},
	});
	position = html.length;
	while (open.length > 0) pop(position);
	extendParents();
	return { root, elements, tape };

	function close(name: string, end: number): void {
		if (names.FORMATTING.has(name)) endFormatting(name, end);
		else if (name === "li") closeOpen(name, names.LIST_SCOPE, end);
		else if (name === "table" || names.TABLE_PARTS.has(name)) closeOpen(name, names.TABLE_SCOPE, end);
		else if (names.HEADINGS.has(name)) closeOpen(names.HEADINGS, names.SCOPE, end);
		else closeOpen(name, names.SPECIAL.has(name) ? names.SCOPE : names.SPECIAL, end);
	}

	/** Ends what the start tag of an element ends, and begins what it leaves out. */
	function makeRoom(name: string): void {
		if (names.TABLE_PARTS.has(name)) {
			makeRoomInTable(name);
			return;
		}
		if (name === "li") closeOpen("li", names.ITEM_SCOPE);
		else if (name === "dd" || name === "dt") closeOpen(ITEMS, names.ITEM_SCOPE);
		else if (name === "table" && findOpen(TABLE_OR_CELL, names.SCOPE)?.name === "table")
			closeOpen("table", names.SCOPE);
		if (names.ENDS_PARAGRAPH.has(name)) closeOpen("p", names.PARAGRAPH_SCOPE);
		if (name === "a") endFormatting("a", position);
		else if (name === "button") closeOpen("button", names.SCOPE);
		else if (name === "option" || name === "optgroup") {
			if (top().name === "option") pop(position);
			if (name === "optgroup" && top().name === "optgroup") pop(position);
		} else if (names.HEADINGS.has(name) && names.HEADINGS.has(top().name)) pop(position);
		else if (names.RUBY_PARTS.has(name) && names.RUBY_PARTS.has(top().name)) pop(position);
	}

	function makeRoomInTable(name: string): void {
		const parents = names.TABLE_PARENTS.get(name) as ReadonlySet<string>;
		if (findOpen("table", names.TABLE_SCOPE) === undefined) {
			// Rows without a table, such as a part of a page.
			closeOpen(name === "tr" ? "tr" : CELLS, names.TABLE_SCOPE);
			return;
		}
		while (!parents.has(top().name)) pop(position);
		const isCell = CELLS.has(name);
		if (top().name === "table") {
			if (name === "col") insert("colgroup", new Map());
			else if (isCell || name === "tr") insert("tbody", new Map());
		}
		if (isCell && top().name !== "tr") insert("tr", new Map());
	}

	/** Blocks inside it stay open, so that their end tags still end them. */
	function endFormatting(name: string, end: number): void {
		const element = findOpen(name, names.SCOPE);
		if (element === undefined) return;
		const above = open.slice(open.indexOf(element) + 1);
		if (above.some((inner) => names.SPECIAL.has(inner.name))) {
			open.splice(open.indexOf(element), 1);
			leave(element, end);
		} else closeOpen(name, names.SCOPE, end);
	}

	function findOpen(
		wanted: string | ReadonlySet<string>,
		scope: ReadonlySet<string>,
	): HtmlElement | undefined {
		for (let at = open.length - 1; at >= 0; at--) {
			const element = open[at] as HtmlElement;
			if (typeof wanted === "string" ? wanted === element.name : wanted.has(element.name)) {
				meter.spend(open.length - at);
				return element;
			}
			if (scope.has(element.name)) break;
		}
		meter.spend(open.length);
		return undefined;
	}

	/** Ends the innermost such element in the scope with everything inside it. */
	function closeOpen(
		wanted: string | ReadonlySet<string>,
		scope: ReadonlySet<string>,
		end: number = position,
	): boolean {
		const element = findOpen(wanted, scope);
		if (element === undefined) return false;
		while (top() !== element) pop(position);
		pop(end);
		return true;
	}

	function startHead(attributes?: ReadonlyMap<string, string>): void {
		if (body !== null) return;
		head ??= insert("head", new Map());
		if (!open.includes(head)) open.push(head);
		if (attributes !== undefined) addAttributes(head, attributes);
	}

	function startBody(attributes?: ReadonlyMap<string, string>): void {
		if (body === null) {
			startHead();
			while (top() !== root) pop(position);
			body = insert("body", new Map());
		}
		if (attributes !== undefined) addAttributes(body, attributes);
	}

	function addAttributes(element: HtmlElement, attributes: ReadonlyMap<string, string>): void {
		for (const [name, value] of attributes) {
			meter.spend(4);
			if (!element.attributes.has(name)) element.attributes.set(name, value);
		}
	}

	function insert(name: string, attributes: Map<string, string>): HtmlElement {
		meter.spend(UNITS_PER_ELEMENT);
		const parent = open.at(-1) ?? null;
		const previous = parent?.lastChild ?? null;
		const element: HtmlElement = {
			name,
			attributes,
			parent,
			at: elements.length,
			last: elements.length,
			depth: parent === null ? 0 : parent.depth + 1,
			index: previous === null ? 1 : previous.index + 1,
			previous,
			lastChild: null,
			classes: null,
			tapeStart: tape.length,
			tapeEnd: tape.length + 1,
			start: position,
			end: position,
		};
		if (parent !== null) parent.lastChild = element;
		elements.push(element);
		tape.push(element);
		if (element.depth < MAX_DEPTH) {
			open.push(element);
			if (name === "svg" || name === "math") foreign++;
		} else if (!names.VOID.has(name)) tooDeep++;
		return element;
	}

	/** Ends an element that is or is not open. */
	function leave(element: HtmlElement, end: number): void {
		if (top() === element) pop(end);
		else {
			element.tapeEnd = tape.length;
			element.end = end;
		}
	}

	function pop(end: number): void {
		const element = open.pop() as HtmlElement;
		if (element.name === "svg" || element.name === "math") foreign--;
		tape.push(element);
		element.tapeEnd = tape.length;
		element.end = end;
	}

	function top(): HtmlElement {
		return open.at(-1) ?? root;
	}

	/** An element contains all of what it began to contain, even if that ended later. */
	function extendParents(): void {
		for (let at = elements.length - 1; at > 0; at--) {
			const element = elements[at] as HtmlElement;
			const parent = element.parent as HtmlElement;
			parent.last = Math.max(parent.last, element.last);
			parent.tapeEnd = Math.max(parent.tapeEnd, element.tapeEnd);
			parent.end = Math.max(parent.end, element.end);
		}
	}
}

const CELLS: ReadonlySet<string> = new Set(["td", "th"]);
const ITEMS: ReadonlySet<string> = new Set(["dd", "dt"]);
const TABLE_OR_CELL: ReadonlySet<string> = new Set(["table", "td", "th", "caption"]);
