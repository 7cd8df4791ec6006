import type * as z from "zod";
import type { MeteredContext } from "./json-schema/zod-type.ts";
import type { Meter } from "./meter.ts";

/** What a schema from data finds out costs units of this meter, wherever it stands within the type. */
export function parseWithMeter<T>(type: z.ZodType<T>, value: unknown, meter: Meter): z.ZodSafeParseResult<T> {
	const context: MeteredContext = { meter };
	// Zod hands its context on as it is, but names only what it reads itself.
	return type.safeParse(value, context as z.core.ParseContext<z.core.$ZodIssue>);
}
