import type { Json } from "@tripline/contract/json";
import { type NodeCall, TerminalError } from "@tripline/engine/component";
import type { Effects } from "./effects.ts";
import { anyList } from "./schemas.ts";
import { roomAfter } from "./size.ts";

const MOST_ITEMS = 100_000;
const BATCH = 1000;
/** Of all values together. A node's output is smaller. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

export const items = () =>
	anyList()
		.refine((list) => list.length <= MOST_ITEMS, `must have at most ${MOST_ITEMS} elements; split the list`)
		.meta({ description: "A list, or one reference to a list" });

/**
 * Evaluates for each item, in order. A short list is done at once; after each batch of a longer one the event loop
 * has its turn, so that other runs go on and a deadline takes effect.
 */
export function withEach<Value extends Json>(
	{ effects, signal }: Pick<NodeCall<Effects>, "effects" | "signal">,
	list: readonly Json[],
	evaluate: (item: Json, index: number) => Value,
	use: (values: readonly Value[]) => Json,
): Json | Promise<Json> {
	const values: Value[] = [];
	let room = MOST_CHARACTERS;
	return list.length <= BATCH ? use(evaluateBatch()) : inTurns();

	function evaluateBatch(): Value[] {
		const end = Math.min(values.length + BATCH, list.length);
		for (let index = values.length; index < end; index++) {
			const value = naming(index, () => evaluate(list[index] as Json, index));
			room = roomAfter(value, room);
			if (room < 0)
				throw new TerminalError(`the values are larger than ${MOST_CHARACTERS} characters together`);
			values.push(value);
		}
		return values;
	}

	async function inTurns(): Promise<Json> {
		while (evaluateBatch().length < list.length) await effects.sleep(0, signal);
		return use(values);
	}
}

function naming<Value>(index: number, evaluate: () => Value): Value {
	try {
		return evaluate();
	} catch (error) {
		throw new TerminalError(`items[${index}]: ${error instanceof Error ? error.message : String(error)}`);
	}
}
