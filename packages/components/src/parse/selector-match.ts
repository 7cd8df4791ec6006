import type { Meter } from "@tripline/engine/meter";
import type { HtmlElement, HtmlTree } from "./html-tree.ts";
import type { Combinator, Selector, SelectorList, Test } from "./selector.ts";

interface Context {
	readonly scope: HtmlElement;
	readonly anchor: HtmlElement | null;
}

/**
 * How far a failure reaches. What failed for all ancestors need not be tried again from another ancestor, so a selector
 * takes at most as many steps as there are ancestors and siblings, for each of its parts.
 */
type Outcome = typeof MATCHES | typeof FAILS | typeof FAILS_FOR_SIBLINGS | typeof FAILS_FOR_ALL;
const MATCHES = 0;
const FAILS = 1;
const FAILS_FOR_SIBLINGS = 2;
const FAILS_FOR_ALL = 3;

const UNITS_PER_MATCH = 1.5;
/** Of a `:has()`. */
const UNITS_PER_CANDIDATE = 2;

interface TypePosition {
	readonly index: number;
	readonly siblings: { count: number };
}

export interface Matcher {
	/** The matching elements inside the scope in document order, at most `limit`. */
	find(list: SelectorList, scope: HtmlElement, limit?: number): HtmlElement[];
}

