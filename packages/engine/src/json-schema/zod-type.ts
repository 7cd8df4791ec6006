import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";
import { MAX_NODE_UNITS, Meter } from "../meter.ts";
import { type Compiled, evaluate, type Finding } from "./checking.ts";

interface Definition extends z.core.$ZodTypeDef {
	readonly type: "custom";
	readonly compiled: Compiled;
	readonly schema: JsonObject;
}

/** What zod hands on to every type within the one that is parsed. */
export interface MeteredContext {
	readonly meter?: Meter;
}

const Base: z.core.$constructor<z.ZodType> = z.ZodType;

/** A compiled JSON Schema in the place of a zod type. */
export const JsonSchemaType = z.core.$constructor<z.ZodType<Json>, Definition>(
	"JsonSchemaType",
	(type, definition) => {
		Base.init(type, definition);
		const { compiled, schema } = definition;
		if (compiled.absent !== undefined) type._zod.optin = "defaulted";
		type._zod.toJSONSchema = () => ({ ...schema });
		type._zod.parse = (payload, context) => {
			const { meter = new Meter(MAX_NODE_UNITS) } = context as MeteredContext;
			const findings = payload.issues as unknown as Finding[];
			const output = evaluate(compiled, payload.value as Json | undefined, meter, findings);
			if (output !== undefined) payload.value = output;
			return payload;
		};
	},
);
