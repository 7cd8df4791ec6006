import type { NameProblem, Names, Reader } from "../../frame.ts";
import type { Meter } from "../../meter.ts";
import { MAX_PROBLEMS, type TextProblem } from "../problem.ts";
import { findSplitName, hintAtNode } from "../split-name.ts";
import { hintAtConstant } from "./hints.ts";
import type { ASTNode } from "./syntax.ts";
import type { Run } from "./values.ts";

export interface Part {
	readonly run: Run;
	/** It reads no values, so it can be computed at compile time. */
	readonly constant: boolean;
}

/** Slots of `item` and `index`. */
export const ITEM_SLOT = 0;
export const INDEX_SLOT = 1;

/** Includes the search for a similar name. */
const UNITS_PER_PROBLEM = 2000;

/** The state of an expression during compilation. */
export class Builder {
	readonly text: string;
	readonly #hasParentheses: boolean;
	readonly names: Names;
	readonly problems: TextProblem[] = [];
	/** Readers of the names that the expression uses, by slot. */
	readonly readers: { readonly slot: number; readonly read: Reader }[] = [];
	/** Slots by the text that names them: `order`, or `nodes["my node"]`. */
	readonly #slots = new Map<string, number>();
	/** Offsets of nodes' names that were read as several names, each reported once. */
	readonly #splitNames: number[] = [];
	readonly #loopNames: { readonly name: string; readonly slot: number }[] = [];
	slotCount = INDEX_SLOT + 1;
	/** Cost of one evaluation: the nodes compiled so far outside loop bodies. */
	cost = 0;
	/** Whether the result may contain values that were not in the data. */
	builds = false;

	/** Constant folding spends from it. */
	readonly meter: Meter;

	constructor(text: string, names: Names, options: { readonly item: boolean; readonly meter: Meter }) {
		this.text = text;
		this.#hasParentheses = /[()]/.test(text);
		this.names = names;
		this.meter = options.meter;
		if (!options.item) return;
		this.#loopNames.push({ name: "item", slot: ITEM_SLOT }, { name: "index", slot: INDEX_SLOT });
	}

	get loops(): number {
		return this.#loopNames.filter(({ slot }) => slot > INDEX_SLOT).length;
	}

	/** The source text of a name, which has no parentheses. */
	readName(node: ASTNode): string {
		return this.text.slice(node.start, node.end);
	}

	/** The source text of a node. */
	source(node: ASTNode): string {
		this.meter.spend((node.end - node.start) / 4);
		return this.#hasParentheses
			? extendToParentheses(this.text, node.start, node.end)
			: this.text.slice(node.start, node.end);
	}

	fail(offset: number, message: string, hint?: string, code: TextProblem["code"] = "bad_expression"): Part {
		this.meter.spend(UNITS_PER_PROBLEM);
		if (this.problems.length < MAX_PROBLEMS)
			this.problems.push({ code, message, offset, ...(hint === undefined ? {} : { hint }) });
		return { run: () => null, constant: false };
	}

	/** The slot of a loop variable; undefined if none of that name is in scope. */
	findLoopSlot(name: string): number | undefined {
		return this.#loopNames.findLast((variable) => variable.name === name)?.slot;
	}

	/** Assigns one slot per name, so that a name is read once however often it is used. */
	assignSlot(key: string, look: () => ReturnType<Names["named"]>, offset: number): number | undefined {
		const known = this.#slots.get(key);
		if (known !== undefined) return known;
		const read = look();
		if (typeof read !== "function") {
			this.#failName(read, key, offset);
			return undefined;
		}
		const slot = this.slotCount++;
		this.#slots.set(key, slot);
		this.readers.push({ slot, read });
		return slot;
	}

	/** A node's name that was read as several names is one problem. */
	#failName({ code, message, hint }: NameProblem, key: string, offset: number): void {
		const split = code === "unknown_reference" ? findSplitName(this.text, offset, this.names) : undefined;
		if (split === undefined) this.fail(offset, message, hintAtConstant(key) ?? hint, code);
		else if (!this.#splitNames.includes(split.start)) {
			this.#splitNames.push(split.start);
			this.fail(split.start, message, hintAtNode(split.id), code);
		}
	}

	/** Compiles a loop's body with its variable, and returns the cost of one iteration. */
	compileInLoop(name: string, compile: (slot: number) => void): number {
		const slot = this.slotCount++;
		const outside = this.cost;
		this.cost = 1;
		this.#loopNames.push({ name, slot });
		compile(slot);
		this.#loopNames.pop();
		const turn = this.cost;
		this.cost = outside;
		return turn;
	}
}

const [OPENING, CLOSING] = [0x28, 0x29];

/** Node ranges exclude enclosing parentheses, so a range may contain unbalanced ones; extends it to balance them. */
function extendToParentheses(text: string, start: number, end: number): string {
	let unopened = 0;
	let open = 0;
	for (let at = start; at < end; at++) {
		const code = text.charCodeAt(at);
		if (code === OPENING) open++;
		else if (code === CLOSING && open > 0) open--;
		else if (code === CLOSING) unopened++;
	}
	let from = start;
	let to = end;
	while (unopened > 0 && from > 0) if (text[--from] === "(") unopened--;
	while (open > 0 && to < text.length) if (text[to++] === ")") open--;
	return text.slice(from, to);
}
