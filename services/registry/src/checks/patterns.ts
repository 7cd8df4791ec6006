import type { Json } from "@tripline/contract/json";
import type { Manifest } from "@tripline/contract/registry";
import { MAX_DOCUMENT_UNITS, Meter } from "@tripline/engine/meter";
import { type CodeLiterals, literalsOf } from "../domain/code-literals.ts";
import { hangs } from "../domain/hanging-patterns.ts";
import { type Check, checkOf } from "./check.ts";

const MOST_SHOWN = 80;

/** Rejects regular expressions in schemas or code that can backtrack without end. */
export function patternCheck(manifest: Manifest): Check {
	const meter = new Meter(MAX_DOCUMENT_UNITS);
	const problems = [
		...schemasOf(manifest).flatMap(({ where, schema }) =>
			patternsIn(schema).flatMap((pattern) => problemOf(where, pattern, "", meter)),
		),
		...(manifest.kind === "code" ? codeProblems(literalsOf(manifest.code), meter) : []),
	];
	return checkOf("patterns", problems, "no pattern can hang");
}

function codeProblems({ patterns, texts }: CodeLiterals, meter: Meter): string[] {
	return [
		...patterns.flatMap(({ source, flags }) => problemOf("code", source, flags, meter)),
		// A string may be compiled as a pattern too; a string that is not one rarely contains repeated groups.
		...texts.filter(looksLikePattern).flatMap((text) => problemOf("code", unescaped(text), "", meter)),
	];
}

const looksLikePattern = (text: string): boolean => /\)(?:[*+]|\{\d+,)/.test(text);
const unescaped = (text: string): string => text.replaceAll("\\\\", "\\");

function problemOf(where: string, source: string, flags: string, meter: Meter): string[] {
	const reason = hangs(source, flags, meter);
	const shown = source.length > MOST_SHOWN ? `${source.slice(0, MOST_SHOWN)}...` : source;
	return reason === null ? [] : [`the pattern /${shown}/ in ${where} can hang: ${reason}`];
}

function schemasOf(manifest: Manifest): { where: string; schema: Json }[] {
	if (manifest.kind === "code")
		return [
			{ where: "params", schema: manifest.params },
			{ where: "output", schema: manifest.output },
		];
	return Object.entries(manifest.recipe.operations).flatMap(([name, operation]) => [
		{ where: `recipe.operations.${name}.params`, schema: operation.params },
		{ where: `recipe.operations.${name}.output.schema`, schema: operation.output.schema },
	]);
}

function patternsIn(schema: Json): string[] {
	if (typeof schema !== "object" || schema === null) return [];
	if (Array.isArray(schema)) return schema.flatMap(patternsIn);
	return Object.entries(schema).flatMap(([name, value]) => {
		if (name === "pattern" && typeof value === "string") return [value];
		const names =
			name === "patternProperties" && typeof value === "object" && value !== null ? Object.keys(value) : [];
		return [...names, ...patternsIn(value)];
	});
}
