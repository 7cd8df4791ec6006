import type { Json } from "@tripline/contract/json";
import { type NodeCall, TerminalError } from "@tripline/engine/component";
import type { Effects } from "./effects.ts";
import { anyList } from "./schemas.ts";
import { roomAfter } from "./size.ts";

const MOST_ITEMS = 100_000;
/** Of all values together. A node's output is smaller. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

export const items = () =>
	anyList()
		.refine((list) => list.length <= MOST_ITEMS, `must have at most ${MOST_ITEMS} elements; split the list`)
		.meta({ description: "A list, or one reference to a list" });

/**
 * Evaluates for each item, in order. A short list is done at once; in a longer one the event loop gets its turns, so
 * that other runs go on and a deadline takes effect.
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
	// The values, and a list that is made of them.
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
			// Most characters of JSON are not values of their own.
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

/** Only a failure of the element itself is its own: that the time is over is the run's. */
function naming<Value>(index: number, evaluate: () => Value): Value {
	try {
		return evaluate();
	} catch (error) {
		if (!(error instanceof TerminalError)) throw error;
		throw new TerminalError(`items[${index}]: ${error.message}`);
	}
}
