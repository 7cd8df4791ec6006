import type { Json } from "@tripline/contract/json";
import * as z from "zod";
import type { Component } from "../component.ts";
import { Meter } from "../meter.ts";
import { toSchemaType } from "../types/from-schema.ts";
import type { Type } from "../types/type.ts";

interface ComponentTypes {
	readonly params: Type;
	readonly output: Type;
}

const known = new WeakMap<Component<never>, ComponentTypes>();

/** The types of a component's schemas, read once per component. */
export function getComponentTypes(component: Component<never>): ComponentTypes {
	let types = known.get(component);
	if (types === undefined) {
		const { schemas, params, output } = component;
		// The number of parts that are read is limited, so no meter is needed.
		const meter = new Meter(Number.POSITIVE_INFINITY);
		types = {
			params: toSchemaType(schemas?.params ?? describe(params, "input"), meter),
			output: toSchemaType(schemas?.output ?? describe(output, "output"), meter),
		};
		known.set(component, types);
	}
	return types;
}

const describe = (schema: z.ZodType, io: "input" | "output"): Json =>
	z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;
