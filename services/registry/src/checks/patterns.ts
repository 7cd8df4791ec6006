import type { Json } from "@tripline/contract/json";
import type { Manifest } from "@tripline/contract/registry";
import { MAX_DOCUMENT_UNITS, Meter } from "@tripline/engine/meter";
import { type CodeLiterals, findLiterals } from "../domain/code-literals.ts";
import { findHangReason } from "../domain/hanging-patterns.ts";
import { type Check, toCheck } from "./check.ts";

const MAX_SHOWN_LENGTH = 80;

/** Rejects regular expressions in schemas or code that can backtrack without end. */
export function checkPatterns(manifest: Manifest): Check {
	const meter = new Meter(MAX_DOCUMENT_UNITS);
	const problems = [
		...listSchemas(manifest).flatMap(({ where, schema }) =>
			findPatterns(schema).flatMap((pattern) => findProblems(where, pattern, "", meter)),
		),
		...(manifest.kind === "code" ? findCodeProblems(findLiterals(manifest.code), meter) : []),
	];
	return toCheck("patterns", problems, "no pattern can hang");
}

function findCodeProblems({ patterns, texts }: CodeLiterals, meter: Meter): string[] {
	return [
		...patterns.flatMap(({ source, flags }) => findProblems("code", source, flags, meter)),
		// A string may be compiled as a pattern too; a string that is not one rarely contains repeated groups.
		...texts.filter(looksLikePattern).flatMap((text) => findProblems("code", unescapeText(text), "", meter)),
	];
}

const looksLikePattern = (text: string): boolean => /\)(?:[*+]|\{\d+,)/.test(text);
const unescapeText = (text: string): string => text.replaceAll("\\\\", "\\");

function findProblems(where: string, source: string, flags: string, meter: Meter): string[] {
	const reason = findHangReason(source, flags, meter);
	const shown = source.length > MAX_SHOWN_LENGTH ? `${source.slice(0, MAX_SHOWN_LENGTH)}...` : source;
	return reason === null ? [] : [`the pattern /${shown}/ in ${where} can hang: ${reason}`];
}

function listSchemas(manifest: Manifest): { where: string; schema: Json }[] {
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

function findPatterns(schema: Json): string[] {
	if (typeof schema !== "object" || schema === null) return [];
	if (Array.isArray(schema)) return schema.flatMap(findPatterns);
	return Object.entries(schema).flatMap(([name, value]) => {
		if (name === "pattern" && typeof value === "string") return [value];
		const names =
			name === "patternProperties" && typeof value === "object" && value !== null ? Object.keys(value) : [];
		return [...names, ...findPatterns(value)];
	});
}
