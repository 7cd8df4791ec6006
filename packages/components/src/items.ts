import type { Json } from "@tripline/contract/json";
import type { NodeCall, TypedNode } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import { readElement } from "@tripline/engine/types/overlap";
import { ANY, listType, type Type } from "@tripline/engine/types/type";
import type { Effects } from "./effects.ts";
import { prefixErrors } from "./prefix-errors.ts";
import { anyList } from "./schemas.ts";
import { subtractSize } from "./size.ts";

const MAX_ITEMS = 100_000;
/** Limit for all values together; a node's output must be smaller anyway. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

export const items = () =>
	anyList()
		.refine((list) => list.length <= MAX_ITEMS, `must have at most ${MAX_ITEMS} elements; split the list`)
		.meta({ description: "A list, or a reference to a list" });

/** The type of a list with elements of the parameter `items`. */
export const inferSameList = ({ param }: TypedNode): Type => listType(readElement(param("items")) ?? ANY);

/**
 * Evaluates each item in order. A short list is processed synchronously; a longer one yields to the event loop, so that
 * other runs continue and deadlines take effect.
 */
export function evaluateEach<Value extends Json>(
	call: NodeCall<Effects>,
	list: readonly Json[],
	evaluate: (item: Json, index: number) => Value,
	use: (values: readonly Value[]) => Json,
): Json | Promise<Json> {
	const { meter } = call;
	const values: Value[] = [];
	let room = MAX_CHARACTERS;
	// Accounts for the values and for the list built from them.
	meter.recordBytes(16 * list.length);
	evaluateSome();
	return values.length === list.length ? use(values) : finishInTurns();

	function evaluateSome(): void {
		for (let index = values.length; index < list.length && !call.needsTurn; index++) {
			const value = prefixErrors(
				() => `items[${index}]`,
				() => evaluate(list[index] as Json, index),
			);
			const before = room;
			room = subtractSize(value, room);
			if (room < 0)
				throw new TerminalError(`the values are larger than ${MAX_CHARACTERS} characters together`);
			// Charged at half a unit per character: most characters of JSON are not separate values.
			meter.spend(2 + (before - room) / 2);
			values.push(value);
		}
	}

	async function finishInTurns(): Promise<Json> {
		while (values.length < list.length) {
			await call.turn();
			evaluateSome();
		}
		await call.turn();
		return use(values);
	}
}
