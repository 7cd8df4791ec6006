import type { Json } from "@tripline/contract/json";
import type { Component, NodeCall } from "@tripline/engine/component";
import type * as z from "zod";
import type { Effects } from "./effects.ts";

interface Definition<Params extends z.ZodType> extends Omit<Component<Effects>, Implied | "params" | "run"> {
	readonly params: Params;
	run(call: Call<Params>): Json | Promise<Json>;
}

type Implied = "version" | "hosts" | "takesCredentials";
type Call<Params extends z.ZodType> = NodeCall<Effects> & { readonly params: z.output<Params> };

/** Defines a component that calls no host; its parameters are typed by their schema. */
export const define = <Params extends z.ZodType>(definition: Definition<Params>): Component<Effects> => ({
	version: "1.0.0",
	hosts: [],
	takesCredentials: false,
	...definition,
});
