import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";
import { Meter } from "../meter.ts";
import { type Compiled, evaluate, type Finding } from "./checking.ts";

interface Definition extends z.core.$ZodTypeDef {
	readonly type: "custom";
	readonly compiled: Compiled;
	readonly schema: JsonObject;
}

/** Zod passes this context to every nested type. */
export interface MeteredContext {
	readonly meter?: Meter;
}

/** For one check. A visited value costs two units because several rules look at it. */
const MAX_CHECK_UNITS = 2_000_000;
const COST = 2;

const Base: z.core.$constructor<z.ZodType> = z.ZodType;

/** A compiled JSON Schema as a zod type. */
export const JsonSchemaType = z.core.$constructor<z.ZodType<Json>, Definition>(
	"JsonSchemaType",
	(type, definition) => {
		Base.init(type, definition);
		const { compiled, schema } = definition;
		if (compiled.absent !== undefined) type._zod.optin = "defaulted";
		type._zod.toJSONSchema = () => ({ ...schema });
		type._zod.parse = (payload, context) => {
			const { meter } = context as MeteredContext;
			const units = Math.min(MAX_CHECK_UNITS, (meter?.left ?? Number.POSITIVE_INFINITY) / COST);
			const own = new Meter(units);
			const findings = payload.issues as unknown as Finding[];
			const output = evaluate(compiled, payload.value as Json | undefined, own, findings);
			meter?.spend((units - Math.max(0, own.left)) * COST);
			if (output !== undefined) payload.value = output;
			return payload;
		};
	},
);
