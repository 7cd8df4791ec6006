import type * as z from "zod";
import type { MeteredContext } from "./json-schema/zod-type.ts";
import type { Meter } from "./meter.ts";

/** Parses so that JSON Schemas anywhere inside the type spend from this meter. */
export function parseWithMeter<T>(type: z.ZodType<T>, value: unknown, meter: Meter): z.ZodSafeParseResult<T> {
	const context: MeteredContext = { meter };
	// Zod passes the context through unchanged, but its type lists only the fields zod reads.
	return type.safeParse(value, context as z.core.ParseContext<z.core.$ZodIssue>);
}
