export interface HtmlElement {
	readonly name: string;
	readonly attributes: Map<string, string>;
	readonly parent: HtmlElement | null;
	/** Position among the elements of the page. */
	readonly at: number;
	/** Position of the last element inside; its own if there is none. */
	last: number;
	readonly depth: number;
	/** Position among its siblings, from 1. */
	readonly index: number;
	readonly previous: HtmlElement | null;
	lastChild: HtmlElement | null;
	/** Its part of the tape: its start tag, what it contains, its end tag. */
	readonly tapeStart: number;
	tapeEnd: number;
	/** The words of its attribute `class`; null until they are needed. */
	classes: readonly string[] | null;
	/** Its place in the text. */
	readonly start: number;
	end: number;
}

export interface HtmlTree {
	readonly root: HtmlElement;
	/** In document order: the elements inside an element follow it directly. */
	readonly elements: readonly HtmlElement[];
	/** Texts with white space collapsed, start tags and end tags in document order; a tag is its element. */
	readonly tape: readonly (string | HtmlElement)[];
}
