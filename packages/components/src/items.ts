import type { Json } from "@tripline/contract/json";
import { type NodeCall, TerminalError } from "@tripline/engine/component";
import type { Effects } from "./effects.ts";
import { anyList } from "./schemas.ts";
import { roomAfter } from "./size.ts";

const MOST_ITEMS = 100_000;
/** Limit for all values together; a node's output must be smaller anyway. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

export const items = () =>
	anyList()
		.refine((list) => list.length <= MOST_ITEMS, `must have at most ${MOST_ITEMS} elements; split the list`)
		.meta({ description: "A list, or a reference to a list" });

/**
 * Evaluates each item in order. A short list is processed synchronously; a longer one yields to the event loop, so that
 * other runs continue and deadlines take effect.
 */
export function withEach<Value extends Json>(
	call: NodeCall<Effects>,
	list: readonly Json[],
	evaluate: (item: Json, index: number) => Value,
	use: (values: readonly Value[]) => Json,
): Json | Promise<Json> {
	const { meter } = call;
	const values: Value[] = [];
	let room = MOST_CHARACTERS;
	// Accounts for the values and for the list built from them.
	meter.make(16 * list.length);
	evaluateSome();
	return values.length === list.length ? use(values) : inTurns();

	function evaluateSome(): void {
		for (let index = values.length; index < list.length && !call.needsTurn; index++) {
			const value = naming(index, () => evaluate(list[index] as Json, index));
			const before = room;
			room = roomAfter(value, room);
			if (room < 0)
				throw new TerminalError(`the values are larger than ${MOST_CHARACTERS} characters together`);
			// Charged at half a unit per character: most characters of JSON are not separate values.
			meter.spend(2 + (before - room) / 2);
			values.push(value);
		}
	}

	async function inTurns(): Promise<Json> {
		while (values.length < list.length) {
			await call.turn();
			evaluateSome();
		}
		await call.turn();
		return use(values);
	}
}

/** Adds the index to an element's own errors only; a timeout belongs to the run. */
function naming<Value>(index: number, evaluate: () => Value): Value {
	try {
		return evaluate();
	} catch (error) {
		if (!(error instanceof TerminalError)) throw error;
		throw new TerminalError(`items[${index}]: ${error.message}`);
	}
}
