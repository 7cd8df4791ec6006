import * as z from "zod";

const MAX_MODELS = 1_000;

/** In any currency, for a million tokens. */
const ModelPrice = z.strictObject({ input: z.number().min(0), output: z.number().min(0) });
export type ModelPrice = z.output<typeof ModelPrice>;

export type ModelPrices = ReadonlyMap<string, ModelPrice>;

const FORMAT = 'must be JSON such as { "gpt-5-mini": { "input": 0.25, "output": 2 } }';

/** A setting: prices by the name of the model. */
export const modelPrices = z
	.string()
	.default("{}")
	.transform((text, context): ModelPrices => {
		const read = z.record(z.string(), ModelPrice).safeParse(parseJson(text));
		const entries = Object.entries(read.data ?? {});
		if (read.success && entries.length <= MAX_MODELS) return new Map(entries);
		const message = read.success ? `must have at most ${MAX_MODELS} models` : FORMAT;
		context.addIssue({ code: "custom", message });
		return z.NEVER;
	});

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
