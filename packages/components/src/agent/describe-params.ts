import type { JsonObject } from "@tripline/contract/workflows";
import type { Component } from "@tripline/engine/component";
import * as z from "zod";
import type { Effects } from "../effects.ts";

const known = new WeakMap<Component<Effects>, JsonObject>();

/** The JSON Schema of a component's parameters, read once per component. */
export function describeParams(component: Component<Effects>): JsonObject {
	let schema = known.get(component);
	if (schema === undefined) {
		const { $schema: _, ...rest } = (component.schemas?.params ??
			z.toJSONSchema(component.params, { io: "input", unrepresentable: "any" })) as JsonObject;
		schema = rest;
		known.set(component, schema);
	}
	return schema;
}

/** The schema of what a model passes: without the properties that are closed to it. */
export function omitProperties(schema: JsonObject, closed: ReadonlySet<string>): JsonObject {
	const { properties = {}, required, ...rest } = schema;
	const isOpen = (name: string) => !closed.has(name);
	const open = Object.entries(properties as JsonObject).filter(([name]) => isOpen(name));
	const needed = Array.isArray(required) ? required.filter((name) => isOpen(String(name))) : [];
	return {
		...rest,
		type: "object",
		properties: Object.fromEntries(open),
		...(needed.length > 0 && { required: needed }),
	};
}
