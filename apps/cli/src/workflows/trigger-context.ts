import { resolve } from "node:path";
import type { JsonObject } from "@tripline/contract/workflows";
import { CliProblem } from "../command.ts";
import type { Io } from "../io.ts";
import { readTextFile } from "../text-file.ts";

const USAGE = 2;

/** Reads the trigger context: JSON, `@file`, or `-` for standard input. */
export async function readTriggerContext(io: Io, given: string): Promise<JsonObject> {
	if (given === "-") return parseObject(await io.stdin(), "standard input");
	if (!given.startsWith("@")) return parseObject(given, "--input");
	const path = given.slice(1);
	return parseObject(readTextFile(resolve(io.cwd, path), path, USAGE), path);
}

function parseObject(text: string, from: string): JsonObject {
	try {
		const value = JSON.parse(text);
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
	} catch {
		// Reported below.
	}
	throw new CliProblem(`${from} is not a JSON object`, {
		code: USAGE,
		hint: `--input '{"name":"value"}', --input @file.json, or --input - for standard input`,
	});
}