/** Every test spends from the meter. */
export function createMatcher({ root, elements }: HtmlTree, meter: Meter): Matcher {
	const typePositions = new Map<HtmlElement, TypePosition>();

	return {
		find(list, scope, limit = Number.POSITIVE_INFINITY) {
			const context = { scope, anchor: null };
			const includesScope = scope === root || list.some(({ tests }) => tests.some(isScope));
			const found: HtmlElement[] = [];
			for (let at = includesScope ? scope.at : scope.at + 1; at <= scope.last && found.length < limit; at++) {
				const element = elements[at] as HtmlElement;
				if (matchesAny(list, element, context)) found.push(element);
			}
			return found;
		},
	};

	function matchesAny(list: SelectorList, element: HtmlElement, context: Context): boolean {
		for (let at = 0; at < list.length; at++) {
			if (match(list[at] as Selector, element, context) === MATCHES) return true;
		}
		return false;
	}

	function match({ tests, before }: Selector, element: HtmlElement, context: Context): Outcome {
		meter.spend(UNITS_PER_MATCH);
		for (let at = 0; at < tests.length; at++) {
			if (!passes(tests[at] as Test, element, context)) return FAILS;
		}
		return before === null ? MATCHES : matchBefore(before.combinator, before.selector, element, context);
	}

	function matchBefore(
		combinator: Combinator,
		selector: Selector,
		{ parent, previous }: HtmlElement,
		context: Context,
	): Outcome {
		switch (combinator) {
			case ">":
				return parent === null ? FAILS_FOR_ALL : match(selector, parent, context);
			case "+":
				return previous === null ? FAILS_FOR_SIBLINGS : match(selector, previous, context);
			case " ":
				for (let above = parent; above !== null; above = above.parent) {
					const outcome = match(selector, above, context);
					if (outcome === MATCHES || outcome === FAILS_FOR_ALL) return outcome;
				}
				return FAILS_FOR_ALL;
			case "~":
				for (let sibling = previous; sibling !== null; sibling = sibling.previous) {
					const outcome = match(selector, sibling, context);
					if (outcome !== FAILS) return outcome;
				}
				return FAILS_FOR_SIBLINGS;
		}
	}

	function passes(test: Test, element: HtmlElement, context: Context): boolean {
		switch (test.kind) {
			case "type":
				return element.name === test.value;
			case "id":
				return element.attributes.get("id") === test.value;
			case "class":
				return hasClass(element, test.value);
			case "attribute":
				return passesAttribute(test, element.attributes.get(test.name));
			case "nth":
				return passesNth(test, element);
			case "is":
				return matchesAny(test.list, element, context);
			case "not":
				return !matchesAny(test.list, element, context);
			case "has":
				return test.list.some((selector) => hasRelative(selector, element, context.scope));
			case "root":
				return element === root;
			case "empty":
				// Its tags are all that it has on the tape.
				return element.tapeEnd - element.tapeStart <= 2;
			case "scope":
				return element === context.scope;
			case "anchor":
				return element === context.anchor;
		}
	}

	function passesAttribute(
		{ operator, value, ignoresCase }: Extract<Test, { kind: "attribute" }>,
		given: string | undefined,
	): boolean {
		if (given === undefined || operator === null) return given !== undefined;
		meter.spend(1 + value.length / 16 + (ignoresCase ? given.length / 2 : 0));
		const text = ignoresCase ? given.toLowerCase() : given;
		switch (operator) {
			case "=":
				return text === value;
			case "|=":
				return text === value || text.startsWith(`${value}-`);
			case "~=":
				return splitWords(text).includes(value);
			case "^=":
				return value !== "" && text.startsWith(value);
			case "$=":
				return value !== "" && text.endsWith(value);
			case "*=":
				// The search may compare the value at every place.
				meter.spend((text.length * value.length) / 32);
				return value !== "" && text.includes(value);
		}
	}

	function hasClass(element: HtmlElement, name: string): boolean {
		element.classes ??= splitWords(element.attributes.get("class") ?? "");
		meter.spend(element.classes.length);
		return element.classes.includes(name);
	}

	function splitWords(text: string): readonly string[] {
		if (text === "") return NO_WORDS;
		meter.spend(4 + text.length / 2);
		return text.split(WHITE).filter((word) => word !== "");
	}

	function passesNth(test: Extract<Test, { kind: "nth" }>, element: HtmlElement): boolean {
		const { index, count } = test.isOfType ? getTypePosition(element) : getPosition(element);
		const distance = (test.isFromEnd ? count - index + 1 : index) - test.offset;
		return test.step === 0 ? distance === 0 : distance % test.step === 0 && distance / test.step >= 0;
	}

	function getTypePosition(element: HtmlElement): { index: number; count: number } {
		if (!typePositions.has(element)) countTypes(element);
		const { index, siblings } = typePositions.get(element) as TypePosition;
		return { index, count: siblings.count };
	}

	/** Notes the positions of all children of the element's parent. */
	function countTypes({ parent }: HtmlElement): void {
		const children: HtmlElement[] = [];
		for (let child = parent?.lastChild ?? root; ; child = child.previous) {
			children.push(child);
			if (child.previous === null) break;
		}
		meter.spend(16 * children.length);
		const types = new Map<string, { count: number }>();
		for (const child of children.reverse()) {
			const siblings = types.get(child.name) ?? { count: 0 };
			types.set(child.name, siblings);
			siblings.count++;
			typePositions.set(child, { index: siblings.count, siblings });
		}
	}

	function hasRelative(selector: Selector, anchor: HtmlElement, scope: HtmlElement): boolean {
		const isAfter = isAfterAnchor(selector);
		const first = isAfter ? anchor.last + 1 : anchor.at + 1;
		const last = isAfter ? (anchor.parent ?? anchor).last : anchor.last;
		const context = { scope, anchor };
		for (let at = first; at <= last; at++) {
			meter.spend(UNITS_PER_CANDIDATE);
			if (match(selector, elements[at] as HtmlElement, context) === MATCHES) return true;
		}
		return false;
	}
}

const getPosition = ({ index, parent }: HtmlElement): { index: number; count: number } => ({
	index,
	count: parent?.lastChild?.index ?? 1,
});

/** Whether a selector in `:has()` begins with a sibling of the anchor. */
function isAfterAnchor({ before }: Selector): boolean {
	for (let step = before; step !== null; step = step.selector.before) {
		if (step.selector.before === null) return step.combinator === "+" || step.combinator === "~";
	}
	return false;
}

const isScope = ({ kind }: Test): boolean => kind === "scope";
const WHITE = /[ \t\n\f\r]+/;
const NO_WORDS: readonly string[] = [];
