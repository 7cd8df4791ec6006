import type { Names, Reader } from "../../frame.ts";
import type { Meter } from "../../meter.ts";
import { MAX_PROBLEMS, type TextProblem } from "../problem.ts";
import type { ASTNode } from "./syntax.ts";
import type { Run } from "./values.ts";

export interface Part {
	readonly run: Run;
	/** It reads nothing, so it can be computed when the expression is compiled. */
	readonly constant: boolean;
}

/** Places of `item` and `index` in the slots. */
export const ITEM_SLOT = 0;
export const INDEX_SLOT = 1;

/** With the guess at what was meant. */
const UNITS_PER_PROBLEM = 2000;

/** What is known of an expression while it is compiled. */
export class Builder {
	readonly text: string;
	readonly names: Names;
	readonly problems: TextProblem[] = [];
	/** Readers of the names that the expression uses, by slot. */
	readonly readers: { readonly slot: number; readonly read: Reader }[] = [];
	/** Slots by the text that names them: `order`, or `nodes["my node"]`. */
	readonly #slots = new Map<string, number>();
	readonly #loopNames: { readonly name: string; readonly slot: number }[] = [];
	slotCount = INDEX_SLOT + 1;
	/** Nodes compiled so far outside of loop bodies: what one evaluation costs. */
	cost = 0;
	/** Whether the result may be something that was not in the data. */
	builds = false;

	/** What computing constant parts spends from. */
	readonly meter: Meter;

	constructor(text: string, names: Names, options: { readonly item: boolean; readonly meter: Meter }) {
		this.text = text;
		this.names = names;
		this.meter = options.meter;
		if (!options.item) return;
		this.#loopNames.push({ name: "item", slot: ITEM_SLOT }, { name: "index", slot: INDEX_SLOT });
	}

	get loops(): number {
		return this.#loopNames.filter(({ slot }) => slot > INDEX_SLOT).length;
	}

	/** The part of the expression that a node stands for, as written. */
	source(node: ASTNode): string {
		this.meter.spend((node.end - node.start) / 4);
		return withParentheses(this.text, node.start, node.end);
	}

	fail(offset: number, message: string, hint?: string, code: TextProblem["code"] = "bad_expression"): Part {
		this.meter.spend(UNITS_PER_PROBLEM);
		if (this.problems.length < MAX_PROBLEMS)
			this.problems.push({ code, message, offset, ...(hint === undefined ? {} : { hint }) });
		return { run: () => null, constant: false };
	}

	/** The slot of a loop variable, or undefined if there is none of that name here. */
	loopSlot(name: string): number | undefined {
		return this.#loopNames.findLast((variable) => variable.name === name)?.slot;
	}

	/** Reads a name once, however often the expression uses it. */
	slotFor(key: string, look: () => ReturnType<Names["named"]>, offset: number): number | undefined {
		const known = this.#slots.get(key);
		if (known !== undefined) return known;
		const read = look();
		if (typeof read !== "function") {
			this.fail(offset, read.message, read.hint, read.code);
			return undefined;
		}
		const slot = this.slotCount++;
		this.#slots.set(key, slot);
		this.readers.push({ slot, read });
		return slot;
	}

	/** Compiles a loop's body with its variable, and answers what one turn costs. */
	inLoop(name: string, compile: (slot: number) => void): number {
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

/** The parser leaves parentheses out of what they enclose, so a part could begin or end within some. */
function withParentheses(text: string, start: number, end: number): string {
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
