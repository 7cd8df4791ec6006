import type { Diagnostic, JsonObject } from "@tripline/contract/workflows";
import { type CompileOptions, compileSource } from "@tripline/engine/compile";
import { yamlSource } from "@tripline/engine/yaml";
import { advice } from "../../src/advice.ts";
import { builtInCatalogue } from "../../src/catalogue.ts";
import type { Effects } from "../../src/effects.ts";

type Known = Pick<CompileOptions<Effects>, "runTimeoutMs" | "missingWorkflows">;

const options = { catalogue: builtInCatalogue, advice, named: false };

export const compileYaml = (yaml: string, known: Known = {}): readonly Diagnostic[] =>
	compileSource(yamlSource(yaml), { ...options, ...known }).diagnostics;

/** The diagnostics of a document with the node `a`. */
export const compileNode = (settings: JsonObject, document: JsonObject = {}, known: Known = {}) =>
	compileSource(
		{ json: { triplets: ["input >> then >> a"], config: { a: settings }, ...document } },
		{ ...options, ...known },
	).diagnostics;
