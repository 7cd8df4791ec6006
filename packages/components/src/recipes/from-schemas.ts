import type { Component } from "@tripline/engine/component";
import { compileParameterSchema, compileSchema } from "@tripline/engine/json-schema";
import * as z from "zod";
import type { Effects } from "../effects.ts";

type Definition = Omit<Component<Effects>, "params" | "output" | "schemas"> &
	Required<Pick<Component<Effects>, "schemas">>;

/** Compiles the schemas on first use: a tenant has hundreds of operations and runs only a few. */
export function createFromSchemas(definition: Definition): Component<Effects> {
	const { schemas } = definition;
	let params: z.ZodType | undefined;
	let output: z.ZodType | undefined;
	return {
		...definition,
		get params() {
			params ??= toUsable(compileParameterSchema(schemas.params));
			return params;
		},
		get output() {
			output ??= toUsable(compileSchema(schemas.output));
			return output;
		},
	};
}

const toUsable = (type: z.ZodType | { readonly problem: string }): z.ZodType =>
	"problem" in type ? z.custom<never>(() => false, `cannot be checked: the schema ${type.problem}`) : type;
