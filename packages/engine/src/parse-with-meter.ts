import * as z from "zod";
import type { MeteredContext } from "./json-schema/zod-type.ts";
import type { Meter } from "./meter.ts";

type Parsed<T> =
	| { readonly success: true; readonly data: T; readonly error?: undefined }
	| { readonly success: false; readonly error: Violations };

/** Zod's own errors cost more than parsing, and parameters with templates often violate their schema. */
class Violations {
	readonly issues: readonly z.core.$ZodIssue[];

	constructor(issues: readonly z.core.$ZodIssue[]) {
		this.issues = issues;
	}
}

// Zod only constructs the class and passes it on.
const parse = z.core._safeParse(Violations as unknown as z.core.$ZodErrorClass);

/** Parses so that JSON Schemas anywhere inside the type spend from this meter. */
export function parseWithMeter<T>(type: z.ZodType<T>, value: unknown, meter: Meter): Parsed<T> {
	const context: MeteredContext = { meter };
	// Zod passes the context through unchanged, but its type lists only the fields zod reads.
	return parse(type, value, context as z.core.ParseContext<z.core.$ZodIssue>);
}
